import type { JsonObject } from "../../../schema/json.ts";
import { runCalls, say, type Intent, type WantedCall } from "./script.ts";
import { tellRound } from "./telling.ts";

/** Exact calls for tests and demos: one `call TOOL {json}` a line; a line `then` starts the next round. */

const callLine = /^call\s+([\w-]+)\s*(\{.*\})?$/;

function parseInput(json: string | undefined): JsonObject | undefined {
  try {
    return JSON.parse(json ?? "{}") as JsonObject;
  } catch {
    return undefined;
  }
}

function parseLine(line: string): WantedCall | undefined {
  const match = callLine.exec(line);
  const input = match === null ? undefined : parseInput(match[2]);
  return match?.[1] === undefined || input === undefined ? undefined : { tool: match[1], input };
}

function roundsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const rounds: string[][] = [[]];
  for (const line of lines) {
    if (line === "then") rounds.push([]);
    else rounds.at(-1)?.push(line);
  }
  return rounds.filter((round) => round.length > 0);
}

export const steering: Intent = {
  ability: "make exactly the calls you spell out",
  examples: ['call file_write {"path":"a.txt","content":"x"}'],
  understand(sentence) {
    const lines = sentence
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    if (lines.length === 0 || !lines.every((line) => line === "then" || callLine.test(line)))
      return undefined;
    const broken = lines.find((line) => line !== "then" && parseLine(line) === undefined);
    if (broken !== undefined)
      return { isComplete: true, script: () => say(`The input is not JSON: ${broken}`) };
    return {
      isComplete: true,
      *script(scene) {
        const told: string[] = [];
        for (const round of roundsOf(lines)) {
          const calls = round.map(parseLine).filter((call) => call !== undefined);
          told.push(tellRound(yield* runCalls(scene, calls)));
        }
        return told.join("\n\n");
      },
    };
  },
};
