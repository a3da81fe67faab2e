import { dirname, basename } from "node:path";
import type { FileText, Listing, ReadOptions } from "./guarded-file.ts";
import { listGuarded, readGuarded } from "./guarded-file.ts";

/** Texts by absolute path that are to be judged as if they stood in these files already. */
export type Drafts = ReadonlyMap<string, string>;

/** The files of a home, as they are or as they would be with some drafts. */
export class HomeFiles {
  readonly #drafts: Drafts;

  constructor(drafts: Drafts = new Map()) {
    this.#drafts = drafts;
  }

  read(path: string, options: ReadOptions): FileText {
    const draft = this.#drafts.get(path);
    return draft === undefined ? readGuarded(path, options) : { ok: true, text: draft };
  }

  list(path: string): Listing {
    const { names, problem } = listGuarded(path);
    const drafted = [...this.#drafts.keys()].filter((file) => dirname(file) === path);
    return {
      names: [...new Set([...names, ...drafted.map((file) => basename(file))])].toSorted(),
      problem,
    };
  }
}
