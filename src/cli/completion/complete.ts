import type { Option } from "commander";
import type { CommandNode, Leaf } from "../command.ts";
import { globalOptions } from "../global-options.ts";
import { sections } from "../program.ts";

/** What can stand at the cursor, from the command tree alone; pure. */

/** Values that only a home or its service knows. */
export type ValueKind =
  | "address"
  | "agent"
  | "approval"
  | "connector"
  | "delivery"
  | "grant"
  | "machine"
  | "memory_change"
  | "memory_file"
  | "pairing"
  | "provider"
  | "run"
  | "schedule"
  | "session"
  | "task"
  | "tool";

export type Candidate = { readonly value: string; readonly about: string };

export type Completion = {
  readonly candidates: readonly Candidate[];
  /** More candidates are to be looked up. */
  readonly kind?: ValueKind;
  /** The shell completes files or directories by itself. */
  readonly files?: "files" | "directories";
  /** Stands before each value: `--format=`. */
  readonly prefix: string;
  /** The home that the line names, as it is written there. */
  readonly home: string | undefined;
};

/** What the first argument of a command, or of every command in a group, names. */
const argumentKinds: { readonly [path: string]: ValueKind } = {
  "actors": "address",
  "agents": "agent",
  "approvals": "approval",
  "connectors": "connector",
  "deliveries": "delivery",
  "grants": "grant",
  "machines": "machine",
  "marks": "agent",
  "memory show": "memory_file",
  "memory log": "memory_file",
  "memory restore": "memory_change",
  "pair approve": "pairing",
  "pair revoke": "connector",
  "providers": "provider",
  "runs": "run",
  "schedule": "schedule",
  "sessions": "session",
  "task": "task",
  "task run": "agent",
};

const optionKinds: { readonly [long: string]: ValueKind } = {
  "--agent": "agent",
  "--connector": "connector",
  "--diff": "memory_change",
  "--run": "run",
  "--session": "session",
  "--task": "task",
  "--tool": "tool",
};

const root: readonly CommandNode[] = sections.flatMap(({ nodes }) => nodes);

/** @param words what follows the program's name up to the cursor; the last one is being written, and may be empty */
export function complete(words: readonly string[]): Completion {
  const line = new Line();
  for (const word of words.slice(0, -1)) line.take(word);
  return line.at(words.at(-1) ?? "");
}

/** How far a command line has come. */
class Line {
  private path: string[] = [];
  private nodes: readonly CommandNode[] = root;
  private leaf: Leaf | undefined;
  private given = 0;
  private optionsEnded = false;
  private waiting: Option | undefined;
  private home: string | undefined;

  take(word: string): void {
    if (this.waiting !== undefined) this.give(this.waiting, word);
    else if (this.optionsEnded || !word.startsWith("-") || word === "-") this.takePlain(word);
    else if (word === "--") this.optionsEnded = true;
    else this.takeOption(word);
  }

  at(word: string): Completion {
    if (this.waiting !== undefined) return this.valueOf(this.waiting, "");
    if (!this.optionsEnded && word.startsWith("-")) {
      const [name = "", value] = word.split("=", 2);
      const option = value === undefined ? undefined : this.option(name);
      return option === undefined
        ? this.found(this.optionNames())
        : this.valueOf(option, `${name}=`);
    }
    return this.leaf === undefined ? this.found(this.commandNames()) : this.argumentOf(this.leaf);
  }

  private takePlain(word: string): void {
    if (this.leaf !== undefined) {
      this.given += 1;
      return;
    }
    const node = this.nodes.find((each) => nameOf(each) === word);
    if (node === undefined) {
      this.nodes = [];
      return;
    }
    this.path.push(word);
    if ("children" in node) this.nodes = node.children;
    else this.leaf = node;
  }

  private takeOption(word: string): void {
    const [name = "", value] = word.split("=", 2);
    const option = this.option(name);
    if (option === undefined || option.isBoolean() || !(option.required || option.optional)) return;
    if (value === undefined) this.waiting = option;
    else this.give(option, value);
  }

  private give(option: Option, value: string): void {
    this.waiting = undefined;
    if (option.long === "--home") this.home = value;
  }

  private options(): readonly Option[] {
    return [...(this.leaf?.options ?? []), ...globalOptions()].filter(({ hidden }) => !hidden);
  }

  private option(name: string): Option | undefined {
    return this.options().find(({ long, short }) => long === name || short === name);
  }

  private optionNames(): Candidate[] {
    const help = { value: "--help", about: "this help" };
    const all = this.options().map(({ long, description }) => ({
      value: long ?? "",
      about: description,
    }));
    return [...all, help];
  }

  private commandNames(): Candidate[] {
    return this.nodes.map((node) => ({ value: nameOf(node), about: node.summary }));
  }

  private valueOf(option: Option, prefix: string): Completion {
    const choices = (option.argChoices ?? []).map((value) => ({ value, about: "" }));
    const kind = optionKinds[option.long ?? ""];
    return {
      ...this.found(choices),
      prefix,
      ...(kind === undefined ? {} : { kind }),
      ...(option.long === "--home" ? { files: "directories" as const } : {}),
    };
  }

  private argumentOf({ usage, argumentChoices }: Leaf): Completion {
    const declared = usage.split(" ").slice(1)[this.given];
    if (declared === undefined || this.given > 0) return this.found([]);
    if (declared.includes("file")) return { ...this.found([]), files: "files" };
    const choices = (argumentChoices ?? []).map((value) => ({ value, about: "" }));
    const kind = argumentKinds[this.path.join(" ")] ?? argumentKinds[this.path[0] ?? ""];
    return { ...this.found(choices), ...(kind === undefined ? {} : { kind }) };
  }

  private found(candidates: readonly Candidate[]): Completion {
    return { candidates, prefix: "", home: this.home };
  }
}

function nameOf({ usage }: CommandNode): string {
  return usage.split(" ", 1)[0] ?? "";
}
