import { connect } from "node:net";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { Taking } from "../../../../src/adapters/channel/http/intake-route.ts";
import { RefusalCount } from "../../../../src/adapters/channel/http/refusal-count.ts";
import { heldTake, hi, listener, secrets } from "./listener.ts";

const bearer = `Authorization: Bearer ${secrets.crm}\r\n`;
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

describe("who calls a connector", () => {
  it("T01: gets 401 and no word without its secret, with a wrong one and with an empty one", async () => {
    const { post, taken } = await listener();
    const wrong = [
      { secret: null },
      { secret: "" },
      { secret: `${secrets.crm}x` },
      { secret: secrets.crm.slice(0, -1) },
      { secret: secrets.crm.toUpperCase() },
      { secret: null, headers: { authorization: secrets.crm } },
      { secret: null, headers: { authorization: `Basic ${btoa(`x:${secrets.crm}`)}` } },
      { secret: null, headers: { "x-telegram-bot-api-secret-token": secrets.crm } },
      { secret: null, headers: { cookie: `secret=${secrets.crm}` } },
      { secret: null, path: `/webhook/crm?secret=${secrets.crm}` },
      { secret: "x".repeat(4_000) },
    ];
    for (const one of wrong) expect(await post(one)).toMatchObject({ status: 401, text: "" });
    expect(taken).toEqual([]);
    expect((await post()).status).toBe(200);
  });

  it("T01: gets 401 whatever it shows where no secret is configured", async () => {
    const { post, routes, taken } = await listener();
    const route = routes.get("/webhook/crm");
    routes.set("/webhook/crm", { ...route, secret: "" } as NonNullable<typeof route>);
    for (const secret of [null, "", secrets.crm]) expect((await post({ secret })).status).toBe(401);
    expect(taken).toEqual([]);
  });

  it("T06: cannot speak for another connector: the secret of one opens no other", async () => {
    const { post, taken } = await listener();
    expect((await post({ path: "/webhook/shop" })).status).toBe(401);
    expect((await post({ path: "/webhook/shop", secret: secrets.shop })).status).toBe(200);
    expect((await post()).status).toBe(200);
    expect(taken.map(({ connector, update }) => [connector, update.update_id])).toEqual([
      ["shop", "1"],
      ["crm", "1"],
    ]);
  });

  it("is known by a new secret at once, and by the old one no more", async () => {
    const { post, routes } = await listener();
    expect((await post()).status).toBe(200);
    const route = routes.get("/webhook/crm");
    routes.set("/webhook/crm", { ...route, secret: "another-0123456789" } as NonNullable<
      typeof route
    >);
    expect((await post()).status).toBe(401);
    expect((await post({ secret: "another-0123456789" })).status).toBe(200);
  });

  it("finds nothing where no connector is, and posts alone are understood", async () => {
    const { post, taken } = await listener();
    for (const path of [
      "/",
      "/webhook",
      "/webhook/",
      "/webhook/none",
      "/telegram/crm",
      "//webhook/crm",
      "/webhook/crm/",
    ]) {
      expect(await post({ path })).toMatchObject({ status: 404, text: "" });
    }
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"]) {
      const { status, headers } = await post({ method });
      expect([status, headers.get("allow")]).toEqual([405, "POST"]);
    }
    expect(taken).toEqual([]);
  });

  it("is told in the log how often it was refused, without what it showed", () => {
    const logged: unknown[] = [];
    let now = 0;
    const refusals = new RefusalCount(
      (level, ...said) => void logged.push([level, ...said]),
      () => now,
    );
    for (let tried = 0; tried < 1_000; tried += 1) refusals.add("wrong secret", "crm");
    now = 60_000;
    refusals.add("wrong secret", "crm");
    refusals.add("there is no such connector", undefined);
    const said = "callers of a connector were refused";
    expect(logged).toEqual([
      ["warn", said, { reason: "wrong secret", count: 1, connector: "crm" }],
      ["warn", said, { reason: "wrong secret", count: 1_000, connector: "crm" }],
      ["warn", said, { reason: "there is no such connector", count: 1 }],
    ]);
  });

  it("leaves no secret and no text in the log", async () => {
    const { post, logged } = await listener();
    await post({ secret: "guessed-secret-9876" });
    await post({ path: "/webhook/guessed-path" });
    await post({ body: "guessed body" });
    expect(logged.map(([, { reason }]) => reason)).toEqual([
      "wrong secret",
      "there is no such connector",
      "not readable",
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/guessed|secret-0/);
  });
});

describe("what is posted", () => {
  it("is thanked for when it is kept, not before", async () => {
    const { take, asked, release } = heldTake();
    const { post } = await listener({ take });
    let answered = false;
    const answer = post().finally(() => (answered = true));
    await asked;
    expect(answered).toBe(false);
    release("taken");
    expect(await answer).toMatchObject({ status: 200, text: '{"taken":true}\n' });
  });

  it("is to come again when it cannot be taken now, and never when it never will be", async () => {
    let taking: Taking = "busy";
    const { post } = await listener({ take: async () => taking });
    const busy = await post();
    expect([busy.status, busy.headers.get("retry-after"), busy.text]).toEqual([503, "5", ""]);
    taking = "refused";
    expect((await post()).status).toBe(422);
  });

  it("is never thanked for where taking it fails", async () => {
    const { post, logged } = await listener({ take: () => Promise.reject(new Error("broken")) });
    expect(await post()).toMatchObject({ status: 500, text: "" });
    expect(logged).toEqual([
      ["a caller could not be answered", { code: "internal", message: "broken", retryable: false }],
    ]);
  });

  it.each([
    ["nothing", "", "The body is not JSON in UTF-8."],
    ["half of it", "{", "The body is not JSON in UTF-8."],
    ["no UTF-8", Buffer.from([0x22, 0xff, 0x22]), "The body is not JSON in UTF-8."],
    ["a deep nest", "[".repeat(500_000), "The body is not JSON in UTF-8."],
    ["a list", "[]", "the message: expected object, received array."],
    [
      "an empty id",
      JSON.stringify({ ...hi, id: "" }),
      "id: 1 to 64 letters, digits and signs of ASCII, no spaces.",
    ],
    ["no text", JSON.stringify({ ...hi, text: "" }), "text must not be empty."],
    ["nobody", JSON.stringify({ ...hi, user: {} }), "user.id is missing."],
    ["more than is known", JSON.stringify({ ...hi, admin: true }), 'unknown property "admin".'],
    [
      "a slash in an id",
      JSON.stringify({ ...hi, conversation: { id: "a/b" } }),
      "conversation.id: a conversation's id: 1 to 128 letters, digits and signs of ASCII, no spaces and no slash.",
    ],
    [
      "two things at once",
      JSON.stringify({ ...hi, button: { message_id: "m1", data: "o:a1:x" } }),
      "the message: either text or button must be there, not both.",
    ],
    [
      "a button that somebody else is said to have tapped",
      JSON.stringify({
        ...hi,
        text: undefined,
        forwarded: true,
        button: { message_id: "m1", data: "o:a1:x" },
      }),
      "the message: a button is tapped by the person, not forwarded.",
    ],
    [
      "a prototype",
      '{"__proto__": {"id": "1"}}',
      'id is missing; conversation is missing; user is missing; unknown property "__proto__".',
    ],
  ])("is refused, if it is %s, with what is wrong with it", async (_name, body, error) => {
    const { post, taken } = await listener();
    const answer = await post({ body });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([400, { error }]);
    expect(taken).toEqual([]);
  });

  it("may be a mebibyte long, and is read no further", async () => {
    const { post, say, taken } = await listener();
    const text = "x".repeat(190_000);
    const padded = JSON.stringify({ ...hi, text }).padEnd(1024 * 1024);
    expect((await post({ body: padded })).status).toBe(200);
    expect(taken).toHaveLength(1);
    const tooLong = `POST /webhook/crm HTTP/1.1\r\nHost: x\r\n${bearer}Content-Length: 1048577\r\n\r\n`;
    expect(statusOf(await say(tooLong + `${padded} `))).toBe(413);
    const endless = `POST /webhook/crm HTTP/1.1\r\nHost: x\r\n${bearer}Transfer-Encoding: chunked\r\n\r\n`;
    expect(statusOf(await say(`${endless}180000\r\n${"x".repeat(0x180000)}`))).toBe(413);
    expect(taken).toHaveLength(1);
  });

  it("is not read at all before the secret is right", async () => {
    const { say } = await listener();
    const head = "POST /webhook/crm HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    expect(statusOf(await say(head))).toBe(401);
  });
});

describe("callers that mean harm", () => {
  it("who send one byte now and then are cut off", async () => {
    const { server, say, taken } = await listener({ headersTimeoutMs: 60 });
    expect(statusOf(await say("POST /webhook/crm HTTP/1.1\r\nHost: x\r\n"))).toBe(408);
    const slow = `POST /webhook/crm HTTP/1.1\r\nHost: x\r\n${bearer}Content-Length: 100\r\n\r\n{`;
    await say(slow);
    expect(taken).toEqual([]);
    expect(server.port).toBeGreaterThan(0);
  });

  it("who say two lengths, or more headers than anybody needs, are not understood", async () => {
    const { say, taken } = await listener();
    const start = `POST /webhook/crm HTTP/1.1\r\nHost: x\r\n${bearer}`;
    const body = JSON.stringify(hi);
    const both = `${start}Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
    expect(statusOf(await say(both))).toBe(400);
    expect(statusOf(await say(`${start}X-A: ${"a".repeat(9_000)}\r\n\r\n`))).toBe(431);
    expect(taken).toEqual([]);
  });

  it("who open a thousand connections leave room for nobody else only while they hold them", async () => {
    const { server, post } = await listener();
    const sockets = Array.from({ length: 300 }, () => {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => socket.destroy());
      return socket;
    });
    const ended = sockets.map((socket) => once(socket, "close"));
    await Promise.race(ended);
    for (const socket of sockets) socket.destroy();
    await Promise.all(ended);
    await expect.poll(async () => (await post().catch(() => undefined))?.status).toBe(200);
  });

  it("who bring more at once than is taken at once are told to come again", async () => {
    const { take, asked, release } = heldTake();
    const { post } = await listener({ take });
    const posts = Array.from({ length: 70 }, () => post());
    await asked;
    expect((await Promise.race(posts)).status).toBe(503);
    release("taken");
    const statuses = (await Promise.all(posts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(64);
    expect(statuses).toContain(503);
  });

  it("who go away before the end are forgotten", async () => {
    const { server, post, taken, logged } = await listener();
    const socket = connect(server.port, "127.0.0.1");
    socket.end(`POST /webhook/crm HTTP/1.1\r\nHost: x\r\n${bearer}Content-Length: 100\r\n\r\n{`);
    await once(socket.resume(), "close");
    expect((await post()).status).toBe(200);
    expect(taken).toHaveLength(1);
    expect(logged).toEqual([]);
  });
});

describe("the listener", () => {
  it("says which port it cannot use", async () => {
    const { server } = await listener();
    await expect(listener({ port: server.port })).rejects.toMatchObject({
      code: "port.unavailable",
      message: `Port ${server.port} of 127.0.0.1 cannot be used: EADDRINUSE.`,
      hint: "set http.port in config/main.yaml to one that is free",
    });
  });

  it("ends after those who wait for an answer have theirs", async () => {
    const { take, asked, release } = heldTake();
    const { server, post } = await listener({ take });
    const answer = post();
    await asked;
    const closed = server.close();
    await expect(post()).rejects.toThrow("fetch failed");
    release("taken");
    expect((await answer).status).toBe(200);
    await closed;
  });
});
