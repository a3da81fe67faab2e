import { beforeEach, type TestContext } from "vitest";
import { casesIn } from "./cases-in.ts";

/** Of a file's tests only those of the wanted attack cases run. */

type Named = { readonly name: string; readonly suite?: Named | undefined };

function fullName({ name, suite }: Named): string[] {
  return suite === undefined ? [name] : [...fullName(suite), name];
}

beforeEach(({ task, skip }: TestContext) => {
  const wanted = (process.env["PLANTED_CASES"] ?? "").split(",");
  const cases = casesIn(fullName(task));
  if (!cases.some((id) => wanted.includes(id))) skip();
});
