import { expect, it } from "vitest";
import { eventRegistry } from "../../src/schema/events/events.ts";
import { payloadSchema } from "../../src/schema/events/payload-schema.ts";

it("can show people what each event takes", () => {
  const untold = Object.entries(eventRegistry).filter(([, { payload }]) => {
    try {
      payloadSchema(payload);
      return false;
    } catch {
      return true;
    }
  });
  expect(untold.map(([type]) => type)).toEqual([]);
});
