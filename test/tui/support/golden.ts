import { join } from "node:path";
import { expect } from "vitest";
import { openHeadlessScreen } from "../../support/headless-screen.ts";
import { stage, type StageOptions } from "./stage.ts";

/** Sizes of terminals that every view must be good at. */
const sizes = [
  { columns: 60, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
] as const;

const folder = join(import.meta.dirname, "..", "golden");

type Acting = (on: ReturnType<typeof stage>) => Promise<void>;

/** What a terminal of each size shows after some keys, held to test/tui/golden/NAME-SIZE.txt. */
export async function expectGolden(
  name: string,
  options: StageOptions,
  act: Acting,
): Promise<void> {
  for (const size of sizes) {
    const { screen, terminal } = openHeadlessScreen(size);
    const shown = stage({ ...options, on: screen });
    await shown.settled();
    await act(shown);
    const rows = await terminal.lines();
    const file = join(folder, `${name}-${size.columns}x${size.rows}.txt`);
    await expect(`${rows.join("\n")}\n`).toMatchFileSnapshot(file);
    screen.close();
  }
}
