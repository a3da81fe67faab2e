import { describe, expect, it } from "vitest";
import type { Frame } from "../../../src/tui/frame/frame.ts";
import { own, safe, type SafeText } from "../../../src/tui/frame/safe-text.ts";
import { openHeadlessScreen } from "../../support/headless-screen.ts";

function picture(...texts: SafeText[]): Frame {
  return { lines: texts.map((text) => [{ text }]), cursor: null };
}

const restored =
  "\u001b[m\u001b[r\u001b[?1006l\u001b[?1000l\u001b[8h\u001b[?2004l\u001b[?25h\u001b[?1049l\u001b[23;0t";

describe("what is drawn", () => {
  it("is shown with its looks and its cursor", async () => {
    const { screen, terminal } = openHeadlessScreen({ columns: 30, rows: 4 });
    screen.draw({
      lines: [
        [{ text: own`┌────┐` }],
        [
          { text: own`│` },
          { text: safe("漢😀"), style: { fg: "red", bold: true } },
          { text: own`│` },
        ],
        [
          { text: own`faint`, style: { dim: true } },
          { text: own` `, style: { bg: "blue", inverse: true } },
        ],
      ],
      cursor: { x: 2, y: 1 },
    });
    expect(await terminal.lines()).toEqual(["┌────┐", "│漢😀│", "faint", ""]);
    expect(await terminal.cell(1, 1)).toMatchObject({ text: "漢", width: 2, fg: 1, bold: true });
    expect(await terminal.cell(5, 1)).toMatchObject({ text: "│", fg: undefined, bold: false });
    expect(await terminal.cell(0, 2)).toMatchObject({ text: "f", fg: 8 });
    expect(await terminal.cell(5, 2)).toMatchObject({ bg: 4, inverse: true });
    expect(await terminal.cursor()).toEqual({ x: 2, y: 1 });
  });

  it("has no colours where they are off, only bold, inverse and underlined", async () => {
    const { screen, terminal } = openHeadlessScreen({ colours: false });
    const style = {
      fg: "red",
      bg: "blue",
      bold: true,
      inverse: true,
      underline: true,
      dim: true,
    } as const;
    screen.draw({ lines: [[{ text: own`x`, style }]], cursor: null });
    expect(await terminal.cell(0, 0)).toEqual({
      text: "x",
      width: 1,
      fg: undefined,
      bg: undefined,
      bold: true,
      inverse: true,
      underline: true,
    });
  });

  it("is ASCII alone where that is asked for", async () => {
    const { screen, terminal } = openHeadlessScreen({ ascii: true, title: "hive 漢 ●" });
    screen.draw(picture(own`┌─┬┐ ●▶▾✓…▣`, safe("漢é😀x👩‍👩‍👧‍👦|"), own`└─┴┘`));
    expect((await terminal.lines()).slice(0, 3)).toEqual(["+-++ *>vv~#", "?????x??|", "+-++"]);
    expect(terminal.written()).toMatch(/^[\u0007\u001b -~]*$/);
    expect(terminal.written()).toContain("\u001b]0;hive ?? *\u0007");
  });

  it("ends where the screen does, also in the middle of a wide character", async () => {
    const { screen, terminal } = openHeadlessScreen({ columns: 4, rows: 2 });
    screen.draw(picture(own`abc漢z`, own`漢漢漢`, own`below`));
    expect(await terminal.lines()).toEqual(["abc", "漢漢"]);
  });

  it("is sent once: nothing for the same picture, one row for one that changed", () => {
    const { screen, terminal } = openHeadlessScreen();
    screen.draw(picture(own`one`, own`two`));
    const before = terminal.written();
    screen.draw(picture(own`one`, own`two`));
    expect(terminal.written()).toBe(before);
    screen.draw(picture(own`one`, own`tWo`));
    expect(terminal.written().slice(before.length)).toBe("\u001b7\u001b[2;1H\u001b[1CW\u001b8");
  });

  it("shows and hides the cursor", () => {
    const { screen, terminal } = openHeadlessScreen();
    const frames: Frame[] = [{ x: 3, y: 1 }, { x: 4, y: 1 }, null, null].map((cursor) => ({
      lines: [],
      cursor,
    }));
    const sent = frames.map((frame) => {
      const before = terminal.written().length;
      screen.draw(frame);
      return terminal.written().slice(before);
    });
    expect(sent).toEqual(["\u001b[2;4H\u001b[?25h", "\u001b[2;5H\u001b[?25h", "\u001b[?25l", ""]);
  });
});

describe("the terminal", () => {
  it("is taken with bracketed paste and another screen, without the mouse, under a cleaned title", () => {
    const { terminal } = openHeadlessScreen({ title: "hive \u001b]52;c;x\u0007" });
    expect(terminal.isRaw()).toBe(true);
    expect(terminal.written()).toBe(
      "\u001b[22;0t\u001b[?1049h\u001b]0;hive \\x1b]52;c;x\\x07\u0007\u001b[?2004h\u001b[8l\u001b[?25l\u001b[m\u001b[H\u001b[2J",
    );
  });

  it("is told of the mouse where that is asked for: presses and the wheel", () => {
    const { terminal, heard } = openHeadlessScreen({ mouse: true });
    expect(terminal.written()).toContain("\u001b[?1000h\u001b[?1006h");
    terminal.keys("\u001b[<0;3;2M\u001b[<64;1;1M");
    expect(heard.clicks).toEqual([
      { kind: "press", x: 2, y: 1 },
      { kind: "wheelup", x: 0, y: 0 },
    ]);
  });

  it("is given back once, however often it is closed", () => {
    const { screen, terminal, process } = openHeadlessScreen();
    const before = terminal.written().length;
    screen.close();
    screen.close();
    screen.draw(picture(own`late`));
    screen.bell();
    expect(terminal.written().slice(before)).toBe(restored);
    expect(terminal.isRaw()).toBe(false);
    expect(
      [process.signals, process.leaving, process.continued, process.stray].map(
        ({ count }) => count,
      ),
    ).toEqual([0, 0, 0, 0]);
    terminal.keys("q");
    expect(terminal.output.listenerCount("resize")).toBe(0);
  });

  it.each([
    ["SIGTERM", "exited with 143"],
    ["SIGINT", "exited with 130"],
  ] as const)("is given back on %s", (signal, outcome) => {
    const { terminal, process } = openHeadlessScreen();
    process.signals.tell(signal);
    expect(terminal.written()).toContain(restored);
    expect(process.did).toEqual([outcome]);
  });

  it("is given back before the process ends, for whatever reason", () => {
    const { terminal, process } = openHeadlessScreen();
    process.leaving.tell();
    expect(terminal.written()).toContain(restored);
  });

  it.each([
    [
      "SIGHUP",
      ({ process }: ReturnType<typeof openHeadlessScreen>) => process.signals.tell("SIGHUP"),
    ],
    [
      "the end of the input",
      ({ terminal }: ReturnType<typeof openHeadlessScreen>) => terminal.input.emit("end"),
    ],
    [
      "a write that fails",
      ({ terminal }: ReturnType<typeof openHeadlessScreen>) =>
        terminal.output.emit("error", new Error("EIO")),
    ],
  ])("is let go at %s, and the process hangs up", (_name, lose) => {
    const opened = openHeadlessScreen();
    lose(opened);
    const before = opened.terminal.written();
    expect(before.endsWith(restored)).toBe(true);
    opened.screen.draw(picture(own`late`));
    opened.screen.close();
    expect(opened.terminal.written()).toBe(before);
    expect(opened.process.did).toEqual(["hung up"]);
  });

  it("goes to the shell and comes back, whatever the shell left in it", async () => {
    const { screen, terminal, process, heard } = openHeadlessScreen({ columns: 20, rows: 3 });
    screen.draw(picture(own`before`));
    const before = terminal.written().length;
    screen.suspend();
    expect(process.did).toEqual(["stopped"]);
    expect(terminal.written().slice(before)).toMatch(
      /^\u001b\[m\u001b\[r.*\u001b\[\?1049l.*\u001b\[\?1049h.*\u001b\[2J$/s,
    );
    expect(terminal.isRaw()).toBe(true);
    expect(heard.resizes).toBe(1);
    screen.draw(picture(own`before`));
    expect(await terminal.lines()).toEqual(["before", "", ""]);
    process.continued.tell();
    screen.draw(picture(own`before`));
    expect(await terminal.lines()).toEqual(["before", "", ""]);
    expect(terminal.written().split("\u001b[?1049h")).toHaveLength(3);
  });

  it("is drawn anew in another size", async () => {
    const { screen, terminal, heard } = openHeadlessScreen({ columns: 30, rows: 5 });
    screen.draw(picture(own`┌──────┐`, own`│      │`));
    terminal.resize(9, 2);
    expect(screen.size()).toEqual({ columns: 9, rows: 2 });
    expect(heard.resizes).toBe(1);
    screen.draw(picture(own`┌──────┐`, own`│漢漢漢│`));
    expect(await terminal.lines()).toEqual(["┌──────┐", "│漢漢漢│"]);
    terminal.resize(40, 4);
    screen.draw(picture(own`┌──────┐`, own`│漢漢漢│`, own`└──────┘`));
    expect(await terminal.lines()).toEqual(["┌──────┐", "│漢漢漢│", "└──────┘", ""]);
  });

  it("is sent the whole picture again after a refresh", async () => {
    const { screen, terminal } = openHeadlessScreen({ columns: 20, rows: 2 });
    screen.draw(picture(own`ours`));
    terminal.output.write("\u001b[Hsmeared\r\nby others");
    screen.refresh();
    screen.draw(picture(own`ours`));
    expect(await terminal.lines()).toEqual(["ours", ""]);
  });

  it("rings", () => {
    const { screen, terminal } = openHeadlessScreen();
    screen.bell();
    expect(terminal.written().endsWith("\u0007")).toBe(true);
  });

  it("is not printed on by others: their words are told", () => {
    const { process, strayed, terminal } = openHeadlessScreen();
    const before = terminal.written();
    process.stray.tell("DeprecationWarning: old");
    expect(strayed).toEqual(["DeprecationWarning: old"]);
    expect(terminal.written()).toBe(before);
  });
});

describe("what is typed", () => {
  it("is heard as keys, and pastes apart from them", () => {
    const { terminal, heard, process } = openHeadlessScreen();
    terminal.keys("\u001b[Aj\u0003😀\r");
    terminal.paste("q\ny");
    process.clock.advance(100);
    terminal.keys("\u001b");
    expect(heard.keys).toEqual(["up", "j", "C-c", "😀", "enter"]);
    process.clock.advance(29);
    expect(heard.keys).toHaveLength(5);
    process.clock.advance(1);
    expect(heard.keys.slice(5)).toEqual(["escape"]);
    expect(heard.pastes).toEqual(["q\ny"]);
  });

  it("may come in any pieces, also in the middle of a character", () => {
    const { terminal, heard } = openHeadlessScreen();
    for (const byte of Buffer.from("é😀\u001b[1;5C\u001b[200~漢\u001b[201~")) {
      terminal.input.emit("data", Buffer.from([byte]));
    }
    expect(heard.keys).toEqual(["é", "😀", "C-right"]);
    expect(heard.pastes).toEqual(["漢"]);
  });

  it("is not what stands behind an end mark inside of a paste, in one piece or in several", () => {
    const { terminal, heard, process } = openHeadlessScreen();
    terminal.keys("\u001b[200~harmless\u001b[201~y\u0003\u001b[<0;5;5My");
    process.clock.advance(99);
    terminal.keys("y\r");
    process.clock.advance(99);
    terminal.keys("q\u001b[201~");
    expect([heard.pastes, heard.keys]).toEqual([["harmless"], []]);
    process.clock.advance(100);
    terminal.keys("n");
    expect(heard.keys).toEqual(["n"]);
  });

  it("gets the keyboard back with Ctrl-C where the end of a paste was lost", () => {
    const { terminal, heard, process } = openHeadlessScreen();
    terminal.keys("\u001b[200~lost");
    process.clock.advance(1_000);
    terminal.keys("\u0003");
    process.clock.advance(100);
    terminal.keys("q");
    expect([heard.pastes, heard.keys]).toEqual([["lost"], ["q"]]);
  });
});
