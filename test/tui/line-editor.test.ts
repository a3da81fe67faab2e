import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textOf } from "./support/stage.ts";
import { LineEditor } from "../../src/tui/widgets/line-editor.ts";

function typed(editor: LineEditor, ...keys: string[]) {
  for (const name of keys) editor.key(name.length === 1 ? { name, text: name } : { name });
  return editor.text;
}

const rowsOf = (editor: LineEditor, width: number, rows?: number) => {
  const { lines, cursor } = editor.draw(width, rows);
  return { rows: textOf({ lines, cursor: null }), cursor };
};

describe("a text field", () => {
  it("takes what is typed where the cursor stands", () => {
    const editor = new LineEditor();
    expect(typed(editor, "a", "c", "left", "b")).toBe("abc");
    expect(typed(editor, "home", "x", "end", "y")).toBe("xabcy");
    expect(typed(editor, "C-a", "right", "delete", "C-e", "backspace")).toBe("xbc");
    expect(typed(editor, "left", "C-k")).toBe("xb");
    expect(typed(editor, "C-u")).toBe("");
  });

  it("deletes a word, and what looks like one character as one", () => {
    const editor = new LineEditor({ text: "send 👨‍👩‍👧 home é" });
    expect(typed(editor, "backspace", "backspace")).toBe("send 👨‍👩‍👧 home");
    expect(typed(editor, "C-w", "backspace", "backspace")).toBe("send ");
    expect(typed(editor, "left", "left")).toBe("send ");
  });

  it("leaves keys alone that are not for a text field", () => {
    const editor = new LineEditor();
    const keys = ["enter", "escape", "tab", "f1", "C-c", "up", "C-j"];
    expect(keys.filter((name) => editor.key({ name }))).toEqual([]);
  });

  it("pastes on one line unless it has several", () => {
    const one = new LineEditor();
    one.paste("rm -rf x\ny\n");
    expect(one.text).toBe("rm -rf x y ");
    const many = new LineEditor({ multiline: true });
    many.paste("a\nb");
    expect(typed(many, "C-j", "c", "home", "d", "up")).toBe("a\nb\ndc");
  });

  it("recalls what was sent, and gives back what was begun", () => {
    const editor = new LineEditor({ history: ["first"] });
    typed(editor, "s", "e", "c");
    expect(editor.take()).toBe("sec");
    typed(editor, "d");
    expect(typed(editor, "up")).toBe("sec");
    expect(typed(editor, "up", "up")).toBe("first");
    expect(typed(editor, "down", "down")).toBe("d");
  });

  it("shows the rows around the cursor, wide characters whole", () => {
    const editor = new LineEditor({ multiline: true, text: "漢字漢字a\nzz" });
    expect(rowsOf(editor, 5, 9)).toEqual({ rows: ["漢字", "漢字a", "zz"], cursor: { x: 2, y: 2 } });
    expect(rowsOf(editor, 5, 2)).toEqual({ rows: ["漢字a", "zz"], cursor: { x: 2, y: 1 } });
    expect(rowsOf(new LineEditor({ text: "abcde" }), 5, 9).cursor).toEqual({ x: 0, y: 1 });
  });

  it("keeps the cursor inside what is drawn, whatever is typed and wherever it stands", () => {
    const key = fc.constantFrom(
      "left",
      "right",
      "home",
      "end",
      "backspace",
      "delete",
      "C-w",
      "C-j",
      "a",
      "漢",
      "é",
      "\u001b",
    );
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 40 }),
        fc.integer({ min: 2, max: 9 }),
        (keys, width) => {
          const editor = new LineEditor({ multiline: true });
          for (const name of keys) {
            typed(editor, name);
            const { rows, cursor } = rowsOf(editor, width, 3);
            expect(rows.length).toBeLessThanOrEqual(3);
            expect(cursor?.x).toBeLessThan(width);
            expect(cursor?.y).toBeLessThan(3);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
