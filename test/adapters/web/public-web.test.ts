import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { isPublicAddress } from "../../../src/adapters/web/public-address.ts";
import { createPublicWeb, type PublicWebOptions } from "../../../src/adapters/web/public-web.ts";
import { readPage } from "../../../src/adapters/web/read-page.ts";
import type { Web } from "../../../src/ports/web.ts";

/** A server of the test plays the internet: the name `site.org` leads to it, and its address counts as public. */

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const open: { close(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

type Site = { readonly port: number; readonly hits: string[]; readonly headers: object[] };

async function serve(handler: Handler): Promise<Site> {
  const hits: string[] = [];
  const headers: object[] = [];
  const server: Server = createServer((request, response) => {
    hits.push(`${request.headers.host?.split(":")[0]}${request.url}`);
    headers.push(request.headers);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => (server.closeAllConnections(), server.close()) });
  return { port: (server.address() as AddressInfo).port, hits, headers };
}

/** A busy machine is no slow site. */
const unhurried = { silenceTimeoutMs: 50_000, readingMs: 50_000, deadlineMs: 50_000 };
const here = [{ address: "127.0.0.1", family: 4 }];

function webTo({ port }: { readonly port: number }, options: PublicWebOptions = {}): Web {
  return createPublicWeb({
    rules: { ports: [port], isAllowedAddress: (address) => address === "127.0.0.1" },
    resolve: (_name, answer) => answer(null, here),
    ...options,
    limits: { ...unhurried, ...options.limits },
  });
}

const never = new AbortController().signal;
const html =
  (body: string): Handler =>
  (_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(body);
  };

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

async function codeOf(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    () => "answered",
    (thrown: { code?: string; message?: string }) => `${thrown.code}: ${thrown.message}`,
  );
}

describe("a page of the web", () => {
  it("is read as Markdown, with its title, whole links and no scripts", async () => {
    const words =
      "It goes on, with commas, and with enough words to be the content of the page. ".repeat(4);
    const site = await serve(
      html(
        `<title>Tea</title><nav>menu</nav><article><h1>How to make tea</h1><p>${words}<a href="/milk">Milk</a></p>
        <script>steal()</script><!-- tell nobody --><p hidden>unseen</p><pre><code>boil()</code></pre></article>`,
      ),
    );
    const answer = await webTo(site).get(`http://site.org:${site.port}/tea`, never);
    expect(answer).toMatchObject({ kind: "page", status: 200, title: "Tea", isWhole: true });
    const { text } = answer as { text: string };
    expect(text).toContain(`[Milk](http://site.org:${site.port}/milk)`);
    expect(text).toContain("```\nboil()\n```");
    expect(text).not.toMatch(/steal|tell nobody|unseen|menu/);
  });

  it("is given as it is when it is other text, in the encoding that it names", async () => {
    const site = await serve((_request, response) => {
      response.setHeader("content-type", "text/plain; charset=iso-8859-1");
      response.end(Buffer.from("caf\u00e9", "latin1"));
    });
    const answer = await webTo(site).get(`http://site.org:${site.port}/`, never);
    expect(answer).toMatchObject({ kind: "page", text: "café", title: null });
  });

  it("carries no cookie and no credential, and names who asks", async () => {
    const site = await serve(html("<p>hi</p>"));
    await webTo(site).get(`http://site.org:${site.port}/`, never);
    expect(site.headers[0]).toMatchObject({ "user-agent": "statehive" });
    expect(Object.keys(site.headers[0] ?? {})).not.toContain("cookie");
    expect(Object.keys(site.headers[0] ?? {})).not.toContain("authorization");
  });

  it("is refused when it is no text", async () => {
    const site = await serve((_request, response) => {
      response.setHeader("content-type", "image/png");
      response.end("x");
    });
    expect(await codeOf(webTo(site).get(`http://site.org:${site.port}/a.png`, never))).toBe(
      `web.unreadable: http://site.org:${site.port}/a.png is image/png, not text.`,
    );
  });

  it("is given with its status when the server says no", async () => {
    const site = await serve((_request, response) => {
      response.statusCode = 404;
      response.end("nothing here");
    });
    const answer = await webTo(site).get(`http://site.org:${site.port}/`, never);
    expect(answer).toMatchObject({ kind: "page", status: 404, text: "nothing here" });
  });

  it("is given as plain text where it was made to keep a parser busy for hours", async () => {
    const site = await serve(html(`${"<div>".repeat(20_000)}deep inside<script>x</script>`));
    const web = webTo(site, { limits: { readingMs: 300 } });
    expect(await web.get(`http://site.org:${site.port}/`, never)).toMatchObject({
      title: null,
      text: "deep inside",
    });
  });

  it("S06: is not asked for where a redirect leads inside, by address or by name", async () => {
    const inner = await serve(html("secret"));
    const site = await serve((request, response) => {
      const to =
        request.url === "/a"
          ? `http://127.0.0.2:${inner.port}/`
          : `http://inside.org:${inner.port}/`;
      response.writeHead(302, { location: to }).end();
    });
    const web = webTo(site, {
      rules: {
        ports: [site.port, inner.port],
        isAllowedAddress: (address) => address === "127.0.0.1",
      },
      resolve: (name, answer) =>
        answer(null, name === "inside.org" ? [{ address: "127.0.0.2", family: 4 }] : here),
    });
    const first = await codeOf(web.get(`http://site.org:${site.port}/a`, never));
    expect(first).toMatch(/^web\.blocked: .*127\.0\.0\.2 is not a public address/);
    expect(await web.get(`http://site.org:${site.port}/b`, never)).toEqual({
      kind: "moved",
      to: `http://inside.org:${inner.port}/`,
    });
    expect(await codeOf(web.get(`http://inside.org:${inner.port}/`, never))).toMatch(
      /^web\.blocked/,
    );
    expect(inner.hits).toEqual([]);
  });

  it("S07: is judged at every connection, so that a name that leads elsewhere the next time gains nothing", async () => {
    const site = await serve((_request, response) => {
      response.setHeader("connection", "close");
      response.end("public");
    });
    let lookups = 0;
    const web = webTo(site, {
      resolve: (_name, answer) => {
        lookups += 1;
        answer(null, lookups % 2 === 1 ? here : [{ address: "127.0.0.2", family: 4 }]);
      },
    });
    const answers = [];
    for (let turn = 0; turn < 6; turn += 1)
      answers.push(
        (await codeOf(web.get(`http://turn${turn}.org:${site.port}/`, never))).split(":")[0],
      );
    expect(answers).toEqual([
      "answered",
      "web.blocked",
      "answered",
      "web.blocked",
      "answered",
      "web.blocked",
    ]);
    expect(site.hits).toEqual(["turn0.org/", "turn2.org/", "turn4.org/"]);
  });

  it.each([
    ["127.0.0.2", 4],
    ["::ffff:127.0.0.1", 6],
  ])("S08: is refused where one of its addresses is inside: %s", async (address, family) => {
    const site = await serve(html("x"));
    const web = webTo(site, {
      resolve: (_name, answer) => answer(null, [...here, { address, family }]),
    });
    expect(await codeOf(web.get(`http://mixed.org:${site.port}/`, never))).toMatch(
      /^web\.blocked: mixed\.org leads to /,
    );
    expect(site.hits).toEqual([]);
  });

  it("S10: ends a circle of redirects, follows them on one host only, and carries nothing to another", async () => {
    const site = await serve((request, response) => {
      if (request.url === "/there") response.end("arrived");
      else if (request.url === "/once") response.writeHead(301, { location: "/there" }).end();
      else if (request.url === "/away")
        response.writeHead(302, { location: "http://other.org/x" }).end();
      else response.writeHead(302, { location: "/circle" }).end();
    });
    const base = `http://site.org:${site.port}`;
    const web = webTo(site, {
      rules: { ports: [site.port, 80], isAllowedAddress: (address) => address === "127.0.0.1" },
    });
    expect(await web.get(`${base}/once`, never)).toMatchObject({
      url: `${base}/there`,
      text: "arrived",
    });
    expect(await web.get(`${base}/away`, never)).toEqual({
      kind: "moved",
      to: "http://other.org/x",
    });
    expect(await codeOf(web.get(`${base}/circle`, never))).toMatch(
      /^web\.blocked: .*more than 5 times/,
    );
    expect(site.hits.filter((hit) => hit.startsWith("other.org"))).toEqual([]);
  });

  it("S11: is cut where it has no end, also when it was packed small", async () => {
    const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024, "a"));
    const site = await serve((request, response) => {
      response.setHeader("content-type", "text/plain");
      if (request.url === "/bomb") response.setHeader("content-encoding", "gzip").end(packed);
      else {
        const more = (): void => {
          while (!response.destroyed && response.write("endless ".repeat(1_000)));
          if (!response.destroyed) response.once("drain", more);
        };
        more();
      }
    });
    const web = webTo(site, { limits: { maxBytes: 100_000 } });
    for (const path of ["bomb", "endless"]) {
      expect(await web.get(`http://site.org:${site.port}/${path}`, never)).toMatchObject({
        bytes: 100_000,
        isWhole: false,
      });
    }
  });

  it("S11: is given up when nothing comes, or too slowly", async () => {
    const site = await serve((request, response) => {
      if (request.url === "/drip") response.write("a");
    });
    const limits = { silenceTimeoutMs: 1_000, deadlineMs: 150 };
    const web = webTo(site, { limits });
    expect(await codeOf(web.get(`http://site.org:${site.port}/mute`, never))).toBe(
      "web.unreachable: site.org: it took too long.",
    );
    expect(await codeOf(web.get(`http://site.org:${site.port}/drip`, never))).toBe(
      "web.unreachable: site.org: it took too long.",
    );
  });

  it("S11: is not parsed longer where memory is tidied up meanwhile", async () => {
    const site = await serve(html(`${"<div>".repeat(50_000)}deep inside`));
    const tidying = setInterval(collectGarbage, 50);
    const web = webTo(site, { limits: { readingMs: 400, deadlineMs: 20_000 } });
    const answer = web.get(`http://site.org:${site.port}/`, never);
    expect(await answer.finally(() => clearInterval(tidying))).toMatchObject({
      text: "deep inside",
    });
  });

  it("S11: is not given to a parser that nobody would stop any more", async () => {
    const page = { html: `${"<div>".repeat(200_000)}deep inside`, url: "http://site.org/" };
    expect(await readPage(page, AbortSignal.abort())).toEqual({ title: null, text: "deep inside" });
  });

  it("S13: is asked for directly, whatever proxy the environment names", async () => {
    const proxy = createTcpServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    open.push(proxy);
    const site = await serve(html("<p>direct</p>"));
    const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY"];
    for (const name of names)
      process.env[name] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const answer = await webTo(site).get(`http://site.org:${site.port}/`, never);
    for (const name of names) delete process.env[name];
    expect(answer).toMatchObject({ text: "direct" });
  });

  it("is not waited for once the call is stopped", async () => {
    const site = await serve(() => undefined);
    const stop = new AbortController();
    const answer = codeOf(webTo(site).get(`http://site.org:${site.port}/`, stop.signal));
    stop.abort();
    expect(await answer).toMatch(/^activity\.aborted/);
  });

  it("says in words what kept it away", async () => {
    const site = await serve((_request, response) => response.destroy());
    const web = webTo(site);
    expect(await codeOf(web.get(`http://site.org:${site.port}/`, never))).toBe(
      "web.unreachable: site.org: the connection broke off.",
    );
    const nowhere = webTo(site, {
      resolve: (name, answer) =>
        answer(
          Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }),
          [],
        ),
    });
    expect(await codeOf(nowhere.get(`http://nowhere.org:${site.port}/`, never))).toBe(
      "web.unreachable: nowhere.org: no such name.",
    );
  });

  it("speaks to no address of the inside by default", async () => {
    const site = await serve(html("x"));
    const web = createPublicWeb({
      rules: { ports: [site.port], isAllowedAddress: isPublicAddress },
    });
    expect(await codeOf(web.get(`http://127.0.0.1:${site.port}/`, never))).toMatch(/^web\.blocked/);
    expect(site.hits).toEqual([]);
  });
});
