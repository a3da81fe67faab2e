import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { onTestFinished, vi } from "vitest";

/** A real terminal: a shell in a tmux server of its own, whose screen is read and whose keys are pressed. */
export type Tmux = ReturnType<typeof openTmux>;

type Options = {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
};

const longestMs = 60_000;
let opened = 0;

/** What the shell prompts with. */
export const prompt = "ready$";

export function openTmux({ columns = 80, rows = 24, cwd, env = {} }: Options = {}) {
  const socket = `statehive-${process.pid}-${++opened}`;
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-u", "-L", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      cwd,
      // Where its socket is made, and stays.
      env: { ...process.env, TMUX_TMPDIR: tmpdir() },
      stdio: "pipe",
    });
  const variables = Object.entries({ PS1: `${prompt} `, ...env });
  const setting = variables.flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux("new-session", "-d", ...size, ...setting, "bash", "--norc", "--noprofile", "-i");
  const kill = () => {
    try {
      tmux("kill-server");
    } catch {
      // It has ended by itself.
    }
  };
  onTestFinished(kill);

  const lines = (): string[] => tmux("capture-pane", "-p").replace(/\n$/, "").split("\n");
  const waitFor = (check: () => void) => vi.waitFor(check, { timeout: longestMs, interval: 50 });
  return {
    kill,
    /** Of the terminal's own process. */
    pid: () => Number(tmux("display-message", "-p", "#{pid}")),
    /** What is shown, a row a string. */
    lines,
    /** The same with its looks as escape sequences. */
    looks: (): string => tmux("capture-pane", "-p", "-e"),
    text: (): string => lines().join("\n"),
    /** Keys by the names of tmux: `Enter`, `Escape`, `C-c`, `F4`, `Up`. */
    keys: (...names: string[]) => void tmux("send-keys", ...names),
    type: (text: string) => void tmux("send-keys", "-l", text),
    /** As a person pastes, with the marks of a bracketed paste where the program asked for them. */
    paste(text: string): void {
      tmux("set-buffer", text);
      tmux("paste-buffer", "-p");
    },
    resize: (toColumns: number, toRows: number) =>
      void tmux("resize-window", "-x", String(toColumns), "-y", String(toRows)),
    /** What programs have switched on in the terminal. */
    modes(): { alternate: boolean; cursor: boolean; mouse: boolean } {
      const flags = tmux(
        "display-message",
        "-p",
        "#{alternate_on} #{cursor_flag} #{mouse_any_flag}",
      );
      const [alternate, cursor, mouse] = flags
        .trim()
        .split(" ")
        .map((flag) => flag === "1");
      return { alternate: alternate === true, cursor: cursor === true, mouse: mouse === true };
    },
    cursor(): { x: number; y: number } {
      const [x, y] = tmux("display-message", "-p", "#{cursor_x} #{cursor_y}").trim().split(" ");
      return { x: Number(x), y: Number(y) };
    },
    /** Types a command into the shell. */
    run(command: string): void {
      tmux("send-keys", "-l", command);
      tmux("send-keys", "Enter");
    },
    waitFor,
    /** Until the screen shows it. */
    expectText: (wanted: string | RegExp) =>
      waitFor(() => {
        const shown = lines().join("\n");
        if (typeof wanted === "string" ? shown.includes(wanted) : wanted.test(shown)) return;
        throw new Error(`The screen does not show ${String(wanted)}:\n${shown}`);
      }),
  };
}
