import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Command, commandNames, commands } from "./matrix/commands.ts";
import { rows } from "./matrix/rows.ts";
import { createWorld, type World } from "./matrix/world.ts";
import { fakeService, sampleHello } from "./support/fake-service.ts";
import { initHome } from "../../src/config/home.ts";
import { type FakeTerminalOptions, run } from "./support/fake-terminal.ts";

/** What docs/cli.md promises of every command, tried with every command of the program's tree. Nothing here has a terminal's
 *  stdin, and none of it ends: a command that asked a question would hang. */

const escapes = /(?!\n)[\p{Cc}\p{Cf}]/u;
let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.remove());

const inside = commands.filter(({ row }) => row.runs !== "outside");
const here = inside.filter(({ row }) => row.runs !== "process");
const repeatable = here.filter(({ row }) => row.runs === undefined);
const readable = repeatable.filter(({ leaf }) => leaf.offline === "file");
const each = (some: readonly Command[]) => some.map((command) => [command.name, command] as const);

function lineOf({ name, row }: Command): string[] {
  const { args = [] } = row;
  return [...name.split(" "), ...(typeof args === "function" ? args(world) : args)];
}

type Where = FakeTerminalOptions & { readonly at?: string; readonly more?: readonly string[] };

function say(command: Command, { at = world.home, more = [], ...options }: Where = {}) {
  const quick = ["--timeout", "2000"];
  return run([...lineOf(command), "--home", at, ...quick, ...more], options);
}

const failure = z.strictObject({
  ok: z.literal(false),
  error: z.strictObject({
    code: z.string(),
    message: z.string().min(1),
    hint: z.string().nullable(),
    details: z.json().exactOptional(),
  }),
});

/** What they tell while the service runs, by their names; then it stops. */
async function answersOf(some: readonly Command[]): Promise<ReadonlyMap<string, string>> {
  await world.startService();
  const answers = new Map<string, string>();
  for (const command of some)
    answers.set(command.name, (await say(command, { more: ["--json"] })).out);
  await world.stopService();
  return answers;
}

/** One object on stdout, nothing on stderr but notes; for people: nothing on stdout, and what to do on stderr. */
async function failsCleanly(command: Command, code: number, where: Where) {
  const told = await say(command, { ...where, more: [...(where.more ?? []), "--json", "-q"] });
  expect({ code: told.code, err: told.err }).toEqual({ code, err: "" });
  const { error } = failure.parse(JSON.parse(told.out));
  const plain = await say(command, { ...where, more: [...(where.more ?? []), "-q"] });
  expect({ code: plain.code, out: plain.out }).toEqual({ code, out: "" });
  expect(plain.err).toMatch(/^statehive: \S.*\n/);
  expect(plain.err).not.toMatch(escapes);
  expect(plain.err).not.toMatch(/^ +at /m);
  return error;
}

it("has a row for every command, and for nothing else", () => {
  expect(Object.keys(rows).toSorted()).toEqual(commandNames.toSorted());
});

describe("with its service", () => {
  beforeAll(() => world.startService());

  it.each(each(commands.filter(({ row }) => row.missing !== undefined)))(
    "%s exits with 6 for what is not there, and names the next step",
    async (_name, command) => {
      const { row } = command;
      const nobody = { ...command, row: { ...row, args: row.missing ?? [] } };
      expect((await failsCleanly(nobody, 6, {})).hint).toMatch(/\S/);
    },
  );

  it("a waiting chat ends when its approval is given elsewhere", async () => {
    const chat = run(["chat", "-p", "write a to else.txt", "-s", "else", "--home", world.home]);
    const id = await world.opened("else");
    const { out } = await run(["approvals", "allow", id, "--home", world.home, "--json"]);
    expect(JSON.parse(out)).toEqual({
      ok: true,
      data: { id, state: "approved", scope: "once", until: null },
    });
    expect(await chat).toMatchObject({ code: 0, out: expect.stringContaining("else.txt") });
    const again = await run(["approvals", "deny", id, "--home", world.home, "--json"]);
    expect(JSON.parse(again.out)).toMatchObject({ error: { code: "approval.already_decided" } });
  });

  it.each([
    ["may not come from a person", "event.not_pokeable", () => ["system", "system.stop"]],
    ["is not accepted now", "actor.ended", () => [world.ended.address, "run.cancel"]],
  ])("an event that %s is refused with its reason", async (_why, code, poke) => {
    const told = await run(["actors", "send", ...poke(), "--home", world.home, "--json"]);
    expect(told.code).toBe(1);
    expect(JSON.parse(told.out)).toMatchObject({ ok: false, error: { code } });
  });

  it.each(each(here.filter(({ row }) => row.runs === "once")))(
    "%s --json has its shape",
    async (_name, command) => {
      const { code, out, err } = await say(command, { more: ["--json"] });
      expect({ code, err }).toEqual({ code: 0, err: "" });
      checkJson(command, out);
    },
  );

  it.each(each(repeatable))("%s --json has its shape", async (_name, command) => {
    const { code, out, err } = await say(command, { more: ["--json"] });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    checkJson(command, out);
  });

  it.each(each(repeatable))(
    "%s prints only what was asked for, without an escape, in a pipe and where colours are refused",
    async (_name, command) => {
      const piped = await say(command);
      expect({ code: piped.code, err: piped.err }).toEqual({ code: 0, err: "" });
      expect(piped.out.length).toBeGreaterThan(5);
      for (const where of [
        {},
        { isTTY: true, env: { NO_COLOR: "1", FORCE_COLOR: "1" } },
        { isTTY: true, env: { TERM: "dumb" } },
        { isTTY: true, env: { TERM: "xterm" }, more: ["--no-color"] },
      ])
        expect((await say(command, where)).out).not.toMatch(escapes);
    },
  );
});

describe("without a service", () => {
  let answers: Awaited<ReturnType<typeof answersOf>>;
  beforeAll(async () => {
    answers = await answersOf(readable);
  });

  it.each(each(here.filter(({ leaf }) => leaf.offline === undefined)))(
    "%s exits with 3",
    async (_name, command) => {
      expect(await failsCleanly(command, 3, {})).toMatchObject({ code: "service.not_running" });
    },
  );

  it.each(each(readable))("%s tells the same from the file, and says so", async (name, command) => {
    const { code, out, err } = await say(command, { more: ["--json"] });
    expect({ code, out }).toEqual({ code: 0, out: answers.get(name) });
    expect(err).toMatch(/^the service is not running; read from the file \/.*\n$/);
    expect(await say(command, { more: ["-q"] })).toMatchObject({ code: 0, err: "" });
  });

  it.each(each(repeatable.filter(({ leaf }) => leaf.offline === "same")))(
    "%s works as ever",
    async (_name, command) => {
      const { code, out, err } = await say(command, { more: ["--json"] });
      expect({ code, err }).toEqual({ code: 0, err: "" });
      checkJson(command, out);
    },
  );
});

describe("with a service that is silent", () => {
  const server = createServer((socket) => socket.resume());
  let answers: Awaited<ReturnType<typeof answersOf>>;
  beforeAll(async () => {
    answers = await answersOf(readable);
    await new Promise<void>((resolve) => {
      server.listen(join(world.home, "run/statehive.sock"), resolve);
    });
  });
  afterAll(() => void server.close());

  it.each(each(inside.filter(mindsSilence)))("%s exits with 4", async (_name, command) => {
    const error = await failsCleanly(command, 4, { more: ["--timeout", "20"] });
    expect(error).toMatchObject({ code: "service.not_answering" });
  });

  it.each(each(readable))("%s tells the same from the file, and says so", async (name, command) => {
    const { code, out, err } = await say(command, { more: ["--json", "--timeout", "20"] });
    expect({ code, out }).toEqual({ code: 0, out: answers.get(name) });
    expect(err).toMatch(/^the service does not answer; read from the file/);
  });
});

describe("with a service of another version", () => {
  it.each(each(inside.filter((command) => mindsSilence(command) || isRead(command))))(
    "%s exits with 4 and names both",
    async (_name, command) => {
      const { home } = await fakeService({
        hello: { ...sampleHello, protocol: 99, version: "9.9.9" },
      });
      const error = await failsCleanly(command, 4, { at: home });
      expect(error).toMatchObject({
        code: "service.other_version",
        message: "The service (version 9.9.9) speaks protocol 99, not 2.",
      });
    },
  );
});

describe("where the home", () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "statehive-homes-"));
    writeFileSync(join(root, "file"), "");
    initHome(join(root, "broken"));
    writeFileSync(join(root, "broken/config/main.yaml"), "gateway: 7\nnonsense: 1\n");
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const needing = here.filter(({ leaf }) => leaf.offline !== "same");

  it.each(each(needing))("is missing, %s exits with 3", async (_name, command) => {
    const error = await failsCleanly(command, 3, { at: join(root, "nowhere") });
    expect(error).toMatchObject({ code: "service.not_running" });
  });

  it.each(each(inside))(
    "cannot be read, %s ends with a code that it is documented to end with",
    async (_name, command) => {
      const { code, out, err } = await say(command, { at: join(root, "file/home") });
      expect(command.exits).toContain(code);
      expect(code).not.toBe(70);
      expect(code === 0 || out === "" || command.row.reports === true).toBe(true);
      expect(err).not.toMatch(/^ +at /m);
    },
  );

  it.each(each(inside.filter((command) => isRead(command) || command.exits.includes(78))))(
    "has a broken configuration, %s says so with 78, or did not need it",
    async (_name, command) => {
      const { code, err, out } = await say(command, { at: join(root, "broken") });
      const told = code === 0 ? command.name : `${code}: ${err}${out}`;
      expect(told).toMatch(/^(init|stop|logs)$|^78: .*main\.yaml:1:/s);
    },
  );
});

function mindsSilence({ leaf, row }: Command): boolean {
  return row.whenSilent === 4 || (leaf.offline === undefined && row.runs !== "process");
}

function isRead({ leaf }: Command): boolean {
  return leaf.offline === "file";
}

function checkJson({ row }: Command, out: string): void {
  const lines = out.trimEnd().split("\n");
  if (row.prints === "stream") {
    for (const line of lines) row.shape.parse(JSON.parse(line));
    return;
  }
  expect(lines.length).toBe(1);
  z.strictObject({ ok: z.literal(true), data: row.shape }).parse(JSON.parse(lines[0] ?? ""));
}
