import fc from "fast-check";
import { expect, it } from "vitest";
import { routeMessage, type MessagePlace } from "../../src/policy/routing.ts";

/** Who answers a message that names no agent. */

const keys = ["channel_type", "connector_id", "conversation_scope", "user_scope"] as const;
const place = fc.record(
  Object.fromEntries(keys.map((key) => [key, fc.constantFrom("a", "b")])),
) as unknown as fc.Arbitrary<MessagePlace>;
const match = fc.record(
  Object.fromEntries(keys.map((key) => [key, fc.constantFrom("a", "b", null)])),
) as unknown as fc.Arbitrary<Record<(typeof keys)[number], string | null>>;
const bindings = fc.array(match, { maxLength: 8 });

it("takes the binding with most keys of those that match, of equals the first, else the default agent", () => {
  fc.assert(
    fc.property(place, bindings, (from, matches) => {
      const named = matches.map((one) => keys.filter((key) => one[key] !== null));
      const fits = matches.map((one) =>
        keys.every((key) => one[key] === null || one[key] === from[key]),
      );
      const most = Math.max(-1, ...named.map(({ length }, at) => (fits[at] ? length : -1)));
      const first = named.findIndex(({ length }, at) => fits[at] === true && length === most);
      const routing = {
        default_agent: "main",
        bindings: matches.map((one, at) => ({ match: one, agent: `agent-${at}` })),
      };
      expect(routeMessage(from, routing)).toEqual(
        first < 0 ? { agent: "main", binding: null } : { agent: `agent-${first}`, binding: first },
      );
    }),
  );
});
