import { type CommandNode, exitsOf, type Leaf } from "../../../src/cli/command.ts";
import { sections } from "../../../src/cli/program.ts";
import { type Row, rows } from "./rows.ts";

/** Every command of the program's own tree, with its row. */
export type Command = {
  readonly name: string;
  readonly leaf: Leaf;
  readonly row: Row;
  readonly exits: readonly number[];
};

export const commandNames: readonly string[] = leaves().map(([name]) => name);

export const commands: readonly Command[] = leaves().flatMap(([name, leaf]) => {
  const row = rows[name];
  return row === undefined ? [] : [{ name, leaf, row, exits: exitsOf(leaf) }];
});

function leaves(): (readonly [name: string, leaf: Leaf])[] {
  return sections.flatMap(({ nodes }) => nodes.flatMap((node) => leavesBelow(node, "")));
}

function leavesBelow(node: CommandNode, parent: string): (readonly [string, Leaf])[] {
  const name = `${parent}${node.usage.split(" ")[0]}`;
  if (!("children" in node)) return [[name, node]];
  return node.children.flatMap((child) => leavesBelow(child, `${name} `));
}
