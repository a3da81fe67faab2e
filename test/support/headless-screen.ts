import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import type { Click, ScreenOptions } from "../../src/tui/screen.ts";
import { openScreen } from "../../src/tui/terminal/open-screen.ts";
import type { Surroundings } from "../../src/tui/terminal/surroundings.ts";
import { createHeadlessTerminal, type HeadlessTerminal } from "./headless-terminal.ts";

/** A process around the screen that is none: a test sends its signals, moves its time, and sees what was done to it. */
function headlessSurroundings({ input, output, isRaw }: HeadlessTerminal) {
  const clock = createSimulatedClock(1_000_000);
  const signals = new Listeners<["SIGINT" | "SIGTERM" | "SIGHUP"]>();
  const leaving = new Listeners<[]>();
  const continued = new Listeners<[]>();
  const stray = new Listeners<[string]>();
  const did: string[] = [];
  const around: Surroundings = {
    input,
    output,
    writeNow: (text) => void output.write(text),
    after: (ms, call) => clock.after(ms, call),
    onSignal: signals.add,
    onLeave: leaving.add,
    onContinue: continued.add,
    onStray: stray.add,
    stop: () => void did.push(isRaw() ? "stopped in raw mode" : "stopped"),
    hangUp: () => void did.push("hung up"),
    exit: (code) => void did.push(`exited with ${code}`),
  };
  return { around, clock, did, signals, leaving, continued, stray };
}

class Listeners<Given extends unknown[]> {
  private readonly calls = new Set<(...given: Given) => void>();

  readonly add = (call: (...given: Given) => void) => {
    this.calls.add(call);
    return () => void this.calls.delete(call);
  };

  tell(...given: Given): void {
    for (const call of this.calls) call(...given);
  }

  get count(): number {
    return this.calls.size;
  }
}

type Options = Partial<ScreenOptions> & {
  readonly columns?: number;
  readonly rows?: number;
  readonly title?: string;
};

/** A screen in a headless terminal, and what was heard from it. */
export function openHeadlessScreen(options: Options = {}) {
  const { columns = 80, rows = 24, title = "statehive" } = options;
  const terminal = createHeadlessTerminal({ columns, rows });
  const process = headlessSurroundings(terminal);
  const strayed: string[] = [];
  const screen = openScreen(
    {
      colours: options.colours ?? true,
      ascii: options.ascii ?? false,
      mouse: options.mouse ?? false,
      title,
      onStray: (text) => void strayed.push(text),
    },
    process.around,
  );
  const heard = { keys: [] as string[], pastes: [] as string[], clicks: [] as Click[], resizes: 0 };
  screen.listen({
    key: ({ name, text }) =>
      void heard.keys.push(text === undefined || text === name ? name : `${name} types ${text}`),
    paste: (text) => void heard.pastes.push(text),
    click: (click) => void heard.clicks.push(click),
    resized: () => void heard.resizes++,
  });
  return { screen, terminal, process, heard, strayed };
}
