import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect as connectTcp, type NetConnectOpts } from "node:net";
import { describe, expect, it } from "vitest";
import { TokenGate } from "../../src/web/token-gate.ts";
import { inspectedHive } from "./inspected-hive.ts";

/** What else may be asked in the browser of somebody who inspects, or of another user of the machine, gets nothing. */

type Asked = {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly host?: string;
};

async function ask(port: number, { path = "/stream", method = "GET", headers = {}, host }: Asked) {
  const asked = request({ host: host ?? "127.0.0.1", port, path, method, headers, agent: false });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  let body = "";
  for await (const piece of response.setEncoding("utf8")) body += String(piece);
  return { status: response.statusCode, headers: response.headers, body };
}

/** Sends bytes as they are. @returns all that came back until the other side hung up */
async function say(to: NetConnectOpts, bytes: string): Promise<string> {
  const socket = connectTcp(to);
  let heard = "";
  socket.on("data", (piece: Buffer) => (heard += piece.toString()));
  socket.on("error", () => socket.destroy());
  socket.write(bytes);
  await once(socket, "close");
  return heard;
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

describe("the token", () => {
  it("C01: nothing but the right one, as a bearer, opens the stream", async () => {
    const { server, service } = await inspectedHive();
    const wrong = [
      {},
      { authorization: "Bearer" },
      { authorization: "Bearer x" },
      { authorization: `Bearer ${server.token}x` },
      { authorization: `Bearer ${"x".repeat(4_000)}` },
      { authorization: `Basic ${Buffer.from(`x:${server.token}`).toString("base64")}` },
      { "x-forwarded-for": "127.0.0.1", "forwarded": "for=127.0.0.1" },
      { cookie: `token=${server.token}` },
    ];
    for (const headers of wrong) expect((await ask(server.port, { headers })).status).toBe(401);
    for (const path of [`/stream?token=${server.token}`, `/?${server.token}`, "/?"]) {
      expect((await ask(server.port, { path })).status).toBe(400);
    }
    expect(service.requests).toEqual([]);
    expect(server.token).toMatch(/^[\w-]{43}$/);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}/#${server.token}`);
  });

  it("C06: gives nothing but to watch, whatever else is asked for with it", async () => {
    const { server, service } = await inspectedHive();
    const headers = { "authorization": `Bearer ${server.token}`, "x-scope": "approvals" };
    for (const path of ["/approvals", "/actor.send", "/stream/approvals.decide", "/logs"]) {
      expect((await ask(server.port, { path, headers })).status).toBe(404);
      expect((await ask(server.port, { path, headers, method: "POST" })).status).toBe(405);
    }
    expect(service.requests).toEqual([]);
  });

  it("C07: ends with the inspector, and every stream with it", async () => {
    const first = await inspectedHive();
    const stream = await first.open();
    expect(stream.status).toBe(200);
    await first.server.close();
    await expect(stream.text()).rejects.toThrow("terminated");
    const second = await inspectedHive({ port: first.server.port });
    expect((await second.open(first.server.token)).status).toBe(401);
  });

  it("C09: wrong ones share one bucket, from whatever form of the address they come", async () => {
    const { server, open } = await inspectedHive();
    const statuses: (number | undefined)[] = [];
    const waits: number[] = [];
    for (let tried = 0; tried < 100; tried += 1) {
      const host = tried % 2 === 0 ? "127.0.0.1" : "::ffff:127.0.0.1";
      const headers = { authorization: `Bearer wrong${tried}`, host: `127.0.0.1:${server.port}` };
      const { status, headers: told } = await ask(server.port, { host, headers });
      statuses.push(status);
      waits.push(Number(told["retry-after"] ?? 0));
    }
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(12);
    expect([statuses.at(-1), waits.at(-1)]).toEqual([429, expect.any(Number)]);
    expect(waits.at(-1)).toBeGreaterThan(0);
    const right = await open();
    expect(right.status).toBe(200);
    await right.body?.cancel();
  });

  it("wrong ones are looked at again one every six seconds", () => {
    let now = 0;
    const gate = new TokenGate("right", () => now);
    for (let tried = 0; tried < 10; tried += 1) {
      expect(gate.admit("Bearer wrong")).toEqual({ admitted: false, waitMs: 0 });
    }
    now = 2_000;
    expect(gate.admit("Bearer wrong")).toEqual({ admitted: false, waitMs: 4_000 });
    expect(gate.admit("Bearer right")).toEqual({ admitted: true });
    now = 6_000;
    expect(gate.admit("Bearer wrong")).toEqual({ admitted: false, waitMs: 0 });
    expect(gate.admit("Bearer wrong")).toEqual({ admitted: false, waitMs: 6_000 });
  });
});

describe("the address", () => {
  it("C02: another name for this machine is not answered", async () => {
    const { server } = await inspectedHive();
    const { port, token } = server;
    const authorization = `Bearer ${token}`;
    const foreign = [
      `evil.com:${port}`,
      `127.0.0.1.nip.io:${port}`,
      "127.0.0.1",
      `127.0.0.1:${port + 1}`,
      `localhost.:${port}`,
      `[::1]:${port}`,
    ];
    for (const host of foreign) {
      const { status, body } = await ask(port, { headers: { host, authorization } });
      expect([host, status]).toEqual([host, 421]);
      expect(body).not.toContain("session/");
      expect((await ask(port, { path: "/", headers: { host } })).status).toBe(421);
    }
    const to = { host: "127.0.0.1", port };
    expect(statusOf(await say(to, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"))).toBe(400);
    expect(statusOf(await say(to, "GET / HTTP/1.0\r\n\r\n"))).toBe(421);
    const twice = `Host: 127.0.0.1:${port}\r\nHost: evil.com\r\n`;
    expect(statusOf(await say(to, `GET / HTTP/1.1\r\n${twice}\r\n`))).not.toBe(200);
    expect((await ask(port, { path: "/", headers: { host: `localhost:${port}` } })).status).toBe(
      200,
    );
  });

  it("C03: pages of another origin get nothing, and no word that they may ask", async () => {
    const { server } = await inspectedHive();
    const { port, token } = server;
    const authorization = `Bearer ${token}`;
    const foreign = [
      { origin: "https://evil.com" },
      { origin: "null" },
      { origin: "http://localhost:3000" },
      { origin: `http://localhost:${port}` },
      { origin: `https://127.0.0.1:${port}` },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) {
      for (const path of ["/", "/stream", "/charts/run.svg", "/web/page/main.js"]) {
        const { status, headers: told } = await ask(port, {
          path,
          headers: { ...headers, authorization },
        });
        expect([headers, path, status]).toEqual([headers, path, 403]);
        expect(Object.keys(told).filter((name) => name.startsWith("access-control"))).toEqual([]);
      }
    }
    const preflight = {
      "origin": "https://evil.com",
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    };
    const { status } = await ask(port, { method: "OPTIONS", headers: preflight });
    expect(status).toBe(403);
  });

  it("C10: a page that tries the port learns nothing but a refusal", async () => {
    const { server } = await inspectedHive();
    for (const path of ["/", "/web/page/icon.svg", "/web/page/main.js", "/nothing"]) {
      const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
      const { status, headers: told, body } = await ask(server.port, { path, headers });
      expect([path, status]).toEqual([path, 403]);
      expect(told["cross-origin-resource-policy"]).toBe("same-origin");
      expect(body.toLowerCase()).not.toContain("statehive");
    }
  });
});

describe("what is sent along", () => {
  it("C04: no body is taken, and no other protocol spoken", async () => {
    const { server } = await inspectedHive();
    const { port, token } = server;
    const to = { host: "127.0.0.1", port };
    const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
    for (const type of ["application/x-www-form-urlencoded", "text/plain", "application/json"]) {
      const form = `POST /stream HTTP/1.1\r\n${head}Content-Type: ${type}\r\nContent-Length: 3\r\n\r\na=b`;
      expect(statusOf(await say(to, form))).toBe(415);
    }
    for (const method of ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"]) {
      expect((await ask(port, { method })).status).toBe(405);
    }
    const upgrade =
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n";
    const host = `Host: 127.0.0.1:${port}\r\n`;
    const without = `GET /stream HTTP/1.1\r\n${host}${upgrade}\r\n`;
    expect(statusOf(await say(to, without))).toBe(401);
    const foreign = `GET /stream HTTP/1.1\r\n${head}${upgrade}Origin: https://evil.com\r\n\r\n`;
    expect(statusOf(await say(to, foreign))).toBe(403);
  });

  it("C05: two lengths, large headers, large bodies, slow and idle clients are cut off", async () => {
    const { port } = (await inspectedHive()).server;
    const to = { host: "127.0.0.1", port };
    const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
    const both = `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`;
    const smuggled = await say(to, both);
    expect([400, 413]).toContain(statusOf(smuggled));
    expect(smuggled.match(/HTTP\/1\.1 /g)?.length).toBe(1);
    const large = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`;
    expect(statusOf(await say(to, large))).toBe(431);
    const body = `${head}Content-Length: 10000000\r\n\r\n${"x".repeat(100_000)}`;
    expect(statusOf(await say(to, body))).toBe(413);
    const hasty = (await inspectedHive({ headersTimeoutMs: 100 })).server;
    const toHasty = { host: "127.0.0.1", port: hasty.port };
    const slow = await say(toHasty, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${hasty.port}\r\nX-Slow: `);
    expect(statusOf(slow)).toBe(408);
    const idle = await Promise.all(Array.from({ length: 300 }, () => say(toHasty, "")));
    expect(idle.filter((answer) => statusOf(answer) === 200)).toEqual([]);
    await expect.poll(async () => (await ask(hasty.port, { path: "/" })).status).toBe(200);
  });
});

describe("what is served", () => {
  it("is the empty page and the charts, each under headers that let nothing else in", async () => {
    const { server, base } = await inspectedHive();
    const page = await fetch(`${base}/`);
    expect(await page.text()).not.toContain(server.token);
    expect(page.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src https://stately.example; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    for (const [name, value] of [
      ["x-content-type-options", "nosniff"],
      ["referrer-policy", "no-referrer"],
      ["x-frame-options", "DENY"],
      ["cache-control", "no-store"],
    ] as const) {
      expect(page.headers.get(name)).toBe(value);
    }
    expect((await fetch(`${base}/charts/run.svg`)).headers.get("content-type")).toBe(
      "image/svg+xml",
    );
    for (const path of [
      "/package.json",
      "/cli/main.js",
      "/web/page/",
      "/web/page/..%2f..%2fcli/main.js",
      "/charts/../cli/main.js",
      "/text/text-width.js",
    ]) {
      expect([path, (await ask(server.port, { path })).status]).toEqual([path, 404]);
    }
  });

  it("is each module that another one names, and that alone", async () => {
    const { base } = await inspectedHive();
    const asked = new Set<string>();
    const follow = async (path: string): Promise<void> => {
      if (asked.has(path)) return;
      asked.add(path);
      const response = await fetch(base + path);
      expect([path, response.status]).toEqual([path, 200]);
      const source = await response.text();
      for (const [, name = ""] of source.matchAll(/^import [^"]*"([^"]*)"/gm)) {
        await follow(new URL(name, base + path).pathname);
      }
    };
    await follow("/web/page/main.js");
    expect(asked.size).toBeGreaterThan(10);
    expect([...asked].every((path) => /^\/(?:web\/page|text)\//.test(path))).toBe(true);
  });

  it("lets the browser frame nothing where the hosted inspector is not offered", async () => {
    const { base } = await inspectedHive({ hosted: null });
    const policy = (await fetch(`${base}/`)).headers.get("content-security-policy");
    expect(policy).not.toContain("frame-src");
  });

  it("says that a port is in use", async () => {
    const { server } = await inspectedHive();
    await expect(inspectedHive({ port: server.port })).rejects.toMatchObject({
      code: "port.unavailable",
      message: `Port ${server.port} of 127.0.0.1 cannot be used: EADDRINUSE.`,
    });
  });
});
