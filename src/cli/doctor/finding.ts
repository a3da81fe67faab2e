/** One thing that was looked at. */
export type Finding = {
  readonly check: string;
  readonly state: "ok" | "warn" | "fail";
  readonly found: string;
  /** What to do about it; null where nothing is to be done. */
  readonly fix: string | null;
  /** Does it, where that cannot harm: `doctor --fix`. */
  readonly mend?: () => void;
};

export function ok(check: string, found: string): Finding {
  return { check, state: "ok", found, fix: null };
}

export function warn(check: string, found: string, fix: string): Finding {
  return { check, state: "warn", found, fix };
}

export function fail(check: string, found: string, fix: string): Finding {
  return { check, state: "fail", found, fix };
}
