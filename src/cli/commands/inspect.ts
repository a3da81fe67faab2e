import { join } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { AgentError } from "../../schema/errors.ts";
import { defineCommand, streamed } from "../command.ts";
import { asking, type CommandContext, openConnection } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { printLine } from "../output/print-answer.ts";
import { shown } from "../../text/shown.ts";

type InspectFlags = {
  readonly offline?: boolean;
  readonly port: number;
  readonly ui: string;
};

const statelyInspector = "https://stately.ai/inspect";

/** With --json: one line, `{"type":"inspector.ready","url","port","address","hosted"}`. */
export const inspect = defineCommand<[address: string | undefined], InspectFlags>({
  usage: "inspect [address]",
  summary: "a page on this machine that shows the actors live, in their charts; Ctrl-C ends it",
  example: "inspect",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.interrupted],
  options: [
    new Option("--offline", "do not offer to hand what is shown to the Stately Inspector"),
    new Option("--port <number>", "the port on 127.0.0.1; 0: any that is free")
      .argParser(portNumber)
      .default(0),
    new Option("--ui <url>", "another page that speaks Stately's inspector protocol")
      .argParser(pageUrl)
      .default(statelyInspector),
  ],
  async work(context, [address = ""], { offline = false, port, ui }) {
    const { terminal, json } = context;
    await lookFor(context, address);
    const interrupted = new Promise<void>((resolve) => {
      terminal.onSignal(() => resolve());
    });
    const hosted = offline ? null : ui;
    const server = await serve(context, { address, port, hosted });
    const ready = { type: "inspector.ready", url: server.url, port: server.port, address, hosted };
    printLine(terminal.stdout, json ? JSON.stringify(ready) : textOf(server.url, address));
    context.note(noteOf(hosted));
    await interrupted;
    await server.close();
    return streamed(exitCodes.interrupted);
  },
});

/** The service is there and, where one is named, the actor lives.
 *  @throws AgentError service.not_running, actor.not_found, actor.ended */
async function lookFor(context: CommandContext, address: string): Promise<void> {
  await asking(context, async ({ call }) => {
    if (address === "") return;
    const { status } = await call("actor.get", { address });
    if (status === "active" || status === "quarantined") return;
    throw new AgentError("actor.ended", `${shown(address)} has ended: it is ${status}.`);
  });
}

type Served = { readonly address: string; readonly port: number; readonly hosted: string | null };

async function serve(context: CommandContext, served: Served) {
  const { serveInspector } = await import("../../web/inspector-server.ts");
  const { chartPicture, listCharts, showChart } = await import("../../app/charts.ts");
  const { packageRoot } = await import("../../config/home.ts");
  const charts = listCharts().map(({ name, version }) => ({
    name,
    version,
    svg: chartPicture(name),
    definition: JSON.stringify(showChart(name).config),
  }));
  const built = join(packageRoot(), "dist");
  return serveInspector({ ...served, charts, built, connect: () => openConnection(context) });
}

function textOf(url: string, address: string): string {
  const what = address === "" ? "all actors" : `${shown(address)} and the actors below it`;
  return `The inspector shows ${what}:\n  ${url}`;
}

function noteOf(hosted: string | null): string {
  const about =
    "Open it in a browser on this machine. It changes nothing; whoever has the address can watch until Ctrl-C ends this command.";
  if (hosted === null) return `${about}\nNothing is offered to the Stately Inspector.`;
  const { host } = new URL(hosted);
  return `${about}\nThe charts are drawn here. ${host} gets nothing, unless you press "Stately Inspector" in the page.`;
}

function portNumber(given: string): number {
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a port: a whole number from 0 to 65535.");
}

/** What is handed over crosses no network in the clear. */
function pageUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isLocal = url?.hostname === "127.0.0.1" || url?.hostname === "localhost";
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLocal)) return url.href;
  throw new InvalidArgumentError("It must be an https URL, or an http one on this machine.");
}
