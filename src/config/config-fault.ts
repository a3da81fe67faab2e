/** One thing that is wrong with the configuration: where, what, what was expected, and what was probably meant. */
export type ConfigFault = {
  /** Absolute path, or `environment` for a variable. */
  readonly file: string;
  /** From 1; 1:1 when the file as a whole is meant. */
  readonly line: number;
  readonly column: number;
  /** Dotted: `limits.max_tool_rounds`, `tools.allow.0`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
  readonly expected?: string;
  readonly nearest?: string;
};

export type Place = { readonly line: number; readonly column: number };

export const startOfFile: Place = { line: 1, column: 1 };

type FaultDetails = {
  readonly place?: Place;
  readonly path?: readonly PropertyKey[];
  readonly expected?: string | undefined;
  readonly nearest?: string | undefined;
};

export function faultIn(file: string, message: string, details: FaultDetails = {}): ConfigFault {
  const { line, column } = details.place ?? startOfFile;
  return {
    file,
    line,
    column,
    path: (details.path ?? []).map(String).join("."),
    message,
    ...(details.expected === undefined ? {} : { expected: details.expected }),
    ...(details.nearest === undefined ? {} : { nearest: details.nearest }),
  };
}

/** One line for people: `file:line:column: path: message; expected …; did you mean …?` */
export function formatFault(fault: ConfigFault): string {
  const path = fault.path === "" ? "" : `${fault.path}: `;
  const expected = fault.expected === undefined ? "" : `; expected ${fault.expected}`;
  const nearest = fault.nearest === undefined ? "" : `; did you mean "${fault.nearest}"?`;
  return `${fault.file}:${fault.line}:${fault.column}: ${path}${fault.message}${expected}${nearest}`;
}
