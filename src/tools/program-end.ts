import type { SandboxEnd } from "../ports/sandbox.ts";

/** The names of the signals that end programs most often. */
const signals: Readonly<Record<number, string>> = {
  129: "SIGHUP",
  130: "SIGINT",
  131: "SIGQUIT",
  132: "SIGILL",
  134: "SIGABRT",
  135: "SIGBUS",
  136: "SIGFPE",
  137: "SIGKILL",
  139: "SIGSEGV",
  141: "SIGPIPE",
  143: "SIGTERM",
  152: "SIGXCPU",
  153: "SIGXFSZ",
};

/** How it ended, for the last line of the result. */
export function endNote(end: SandboxEnd, timeoutMs: number): string {
  const rest = "it was killed; what it had done by then stays";
  switch (end.kind) {
    case "exited": {
      const signal = signals[end.code];
      return `exit code ${end.code}${signal === undefined ? "" : `, as after ${signal}`}`;
    }
    case "timed_out":
      return `it ran longer than ${timeoutMs} ms: ${rest}`;
    case "over_limit":
      return `it used more than ${end.limit}: ${rest}`;
    case "killed":
      return `it was ended from outside by ${end.signal}; what it had done by then stays`;
  }
}
