import type { ActorStateRow } from "../../schema/shown/actor-view.ts";

export type TreeRow = {
  readonly address: string;
  readonly depth: number;
  /** Below it, at any depth. */
  readonly below: number;
  readonly isFolded: boolean;
};

export type TreeOptions = {
  readonly isFolded: (address: string) => boolean;
  /** Those that match are shown with all above them, unfolded. */
  readonly matches?: (actor: ActorStateRow) => boolean;
};

type Branches = ReadonlyMap<string | null, readonly ActorStateRow[]>;

/** Children below their parents, those of one parent in the order of their addresses. */
export function treeOf(actors: readonly ActorStateRow[], options: TreeOptions): TreeRow[] {
  const branches = branchesOf(actors);
  const wanted = options.matches && withAncestors(actors, options.matches);
  const rows: TreeRow[] = [];
  const visit = (actor: ActorStateRow, depth: number) => {
    if (wanted && !wanted.has(actor.address)) return;
    const children = branches.get(actor.address) ?? [];
    const isFolded = wanted === undefined && options.isFolded(actor.address);
    const below = isFolded ? countBelow(branches, actor.address) : children.length;
    rows.push({ address: actor.address, depth, below, isFolded: isFolded && children.length > 0 });
    if (!isFolded) for (const child of children) visit(child, depth + 1);
  };
  for (const root of branches.get(null) ?? []) visit(root, 0);
  return rows;
}

const collator = new Intl.Collator("en", { numeric: true });

function branchesOf(actors: readonly ActorStateRow[]): Branches {
  const known = new Set(actors.map(({ address }) => address));
  const branches = new Map<string | null, ActorStateRow[]>();
  for (const actor of actors) {
    const parent = placeBelow(actor, known);
    const siblings = branches.get(parent);
    if (siblings === undefined) branches.set(parent, [actor]);
    else siblings.push(actor);
  }
  for (const siblings of branches.values())
    siblings.sort((a, b) => collator.compare(a.address, b.address));
  return branches;
}

const root = "system";

/** What nobody made is supervised by the root actor. */
function placeBelow({ address, parent }: ActorStateRow, known: ReadonlySet<string>): string | null {
  if (parent !== null && known.has(parent)) return parent;
  return address !== root && known.has(root) ? root : null;
}

function withAncestors(
  actors: readonly ActorStateRow[],
  matches: (actor: ActorStateRow) => boolean,
): ReadonlySet<string> {
  const known = new Set(actors.map(({ address }) => address));
  const parents = new Map(actors.map((actor) => [actor.address, placeBelow(actor, known)]));
  const wanted = new Set<string>();
  for (const actor of actors) {
    if (!matches(actor)) continue;
    let at: string | null | undefined = actor.address;
    while (at !== null && at !== undefined && !wanted.has(at)) {
      wanted.add(at);
      at = parents.get(at);
    }
  }
  return wanted;
}

function countBelow(branches: Branches, address: string): number {
  const children = branches.get(address) ?? [];
  return children.reduce((sum, child) => sum + 1 + countBelow(branches, child.address), 0);
}
