import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputDecoder, type InputEvent } from "../../../src/tui/terminal/input-decoder.ts";

function told(found: readonly InputEvent[]): string[] {
  return found.map((each) => {
    if (each.kind === "key") return each.key.name;
    if (each.kind === "paste") return `paste(${each.text})`;
    return `${each.click.kind}(${each.click.x},${each.click.y})`;
  });
}

function decode(...chunks: string[]): string[] {
  const decoder = new InputDecoder();
  const found = chunks.flatMap((chunk) => decoder.feed(chunk));
  return told([...found, ...decoder.expire()]);
}

describe("keys", () => {
  it.each([
    ["arrows", "\u001b[A\u001b[B\u001b[C\u001b[D\u001bOA\u001bOD", "up down right left up left"],
    [
      "home and end",
      "\u001b[H\u001b[F\u001bOH\u001b[1~\u001b[4~\u001b[7~\u001b[8~",
      "home end home home end home end",
    ],
    [
      "pages, delete, insert",
      "\u001b[5~\u001b[6~\u001b[3~\u001b[2~",
      "pageup pagedown delete insert",
    ],
    ["F1 to F4", "\u001bOP\u001bOQ\u001bOR\u001bOS\u001b[11~\u001b[[A", "f1 f2 f3 f4 f1 f1"],
    [
      "F5 to F12",
      "\u001b[15~\u001b[17~\u001b[18~\u001b[19~\u001b[20~\u001b[21~\u001b[23~\u001b[24~",
      "f5 f6 f7 f8 f9 f10 f11 f12",
    ],
    ["with Ctrl", "\u0001\u0003\u001a\n\u0000\u001c\u001f", "C-a C-c C-z C-j C-space C-\\ C-_"],
    [
      "with Alt",
      "\u001bx\u001b\r\u001b\u007f\u001b[1;3A\u001b\u001b[B\u001b\u0001",
      "M-x M-enter M-backspace M-up M-down C-M-a",
    ],
    ["with Shift", "\u001b[Z\u001b[1;2C\u001b[3;2~\u001b[a", "S-tab S-right S-delete S-up"],
    [
      "with several",
      "\u001b[1;5D\u001b[1;6D\u001b[5;7~\u001bOc",
      "C-left C-S-left C-M-pageup C-right",
    ],
    ["enter, tab, backspace", "\r\t\u007f\b", "enter tab backspace backspace"],
    ["what is typed", "aZ/é漢😀", "a Z / é 漢 😀"],
  ])("%s", (_name, sent, names) => {
    expect(decode(sent).join(" ")).toBe(names);
  });

  it("type themselves, or nothing", () => {
    const [typed, space, enter, alt] = new InputDecoder().feed("漢 \r\u001bx");
    expect([typed, space, enter, alt]).toEqual([
      { kind: "key", key: { name: "漢", text: "漢" } },
      { kind: "key", key: { name: " ", text: " " } },
      { kind: "key", key: { name: "enter" } },
      { kind: "key", key: { name: "M-x" } },
    ]);
  });

  it.each([
    ["a cursor report and unknown keys", "\u001b[12;40R\u001b[99~\u001b[?1;2c"],
    [
      "colours that another program asked for",
      "\u001b]11;rgb:ffff/ffff/ffff\u0007\u001b]10;q\u001b\\\u001bP1$r0m\u001b\\",
    ],
    ["focus and old mouse reports", "\u001b[I\u001b[O\u001b[M !!"],
    ["C1 controls", "\u0080\u009b\u009f"],
  ])("are not %s", (_name, sent) => {
    expect(decode(sent)).toEqual([]);
  });
});

describe("Escape", () => {
  it("is a key once nothing follows for a while", () => {
    const decoder = new InputDecoder();
    expect(decoder.feed("\u001b")).toEqual([]);
    expect(decoder.isHolding).toBe(true);
    expect(told(decoder.expire())).toEqual(["escape"]);
    expect(decoder.isHolding).toBe(false);
  });

  it("twice is two keys; before an arrow that comes at once it is Alt", () => {
    expect(decode("\u001b\u001b")).toEqual(["escape", "escape"]);
    expect(decode("\u001b", "\u001b[A")).toEqual(["M-up"]);
  });

  it("begins a sequence whose rest comes later", () => {
    expect(decode("\u001b", "[", "1;5", "C")).toEqual(["C-right"]);
  });

  it("with a bracket is Alt with it, and a torn sequence is nothing", () => {
    expect(decode("\u001b[")).toEqual(["M-["]);
    expect(decode("\u001b]")).toEqual(["M-]"]);
    expect(decode("\u001b[12;4")).toEqual([]);
    expect(decode("\u001b]11;rgb:ff")).toEqual([]);
  });
});

describe("a paste", () => {
  const pasted = "q\u001b[Ay\r\nd\u001b[201\u0003漢😀\r";
  const sent = `x\u001b[200~${pasted}\u001b[201~z`;

  it("is never a key, wherever it is split", () => {
    const expected = ["x", "paste(q\u001b[Ay\nd\u001b[201\u0003漢😀\n)", "z"];
    for (let at = 0; at <= sent.length; at++) {
      expect(decode(sent.slice(0, at), sent.slice(at))).toEqual(expected);
    }
    expect(decode(...Array.from(sent))).toEqual(expected);
  });

  it("is never a key, into however many pieces of whatever kind it is split", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from("ab\r\u001b[20~1;\u0003漢A")) }),
        fc.array(fc.nat(60)),
        (text, cuts) => {
          const clean = text.replaceAll("\u001b[201~", "");
          const whole = `\u001b[200~${clean}\u001b[201~`;
          const places = [0, ...cuts.toSorted((one, other) => one - other), whole.length];
          const chunks = places.slice(1).map((end, at) => whole.slice(places[at], end));
          expect(decode(...chunks)).toEqual([`paste(${clean.replaceAll(/\r\n?/g, "\n")})`]);
        },
      ),
    );
  });

  it("is cut at a MiB; what follows it is a key again", () => {
    const decoder = new InputDecoder();
    const found = ["\u001b[200~", ..."x".repeat(40).replaceAll("x", "y").split("")].flatMap(
      (chunk) => decoder.feed(chunk.repeat(chunk === "y" ? 1 << 16 : 1)),
    );
    const [paste, key] = [...found, ...decoder.feed("\u001b[201~q")];
    expect(paste?.kind === "paste" && paste.text.length).toBe(1 << 20);
    expect(told(key === undefined ? [] : [key])).toEqual(["q"]);
  });

  it("whose end was lost is ended by Ctrl-C after a silence, and by nothing else", () => {
    const decoder = new InputDecoder();
    for (const chunk of ["\u001b[200~ab", "\u0003"]) expect(decoder.feed(chunk)).toEqual([]);
    decoder.stall();
    expect(decoder.feed("\u0003\u0003q")).toEqual([]);
    expect(decoder.feed("\u0003")).toEqual([]);
    decoder.stall();
    expect(told(decoder.feed("\u0003"))).toEqual(["paste(ab\u0003\u0003\u0003q\u0003)"]);
    expect(told(decoder.feed("q"))).toEqual(["q"]);
  });
});

describe("the mouse", () => {
  it("tells presses of the first button and turns of the wheel, all of a chunk", () => {
    expect(
      decode(
        "\u001b[<0;1;1M\u001b[<0;1;1m\u001b[<64;200;60M\u001b[<65;3;4M\u001b[<2;5;5M\u001b[<32;6;6M",
      ),
    ).toEqual(["press(0,0)", "wheelup(199,59)", "wheeldown(2,3)"]);
  });
});

describe("any input", () => {
  it("gives the same keys in one piece as byte by byte", () => {
    const part = fc.constantFrom(
      "\u001b[A",
      "\u001bOP",
      "a",
      "漢",
      "\u001b[200~p\u001b[201~",
      "\u001b[<0;2;3M",
      "\r",
      "\u001bx",
      "\u001b[1;5C",
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const whole = parts.join("");
        expect(decode(...Array.from(whole))).toEqual(decode(whole));
      }),
    );
  });

  it("of bytes that mean nothing is survived", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary", maxLength: 6 }), { maxLength: 8 }),
        (chunks) => {
          expect(decode(...chunks)).not.toContain("");
        },
      ),
    );
  });
});
