import { describe, expect, it } from "vitest";
import { FakeChannel } from "../../../src/adapters/channel/fake-channel.ts";
import { auditTable } from "../../../src/schema/rows/audit-rows.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import type { OutboundMessage } from "../../../src/schema/outbound.ts";
import { createChannelHive, says } from "../../support/channel-hive.ts";
import { createOwner, ownersConnector } from "../../support/owner.ts";

/** What the owner sees of channels, and does about them. */

const decisions = async ({ engine }: Awaited<ReturnType<typeof createChannelHive>>) =>
  (await engine.read.select(auditTable, { index: "key" })).filter(
    ({ kind }) => kind === "decision",
  );

async function strangerAsks() {
  const hive = await createChannelHive();
  await hive.channel.put(says("let me in", { from: "7007" }));
  await hive.engine.settled();
  return { hive, ask: createOwner(hive) };
}

describe("a connector", () => {
  it("is shown with its account, its people and what it took", async () => {
    const hive = await createChannelHive();
    await hive.channel.put(says("hello"), says("buy!", { from: "666", chat: "-5" }));
    await hive.engine.settled();
    const [shown] = await createOwner(hive)("connectors.list", {});
    expect(shown).toMatchObject({
      id: "tg",
      state: "polling",
      name: "fake_bot",
      accepted: 1,
      refused: 1,
      allow_users: 2,
      approvers: 1,
      needs: null,
      error: null,
    });
  });

  it("whose token is refused says what to do, and until then nothing but that", async () => {
    const channel = new FakeChannel();
    channel.openFaults.push(new AgentError("channel.unauthorized", "401: Unauthorized"));
    const hive = await createChannelHive({ channel });
    await hive.engine.settled();
    const ask = createOwner(hive);
    const [refused] = await ask("connectors.status", { id: "tg" });
    expect(refused).toMatchObject({
      state: "unauthorized",
      error: { message: "401: Unauthorized" },
    });
    expect(refused?.needs).toContain("statehive connectors test tg");
    await ask("connectors.start", { id: "tg" });
    await hive.engine.settled();
    expect(await ask("connectors.list", {})).toMatchObject([{ state: "polling", needs: null }]);
  });

  it("tells when it is tried again, and in groups what a bot overhears", async () => {
    const channel = new FakeChannel();
    channel.openFaults.push(new AgentError("channel.unreachable", "no route", { retryable: true }));
    const hive = await createChannelHive({ channel });
    await hive.engine.settled();
    const [shown] = await createOwner(hive)("connectors.status", {});
    expect(shown).toMatchObject({ state: "backing_off", needs: null });
    expect(Date.parse(shown?.next_try_at ?? "")).toBe(hive.clock.now() + 1_000);
    expect(shown?.remarks).toEqual([expect.stringContaining("/setprivacy")]);
  });

  it("that is stopped receives nothing until it is started", async () => {
    const hive = await createChannelHive();
    const ask = createOwner(hive);
    await hive.engine.settled();
    expect(await ask("connectors.stop", { id: "tg" })).toEqual({ id: "tg", state: "stopped" });
    void hive.channel.put(says("hello"));
    await hive.engine.settled();
    expect(hive.heard()).toEqual([]);
    const answered = hive.channel.put();
    await ask("connectors.start", { id: "tg" });
    await answered;
    await hive.engine.settled();
    expect(hive.heard()).toHaveLength(1);
  });

  it("that is disabled or unknown is not started", async () => {
    const hive = await createChannelHive();
    const ask = createOwner(hive, [{ ...ownersConnector, enabled: false }]);
    await expect(ask("connectors.start", { id: "tg" })).rejects.toThrow("tg is disabled");
    await expect(ask("connectors.start", { id: "nobody" })).rejects.toThrow("there are: tg");
    await expect(ask("connectors.status", { id: "nobody" })).rejects.toThrow("nobody");
  });
});

describe("a stranger with a code", () => {
  it("is let in by it, however it is typed, and out again", async () => {
    const { hive, ask } = await strangerAsks();
    const [open] = await ask("pairings.list", {});
    expect(open).toMatchObject({ state: "open", user_scope: "7007", name: "User 7007" });
    const code = ` ${open?.code?.toLowerCase()} `;
    expect(await ask("pairings.approve", { code })).toMatchObject({
      state: "approved",
      decided_by: "cli",
      code: null,
    });
    await hive.channel.put(says("hello", { from: "7007" }));
    await hive.engine.settled();
    expect(hive.heard().at(-1)).toContain("offline");
    await ask("pairings.revoke", { connector: "tg", user: "7007" });
    expect(await ask("pairings.list", {})).toEqual([]);
    await hive.engine.settled();
    expect(await decisions(hive)).toMatchObject([
      { status: "refused" },
      { status: "approved", decided_by: "cli" },
      { status: "revoked", decided_by: "cli" },
    ]);
  });

  it("is not let in an hour later, by another code, or twice", async () => {
    const { hive, ask } = await strangerAsks();
    const [open] = await ask("pairings.list", {});
    const code = open?.code ?? "";
    const none = { code: "pairing.not_found" };
    await expect(ask("pairings.approve", { code: "AAAAAAAA" })).rejects.toMatchObject(none);
    await expect(ask("pairings.approve", { code, connector: "other" })).rejects.toMatchObject(none);
    hive.clock.advance(3_600_000);
    await expect(ask("pairings.approve", { code })).rejects.toMatchObject(none);
    await expect(ask("pairings.revoke", { connector: "tg", user: "7007" })).rejects.toMatchObject(
      none,
    );
    expect(await ask("pairings.list", {})).toEqual([]);
  });
});

/** Takes three messages for what a model writes, and loses the answer to the second. */
class SplittingChannel extends FakeChannel {
  isLosing = true;
  override async send(message: OutboundMessage, part: number, call: { readonly key: string }) {
    if (message.body.kind !== "markdown") return super.send(message, part, call);
    if (part === 1 && this.isLosing) this.sendFaults.push({ kind: "lose_answer" });
    return { ...(await super.send(message, part, call)), parts: 3 };
  }
}

describe("a delivery", () => {
  const lost = async () => {
    const channel = new SplittingChannel();
    const hive = await createChannelHive({ channel });
    await channel.put(says("hello"));
    await hive.engine.settled();
    channel.isLosing = false;
    const ask = createOwner(hive);
    const [delivery] = await ask("deliveries.list", { state: "unknown" });
    return { channel, hive, ask, delivery, id: delivery?.id ?? "" };
  };

  it("that may not have arrived is shown first, with what it says", async () => {
    const { ask, delivery, id } = await lost();
    expect(delivery).toMatchObject({ state: "unknown", needs_you: true, arrived: 1 });
    expect((await ask("deliveries.show", { id })).text).toContain("offline");
    expect(await ask("connectors.status", {})).toMatchObject([
      { deliveries: { open: 0, unknown: 1, dead: 0 } },
    ]);
  });

  it("is sent again once, from the part on that may not have arrived", async () => {
    const { channel, hive, ask, id } = await lost();
    const again = await ask("deliveries.resend", { id });
    expect(again).toMatchObject({ resends: id, kind: "reply" });
    await hive.engine.settled();
    const answers = channel.messages.filter(({ body }) => body.kind === "markdown");
    expect(answers.map(({ part }) => part)).toEqual([0, 1, 1, 2]);
    expect(await ask("deliveries.list", {})).toMatchObject([
      { id: again.id, state: "delivered", needs_you: false },
      { kind: "notice", about: id },
      { id, state: "unknown", needs_you: false, resent_as: again.id },
    ]);
    await expect(ask("deliveries.resend", { id })).rejects.toThrow(`sent again, as ${again.id}`);
    await expect(ask("deliveries.resend", { id: again.id })).rejects.toThrow("is delivered");
    expect(await decisions(hive)).toMatchObject([
      { status: "resent", decided_by: "cli", input: { resends: id } },
    ]);
  });

  it("that waits is not sent when a person does not want it; and is nobody's fault", async () => {
    const channel = new FakeChannel();
    const hive = await createChannelHive({ channel });
    await hive.engine.settled();
    const down = new AgentError("channel.unreachable", "no route", { retryable: true });
    channel.sendFaults.push({ kind: "refuse", error: down });
    await channel.put(says("hello"));
    await hive.engine.settled();
    const ask = createOwner(hive);
    const [waiting] = await ask("deliveries.list", { state: "pending", connector: "tg" });
    await ask("deliveries.cancel", { id: waiting?.id ?? "" });
    hive.clock.advance(60_000);
    await hive.engine.settled();
    expect(hive.heard()).toEqual([]);
    const gone = { id: waiting?.id ?? "" };
    expect(await ask("deliveries.show", gone)).toMatchObject({ state: "dead", needs_you: false });
    await expect(ask("deliveries.cancel", gone)).rejects.toMatchObject({ code: "actor.ended" });
    await expect(ask("deliveries.show", { id: "d0" })).rejects.toMatchObject({
      code: "delivery.not_found",
    });
  });
});
