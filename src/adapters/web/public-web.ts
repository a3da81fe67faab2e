import { type Agent, fetch, type Response } from "undici";
import type { Web, WebAnswer } from "../../ports/web.ts";
import { AgentError } from "../../schema/errors.ts";
import { readBounded } from "./bounded-body.ts";
import { blocked, checkedUrl, hostOf, type UrlRules } from "./checked-url.ts";
import { decodeText } from "./decode-text.ts";
import { endingWithin } from "./ending-within.ts";
import { createGuardedAgent, type Resolve, systemResolve } from "./guarded-agent.ts";
import type { PageText } from "./page-markdown.ts";
import { isPublicAddress } from "./public-address.ts";
import { readPage } from "./read-page.ts";
import { webFault } from "./web-faults.ts";

export type PublicWebOptions = {
  /** Tests speak to servers of their own: elsewhere the defaults stand. */
  readonly rules?: UrlRules;
  readonly resolve?: Resolve;
  readonly limits?: Partial<WebLimits>;
};

export type WebLimits = {
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly deadlineMs: number;
  readonly connectTimeoutMs: number;
  readonly silenceTimeoutMs: number;
  /** For making Markdown of a page; then it is given as plain text. */
  readonly readingMs: number;
};

const publicRules: UrlRules = { ports: [80, 443], isAllowedAddress: isPublicAddress };

const defaultLimits: WebLimits = {
  maxBytes: 4 * 1024 * 1024,
  maxRedirects: 5,
  deadlineMs: 30_000,
  connectTimeoutMs: 5_000,
  silenceTimeoutMs: 10_000,
  readingMs: 5_000,
};

const redirects = new Set([301, 302, 303, 307, 308]);
const textTypes = /^(?:text\/|application\/(?:[a-z.+-]*\+)?(?:json|xml|yaml|javascript)\b)/;

/** The one way from a tool to the internet. Each hop's address is judged before it is asked, and again when it is connected to. */
export function createPublicWeb(options: PublicWebOptions = {}): Web {
  const rules = options.rules ?? publicRules;
  const limits = { ...defaultLimits, ...options.limits };
  const { connectTimeoutMs, silenceTimeoutMs } = limits;
  const { isAllowedAddress } = rules;
  const resolve = options.resolve ?? systemResolve;
  const agent = createGuardedAgent({
    resolve,
    isAllowedAddress,
    connectTimeoutMs,
    silenceTimeoutMs,
  });
  return {
    get: async (url, signal) => {
      const ending = endingWithin(signal, limits.deadlineMs);
      try {
        return await follow(
          { agent, rules, limits, signal: ending.signal },
          checkedUrl(url, rules),
        );
      } catch (thrown) {
        throw webFault(thrown, { url, signal });
      } finally {
        ending.release();
      }
    },
  };
}

type Asking = {
  readonly agent: Agent;
  readonly rules: UrlRules;
  readonly limits: WebLimits;
  readonly signal: AbortSignal;
};

async function follow(asking: Asking, first: URL): Promise<WebAnswer> {
  let url = first;
  for (let hop = 0; hop <= asking.limits.maxRedirects; hop += 1) {
    const response = await ask(asking, url);
    if (!redirects.has(response.status)) return read(asking, url, response);
    await response.body?.cancel();
    const next = nextHop(asking, url, response.headers.get("location"));
    if (hostOf(next) !== hostOf(first)) return { kind: "moved", to: next.href };
    url = next;
  }
  throw blocked(first.href, `it redirects more than ${asking.limits.maxRedirects} times`);
}

function ask({ agent, signal }: Asking, url: URL): Promise<Response> {
  return fetch(url, {
    dispatcher: agent,
    signal,
    redirect: "manual",
    headers: {
      "accept": "text/html, text/*;q=0.9, application/json;q=0.9",
      "user-agent": "statehive",
    },
  });
}

function nextHop({ rules }: Asking, from: URL, location: string | null): URL {
  if (location === null || !URL.canParse(location, from.href))
    throw blocked(from.href, "it redirects to what is no URL");
  const next = checkedUrl(new URL(location, from.href).href, rules);
  if (from.protocol === "https:" && next.protocol === "http:")
    throw blocked(next.href, "it is a redirect from https: to http:");
  return next;
}

async function read(asking: Asking, url: URL, response: Response): Promise<WebAnswer> {
  const contentType = (response.headers.get("content-type") ?? "text/plain").toLowerCase();
  const { status } = response;
  const { href } = url;
  if (!textTypes.test(contentType) && !isHtml(contentType)) {
    await response.body?.cancel();
    throw new AgentError("web.unreadable", `${href} is ${contentType.slice(0, 100)}, not text.`);
  }
  const { bytes, isWhole } = await readBounded(response.body, asking.limits.maxBytes);
  const raw = decodeText(bytes, contentType);
  const { title, text } = isHtml(contentType)
    ? await readHtml(asking, raw, href)
    : { title: null, text: raw };
  const size = bytes.length;
  return { kind: "page", url: href, status, contentType, title, text, bytes: size, isWhole };
}

async function readHtml({ limits, signal }: Asking, html: string, url: string): Promise<PageText> {
  const enough = endingWithin(signal, limits.readingMs);
  const page = await readPage({ html, url }, enough.signal);
  enough.release();
  signal.throwIfAborted();
  return page;
}

function isHtml(contentType: string): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\b/.test(contentType);
}
