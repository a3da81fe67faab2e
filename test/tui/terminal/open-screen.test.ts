import { describe, expect, it } from "vitest";
import { own, safe } from "../../../src/tui/frame/safe-text.ts";
import { openHeadlessScreen } from "../../support/headless-screen.ts";

describe("the screen", () => {
  it("shows what is drawn, with its looks", async () => {
    const { screen, terminal } = openHeadlessScreen({ columns: 30, rows: 4 });
    screen.draw({
      lines: [
        [{ text: own`┌────┐` }],
        [
          { text: own`│` },
          { text: safe("漢😀"), style: { fg: "red", bold: true } },
          { text: own`│` },
        ],
      ],
      cursor: { x: 2, y: 1 },
    });
    expect(await terminal.lines()).toEqual(["┌────┐", "│漢😀│", "", ""]);
    expect(await terminal.cell(1, 1)).toMatchObject({ text: "漢", width: 2, fg: 1, bold: true });
    expect(await terminal.cell(5, 1)).toMatchObject({ text: "│", fg: undefined, bold: false });
    expect(await terminal.cursor()).toEqual({ x: 2, y: 1 });
  });

  it("hears keys and pastes apart", () => {
    const { terminal, heard, process } = openHeadlessScreen();
    terminal.keys("\u001b[Aj\u0003😀\r");
    terminal.paste("q\ny");
    terminal.keys("\u001b");
    expect(heard.keys).toEqual(["up", "j", "C-c", "😀", "enter"]);
    process.clock.advance(30);
    expect(heard.keys.slice(5)).toEqual(["escape"]);
    expect(heard.pastes).toEqual(["q\ny"]);
  });
});
