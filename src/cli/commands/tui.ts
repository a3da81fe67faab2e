import { InvalidArgumentError, Option } from "commander";
import { connect } from "../../client/connection.ts";
import { AgentError } from "../../schema/errors.ts";
import { defineCommand, streamed } from "../command.ts";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { isColoured } from "../output/style.ts";
import { isInteractive } from "../terminal.ts";

type TuiOptions = {
  readonly ascii?: boolean;
  readonly mouse?: boolean;
  readonly bell?: boolean;
  readonly fps?: number;
};

const usualFps = 20;

export const tui = defineCommand<[], TuiOptions>({
  usage: "tui",
  summary: "watch and poke everything that lives, on the whole screen",
  example: "tui",
  exits: [exitCodes.interrupted],
  options: [
    new Option("--ascii", "draw with ASCII characters only"),
    new Option("--mouse", "take clicks and the wheel; then the terminal selects no text itself"),
    new Option("--bell", "ring the terminal's bell when something waits for you"),
    new Option("--fps <frames>", "frames a second at most; fewer are kinder to a slow line")
      .argParser(framesOf)
      .default(usualFps),
  ],
  async work(context, _args, options) {
    if (context.json || !isInteractive(context.terminal)) {
      throw new AgentError("usage", "The interface needs a terminal, for input and output.", {
        hint: "`statehive actors watch`, `statehive chat` and the other commands work without one",
      });
    }
    await showTui(context, options);
    return streamed(exitCodes.ok);
  },
});

/** Attaches to the service that runs; it goes on when the person leaves. */
export async function showTui(context: CommandContext, options: TuiOptions): Promise<void> {
  const { paths, timeoutMs, style } = context;
  const open = () => connect({ socketPath: paths.socket, client: "tui", timeoutMs });
  const connection = await open();
  const { runTui } = await import("../../tui/run-tui.ts");
  const { openScreen } = await import("../../tui/terminal/open-screen.ts");
  const { processSurroundings } = await import("../../tui/terminal/process-surroundings.ts");
  const { ascii = false, mouse = false, bell: bells = false, fps = usualFps } = options;
  const looks = { colours: isColoured(style), ascii, mouse, title: "statehive" };
  await runTui({
    connection,
    open,
    framesPerSecond: fps,
    bells,
    showOn: (onStray) => openScreen({ ...looks, onStray }, processSurroundings(context.terminal)),
  });
}

function framesOf(text: string): number {
  const frames = Number(text);
  if (Number.isInteger(frames) && frames >= 1 && frames <= 60) return frames;
  throw new InvalidArgumentError("It is a whole number from 1 to 60.");
}
