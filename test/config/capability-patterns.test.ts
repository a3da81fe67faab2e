import * as fc from "fast-check";
import { it } from "vitest";
import { patternFault } from "../../src/policy/capability.ts";
import { agentFile } from "../../src/schema/config.ts";

it("accepts no capability pattern that the policy would call faulty", () => {
  const piece = fc.constantFrom(
    "fs.read:",
    "fs.*:",
    "net.fetch:",
    "/",
    "..",
    "**",
    "a",
    "*",
    ".",
    "\0",
    ":",
    " ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const pattern = pieces.join("");
      const accepted = agentFile.safeParse({ id: "a", capabilities: { deny: [pattern] } }).success;
      return !accepted || patternFault(pattern) === undefined;
    }),
    { numRuns: 2_000 },
  );
});
