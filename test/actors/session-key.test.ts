import { expect, it } from "vitest";
import { keyIn, placeIn, sessionAddress, sessionKey } from "../../src/actors/session-key.ts";

const place = {
  channel_type: "local",
  connector_id: "local",
  conversation_scope: "cli",
  user_scope: "ann",
  agent_id: "main",
};

it("names channel, connector, conversation, user and agent, in this order", () => {
  expect(sessionAddress(sessionKey(place))).toBe("session/local:local:cli:ann:main");
});

it("lets no part of a place pass for two, or for another actor's address", () => {
  const key = sessionKey({ ...place, conversation_scope: "7/run/r1", user_scope: "a:b" });
  expect(key).toBe("local:local:7%2Frun%2Fr1:a%3Ab:main");
  expect(key).not.toBe(sessionKey({ ...place, conversation_scope: "7", user_scope: "run/r1:a:b" }));
});

it("gives back what a key and an address were made of", () => {
  const odd = { ...place, conversation_scope: "7/run/r1", user_scope: "a:b %" };
  expect(placeIn(keyIn(sessionAddress(sessionKey(odd))))).toEqual(odd);
});
