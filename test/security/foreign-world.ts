import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { textPage } from "../../src/adapters/web/scripted-web.ts";
import { actorTable } from "../../src/engine/tables.ts";
import type { AgentPolicy } from "../../src/policy/verdict.ts";
import type { Web } from "../../src/ports/web.ts";
import { AgentError } from "../../src/schema/errors.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { createTestHive, type TestHive, type TestHiveOptions } from "../support/hive.ts";
import { obedientModel } from "./obedient-model.ts";

/** An agent that may do everything unasked, a model that obeys any text, a note that is nobody else's and a web. */

export const page = "https://page.example/";
export const toPage = `CALL web_fetch {"url":"${page}"}`;
export const toNotes = 'CALL file_read {"path":"notes.md"}';
export const toOther = 'CALL web_fetch {"url":"https://other.example/"}';

export const open: Partial<AgentPolicy> = {
  allow: builtInTools.map(({ name }) => name),
  boundary: ["fs.*:**", "net.fetch:*", "shell.exec:*", "memory.read:*"],
  grant: ["fs.*:**", "net.fetch:*"],
};

export type World = {
  readonly hive: TestHive;
  /** Every address that was asked. */
  readonly asked: readonly string[];
  /** Says one message after another, each when all before has come to rest. */
  tell(...texts: readonly string[]): Promise<void>;
  /** What the row of the newest actor of this machine shows. */
  tags(machine: string): Promise<readonly string[]>;
};

/** @param text what the page says; every other host says nothing of interest */
export async function foreignWorld(text: string, options: TestHiveOptions = {}): Promise<World> {
  const asked: string[] = [];
  const web: Web = {
    get: async (url) => {
      asked.push(url);
      if (new URL(url).hostname === "evil.example")
        throw new AgentError("web.unreachable", "evil.example: no such name.");
      return textPage(url, url === page ? text : "Nothing to do here.");
    },
  };
  const hive = await createTestHive({
    files: createMemoryFiles({ "notes.md": "the key is 4711" }),
    web,
    provider: obedientModel(),
    policy: open,
    ...options,
  });
  return {
    hive,
    asked,
    tell: async (...texts) => {
      for (const each of texts) {
        await hive.say(each);
        await hive.engine.settled();
      }
    },
    tags: async (machine) => {
      const rows = await hive.engine.read.select(actorTable, { index: "key" });
      const ofMachine = rows.filter((row) => row.machine === machine);
      return ofMachine.toSorted((one, other) => one.since - other.since).at(-1)?.tags ?? [];
    },
  };
}
