import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openTmux, prompt, type Tmux } from "../support/tmux.ts";

const root = join(import.meta.dirname, "..", "..");
const program = `${process.execPath} --import tsx ${join(root, "test/support/screen-demo.ts")}`;
const asItWas = { alternate: false, cursor: true, mouse: false };

async function startDemo(texts: readonly string[] = [], env: Record<string, string> = {}) {
  const pidFile = join(mkdtempSync(join(tmpdir(), "demo-")), "pid");
  const tmux = openTmux({ cwd: root, env });
  await tmux.expectText(prompt);
  tmux.run("echo before");
  await tmux.expectText(/^before$/m);
  const quoted = texts.map((text) => `'${text}'`).join(" ");
  tmux.run(`clear; echo before; ${program} ${pidFile} ${quoted}; echo "ended with $?"`);
  await tmux.expectText("size 80x24");
  const pid = (): number => Number(readFileSync(pidFile, "utf8"));
  await tmux.waitFor(() => expect(pid()).toBeGreaterThan(0));
  return { tmux, pid };
}

/** The shell is there again, its text stands where it stood, and what is typed is shown once. */
async function expectUsable(tmux: Tmux): Promise<void> {
  expect(tmux.modes()).toEqual(asItWas);
  expect(tmux.lines()[0]).toBe("before");
  tmux.run("echo us''able; stty -a | grep -o ' echo '");
  await tmux.expectText(/^usable\n echo$/m);
  tmux.paste("pasted");
  await tmux.expectText(/ready\$ pasted$/m);
}

/** One that nobody has waited for yet has ended, too. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** What comes right behind a paste is no key: it is pressed again, as a person would, with a pause. */
function pressUntil(
  tmux: Awaited<ReturnType<typeof startDemo>>["tmux"],
  key: string,
  shown: string,
) {
  const press = () => {
    if (tmux.text().includes(shown)) return;
    tmux.keys(key);
    throw new Error(`${key} is not heard yet: ${tmux.text()}`);
  };
  return vi.waitFor(press, { interval: 400 });
}

describe("a program on the screen of a real terminal", () => {
  it("shows its picture on another screen, without the cursor, and leaves it", async () => {
    const { tmux } = await startDemo();
    expect(tmux.modes()).toEqual({ alternate: true, cursor: false, mouse: false });
    expect(tmux.lines()[23]).toBe("~");
    tmux.keys("q");
    await tmux.expectText("ended with 0");
    await expectUsable(tmux);
  });

  it.each([
    ["a fault", "c", "fault: thrown"],
    ["a rejection that nobody handles", "r", "fault: rejected"],
  ])("gives the terminal back after %s, and says what it was", async (_name, key, said) => {
    const { tmux } = await startDemo();
    tmux.keys(key);
    await tmux.expectText("ended with 70");
    expect(tmux.text()).toContain(said);
    await expectUsable(tmux);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("gives the terminal back on %s", async (signal, code) => {
    const { tmux, pid } = await startDemo();
    process.kill(pid(), signal);
    await tmux.expectText(`ended with ${code}`);
    await expectUsable(tmux);
  });

  it("dies of a hang-up like any program, and gives back a terminal that is still there", async () => {
    const { tmux, pid } = await startDemo();
    process.kill(pid(), "SIGHUP");
    await tmux.expectText("ended with 129");
    await expectUsable(tmux);
  });

  it("ends when its terminal is closed", async () => {
    const { tmux, pid } = await startDemo();
    const running = pid();
    tmux.kill();
    await tmux.waitFor(() => expect(isRunning(running)).toBe(false));
  });

  it("goes to the shell with the whole job, and comes back to its picture", async () => {
    const { tmux } = await startDemo();
    tmux.keys("z");
    await tmux.expectText("Stopped");
    expect(tmux.modes()).toEqual(asItWas);
    tmux.run("echo meanwhile");
    await tmux.expectText(/^meanwhile$/m);
    tmux.run("fg");
    await tmux.expectText("last key z");
    expect(tmux.modes()).toEqual({ alternate: true, cursor: false, mouse: false });
    expect(tmux.text()).not.toContain("meanwhile");
    tmux.keys("Up");
    await tmux.expectText("last key up");
    tmux.keys("q");
    await tmux.waitFor(() => expect(tmux.modes()).toEqual(asItWas));
    await expectUsable(tmux);
  });

  it("draws itself anew when somebody stopped it from outside", async () => {
    const { tmux, pid } = await startDemo();
    process.kill(pid(), "SIGSTOP");
    await tmux.expectText("Stopped");
    tmux.run("fg");
    await tmux.waitFor(() =>
      expect(tmux.lines().slice(0, 3)).toEqual(["size 80x24", "last nothing", "~"]),
    );
    tmux.keys("q");
    await tmux.waitFor(() => expect(tmux.modes()).toEqual(asItWas));
    await expectUsable(tmux);
  });

  it("follows the size of the terminal", async () => {
    const { tmux } = await startDemo();
    for (const [columns, rows] of [
      [130, 40],
      [20, 6],
      [100, 30],
    ] as const) {
      tmux.resize(columns, rows);
      await tmux.expectText(`size ${columns}x${rows}`);
      await tmux.waitFor(() => expect(tmux.lines().at(-1)).toBe("~"));
    }
  });

  it("hears keys and pastes apart, and what others print", async () => {
    const { tmux } = await startDemo();
    const keys = {
      "Escape": "escape",
      "C-Space": "C-space",
      "F4": "f4",
      "M-x": "M-x",
      "BTab": "S-tab",
      "C-Left": "C-left",
      "Home": "home",
      "Enter": "enter",
      "é": "é",
    };
    for (const [key, name] of Object.entries(keys)) {
      tmux.keys(key);
      await tmux.expectText(`last key ${name}`);
    }
    tmux.paste("q\nc");
    await tmux.expectText(String.raw`last paste q\nc`);
    await pressUntil(tmux, "s", "last stray a word of another");
    tmux.keys("w");
    await tmux.expectText("last stray Warning: a warning");
    expect(tmux.lines().slice(2)).toEqual(Array.from({ length: 22 }, () => "~"));
  });

  it("hears clicks where the mouse is on, and switches it off again", async () => {
    const { tmux } = await startDemo([], { DEMO_MOUSE: "1" });
    expect(tmux.modes()).toEqual({ alternate: true, cursor: false, mouse: true });
    tmux.type("\u001b[<0;5;3M");
    await tmux.expectText("last press 4,2");
    tmux.keys("q");
    await tmux.expectText("ended with 0");
    await expectUsable(tmux);
  });

  it("keeps what follows a wide, joined or heaped character in its column", async () => {
    const rows = [
      "漢字かな한글",
      "😀🤖✅⭐⏳🫠",
      "👩‍👩‍👧‍👦👍🏽❤️1️⃣",
      "🇨🇭🇩🇪",
      "e\u0301\u0302\u0303\u0304\u0305x",
      "कि שלום",
      "●▶▾…─│",
    ];
    const { tmux } = await startDemo(rows.map((row) => `${row}|`));
    await tmux.waitFor(() =>
      expect(tmux.lines().slice(2, 9)).toEqual([
        "漢字かな한글|",
        "😀🤖✅⭐⏳🫠|",
        "👩👍❤1|",
        "CHDE|",
        "e\u0301\u0302x|",
        "कि שלום|",
        "●▶▾…─│|",
      ]),
    );
  });
});
