import { writeFileSync } from "node:fs";
import { own, safe, type SafeText } from "../../src/tui/frame/safe-text.ts";
import { openScreen } from "../../src/tui/terminal/open-screen.ts";
import {
  processSurroundings,
  type ProgramTerminal,
} from "../../src/tui/terminal/process-surroundings.ts";

/** A program on the screen that does what its keys say: for tests in a real terminal.
 *  Arguments: a file for its process id, and texts that are shown between borders. */

const [pidFile = "", ...texts] = process.argv.slice(2);
const listeners: ((signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void)[] = [];
const faultListeners: (() => void)[] = [];

const terminal: ProgramTerminal = {
  stdin: process.stdin,
  stdout: process.stdout,
  onSignal(listener) {
    listeners.push(listener);
    return () => void listeners.splice(listeners.indexOf(listener), 1);
  },
  onFault: (listener) => void faultListeners.push(listener),
  exit: (code) => process.exit(code),
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => listeners.at(-1)?.(signal));
}
process.stdout.on("error", () => process.exit(0));
process.on("uncaughtException", (fault) => {
  for (const listener of faultListeners) listener();
  process.stderr.write(`fault: ${fault.message}\n`);
  process.exit(70);
});

let last: SafeText = own`nothing`;
const screen = openScreen(
  {
    colours: true,
    ascii: false,
    mouse: process.env["DEMO_MOUSE"] === "1",
    title: "demo",
    onStray: (text) => show(own`stray ${safe(text)}`),
  },
  processSurroundings(terminal),
);

function show(what: SafeText): void {
  last = what;
  const { columns, rows } = screen.size();
  const lines = [own`size ${columns}x${rows}`, own`last ${last}`, ...texts.map(safe)];
  screen.draw({
    lines: Array.from({ length: rows }, (_, row) => [{ text: lines[row] ?? own`~` }]),
    cursor: null,
  });
}

const deeds: { readonly [key: string]: () => void } = {
  q() {
    screen.close();
    process.exit(0);
  },
  c: () => queueMicrotask(() => explode("thrown")),
  r: () => void Promise.reject(new Error("rejected")),
  // oxlint-disable-next-line no-console -- what it is about
  s: () => console.log("a word of another"),
  w: () => process.emitWarning("a warning"),
  z: () => screen.suspend(),
};

function explode(message: string): never {
  throw new Error(message);
}

screen.listen({
  key({ name }) {
    show(own`key ${safe(name)}`);
    deeds[name]?.();
  },
  paste: (text) => show(own`paste ${safe(text)}`),
  click: ({ kind, x, y }) => show(own`${safe(kind)} ${x},${y}`),
  resized: () => show(last),
});
show(last);
if (pidFile !== "") writeFileSync(pidFile, String(process.pid));
// Something that draws while nobody presses a key, as the service's news do.
setInterval(() => show(last), 50);
