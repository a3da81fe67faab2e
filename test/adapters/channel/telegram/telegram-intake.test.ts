import { describe, expect, it } from "vitest";
import type { IntakeRoutes, Taking } from "../../../../src/adapters/channel/http/intake-route.ts";
import { telegramIntake } from "../../../../src/adapters/channel/telegram/telegram-intake.ts";
import type { InboundUpdate } from "../../../../src/schema/inbound.ts";
import { listener } from "../http/listener.ts";

/** Two bots that Telegram calls; of their updates nothing but the number is read. */

const secrets = { tg_a: "bot-a-secret-0123456789", tg_b: "bot-b-secret-0123456789" };
const header = (secret: string) => ({ "x-telegram-bot-api-secret-token": secret });

function numbered(body: unknown): InboundUpdate {
  const update_id = String((body as { update_id: number }).update_id);
  return { update_id, conversation: null, sender: null, what: { kind: "other", name: "test" } };
}

async function bots(options: { readonly isKnown?: boolean; readonly taking?: Taking } = {}) {
  const { isKnown = true, taking } = options;
  const protocol = telegramIntake((body) => (isKnown ? numbered(body) : undefined));
  const routes: IntakeRoutes = new Map(
    Object.entries(secrets).map(([connectorId, secret]) => [
      `/telegram/${connectorId}`,
      { connectorId, secret, protocol },
    ]),
  );
  const take = taking === undefined ? {} : { take: async () => taking };
  const { post, taken, logged } = await listener({ routes: () => routes, ...take });
  const bring = (bot: string, secret: string | undefined, body: string) =>
    post({
      path: `/telegram/${bot}`,
      secret: null,
      headers: secret === undefined ? {} : header(secret),
      body,
    });
  return { bring, taken, logged };
}

describe("Telegram's webhook", () => {
  it("T01: is refused without the bot's secret, with a wrong one and with an empty one", async () => {
    const { bring, taken } = await bots();
    for (const secret of [undefined, "", " ", "wrong", `${secrets.tg_a}, ${secrets.tg_a}`]) {
      const answer = await bring("tg_a", secret, '{"update_id":1}');
      expect([answer.status, answer.text]).toEqual([401, ""]);
    }
    expect(taken).toEqual([]);
  });

  it("T06: cannot bring an update of one bot to another", async () => {
    const { bring, taken } = await bots();
    expect((await bring("tg_b", secrets.tg_a, '{"update_id":1}')).status).toBe(401);
    expect((await bring("tg_a", secrets.tg_a, '{"update_id":1}')).status).toBe(200);
    expect((await bring("tg_b", secrets.tg_b, '{"update_id":1}')).status).toBe(200);
    expect(taken.map(({ connector, update }) => [connector, update.update_id])).toEqual([
      ["tg_a", "1"],
      ["tg_b", "1"],
    ]);
  });

  it("is answered with nothing that could be a call of the Bot API", async () => {
    const { bring } = await bots();
    expect((await bring("tg_a", secrets.tg_a, '{"update_id":1}')).text).toBe("");
  });

  it("is told to come again before the bot knows its own name", async () => {
    const { bring, taken } = await bots({ isKnown: false });
    const answer = await bring("tg_a", secrets.tg_a, '{"update_id":1}');
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(taken).toEqual([]);
  });

  it("gets rid of what can never be read, which counts as unreadable, the same as one", async () => {
    const { bring, taken } = await bots();
    for (const body of ["{", "{", "x".repeat(1024 * 1024 + 1)]) {
      expect((await bring("tg_a", secrets.tg_a, body)).status).toBe(200);
    }
    expect(taken.map(({ update }) => update.what)).toEqual([
      { kind: "unreadable", reason: "It is not JSON." },
      { kind: "unreadable", reason: "It is not JSON." },
      { kind: "unreadable", reason: "It is longer than 1 MiB." },
    ]);
    expect(new Set(taken.map(({ update }) => update.update_id)).size).toBe(2);
  });

  it("gets rid of what is never taken, and keeps what is not taken now", async () => {
    const never = await bots({ taking: "refused" });
    expect((await never.bring("tg_a", secrets.tg_a, '{"update_id":1}')).status).toBe(200);
    expect(never.logged.map(([, { reason }]) => reason)).toEqual(["not taken"]);
    const later = await bots({ taking: "busy" });
    expect((await later.bring("tg_a", secrets.tg_a, '{"update_id":1}')).status).toBe(503);
  });
});
