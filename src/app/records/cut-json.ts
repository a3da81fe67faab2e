import type { Json, JsonObject } from "../../schema/json.ts";

/** Large values, cut for those who look on: what is missing is said where it is missing. */

const most = { depth: 12, items: 100, text: 2_000 } as const;

/** @param size characters that the whole may have, roughly; what is over it is left out */
export function cutJson(value: Json, size: number): Json {
  return new Cutting(size).cut(value, 0);
}

class Cutting {
  private left: number;

  constructor(size: number) {
    this.left = size;
  }

  cut(value: Json, depth: number): Json {
    if (typeof value === "string") return this.text(value);
    this.left -= 8;
    if (typeof value !== "object" || value === null) return value;
    if (this.left <= 0 || depth >= most.depth) return "…";
    return isList(value) ? this.list(value, depth) : this.record(value, depth);
  }

  private text(text: string): string {
    const kept = text.slice(0, Math.max(0, Math.min(most.text, this.left)));
    this.left -= kept.length + 2;
    return kept.length === text.length ? text : `${kept}… (${text.length} characters)`;
  }

  private list(items: readonly Json[], depth: number): Json {
    const kept: Json[] = [];
    for (const item of items.slice(0, most.items)) {
      if (this.left <= 0) break;
      kept.push(this.cut(item, depth + 1));
    }
    return kept.length === items.length ? kept : [...kept, moreThan(items.length - kept.length)];
  }

  private record(record: JsonObject, depth: number): JsonObject {
    const entries = Object.entries(record);
    const kept: (readonly [string, Json])[] = [];
    for (const [key, item] of entries.slice(0, most.items)) {
      if (this.left <= 0) break;
      kept.push([this.text(key), this.cut(item, depth + 1)]);
    }
    const missing = entries.length - kept.length;
    return Object.fromEntries(missing === 0 ? kept : [...kept, ["…", moreThan(missing)]]);
  }
}

function moreThan(missing: number): string {
  return `… (${missing} more)`;
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
