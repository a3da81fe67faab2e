import type { Environment } from "../../config/environment.ts";
import type { Output } from "../terminal.ts";

type Paint = (text: string) => string;

export type Style = {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
};

const plain: Paint = (text) => text;

export const plainStyle: Style = {
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  cyan: plain,
};

const colourStyle: Style = {
  bold: paint(1, 22),
  dim: paint(2, 22),
  red: paint(31, 39),
  green: paint(32, 39),
  yellow: paint(33, 39),
  cyan: paint(36, 39),
};

export function isColoured(style: Style): boolean {
  return style === colourStyle;
}

export type StyleWanted = {
  readonly output: Output;
  readonly env: Environment;
  /** False for --no-color. */
  readonly color: boolean;
};

/** Colour on a terminal that can show it, or where FORCE_COLOR wants it; never for somebody who refused it. */
export function styleFor({ output, env, color }: StyleWanted): Style {
  if (!color || (env["NO_COLOR"] ?? "") !== "") return plainStyle;
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") return forced === "0" ? plainStyle : colourStyle;
  return output.isTTY === true && env["TERM"] !== "dumb" ? colourStyle : plainStyle;
}

function paint(open: number, close: number): Paint {
  return (text) => `\u001b[${open}m${text}\u001b[${close}m`;
}
