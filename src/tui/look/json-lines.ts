import type { Line } from "../frame/frame.ts";
import { line } from "../frame/line.ts";
import { safeLines, wrapped } from "../frame/safe-text.ts";

/** A value as people read it: YAML-like would hide types, so it is JSON with an indent of two. */
export function jsonLines(value: unknown, width: number): Line[] {
  const text = JSON.stringify(value, null, 2) ?? "undefined";
  return safeLines(text).flatMap((each) => wrapped(each, width).map((part) => line(part)));
}
