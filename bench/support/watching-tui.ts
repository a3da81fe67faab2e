import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { connect } from "../../src/client/connection.ts";
import { runTui } from "../../src/tui/run-tui.ts";
import { openScreen } from "../../src/tui/terminal/open-screen.ts";
import type { Surroundings } from "../../src/tui/terminal/surroundings.ts";
import { answerParent } from "./child.ts";

/** The whole terminal interface in a process of its own, on a terminal that takes everything and counts it. */

export type TuiOrder =
  /** Opens it at this size and presses these keys. */
  | { readonly do: "open"; readonly columns: number; readonly rows: number; readonly keys: string }
  /** Tells what it took since the last time. */
  | { readonly do: "count" }
  | { readonly do: "close" };

export type Counted = { readonly cpuMs: number; readonly bytes: number; readonly writes: number };

const [socketPath = ""] = process.argv.slice(2);
const nothing = () => () => {};
let counted = { bytes: 0, writes: 0 };
let before = process.cpuUsage();
let input = new PassThrough();
let closed = Promise.resolve();

const openConnection = () => connect({ socketPath, client: "tui" });

async function open({ columns, rows, keys }: Extract<TuiOrder, { do: "open" }>): Promise<void> {
  input = new PassThrough();
  const output = Object.assign(new EventEmitter(), {
    columns,
    rows,
    write(text: string): boolean {
      counted = { bytes: counted.bytes + Buffer.byteLength(text), writes: counted.writes + 1 };
      return true;
    },
  });
  const around: Surroundings = {
    input,
    output,
    writeNow: (text) => void output.write(text),
    after(ms, call) {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
    onSignal: nothing,
    onLeave: nothing,
    onContinue: nothing,
    onStray: nothing,
    stop: () => {},
    hangUp: () => {},
    exit: () => {},
  };
  const looks = { colours: true, ascii: false, mouse: false, title: "bench" };
  closed = runTui({
    connection: await openConnection(),
    open: openConnection,
    framesPerSecond: 20,
    showOn: (onStray) => openScreen({ ...looks, onStray }, around),
  });
  for (const key of keys) input.write(key);
}

function count(): Counted {
  const { user, system } = process.cpuUsage(before);
  const told = { ...counted, cpuMs: (user + system) / 1000 };
  before = process.cpuUsage();
  counted = { bytes: 0, writes: 0 };
  return told;
}

answerParent(async (message) => {
  const order = message as TuiOrder;
  if (order.do === "count") return count();
  if (order.do === "open") await open(order);
  else {
    input.write("\u0003");
    await closed;
  }
  return {};
});
