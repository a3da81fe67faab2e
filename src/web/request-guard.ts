import type { IncomingMessage } from "node:http";

/** What a request is refused with, before anybody looks at what it wants. */
export type Refusal = { readonly status: number; readonly reason: string };

/** Bodies up to this size are told that none is taken; larger ones are not read at all. */
const tolerableBody = 64 * 1024;

/** Only a page of our own, or somebody who typed the address, may ask: a name that was pointed at this machine, or a page of
 *  somebody else in the same browser, may not. Headers that a proxy would set have no meaning here. */
export function refusalOf(request: IncomingMessage, port: number): Refusal | undefined {
  const hosts = hostsAt(port);
  const { host = [], origin = [] } = request.headersDistinct;
  if (host.length !== 1 || !hosts.includes(host[0] ?? "")) {
    return { status: 421, reason: "This is not the address of this page." };
  }
  if (origin.length > 1 || !origin.every((given) => given === `http://${host[0]}`)) {
    return { status: 403, reason: "Pages of another origin get nothing here." };
  }
  if (!isOfThisPage(request.headersDistinct["sec-fetch-site"])) {
    return { status: 403, reason: "Pages of another site get nothing here." };
  }
  return bodyRefusal(request) ?? targetRefusal(request);
}

function hostsAt(port: number): readonly string[] {
  const names = ["127.0.0.1", "localhost"];
  const hosts = names.map((name) => `${name}:${port}`);
  return port === 80 ? [...names, ...hosts] : hosts;
}

/** Browsers say whether a request comes from a page, and of which site; what is no browser says nothing. */
function isOfThisPage(site: readonly string[] | undefined): boolean {
  return site === undefined || site.every((word) => word === "none" || word === "same-origin");
}

function bodyRefusal({ headers }: IncomingMessage): Refusal | undefined {
  const length = Number(headers["content-length"] ?? 0);
  if (headers["transfer-encoding"] !== undefined || length > tolerableBody) {
    return { status: 413, reason: "No body is taken." };
  }
  return length > 0 ? { status: 415, reason: "No body is taken." } : undefined;
}

function targetRefusal({ method, url = "" }: IncomingMessage): Refusal | undefined {
  if (method !== "GET") {
    return { status: 405, reason: "Only GET is understood." };
  }
  if (!url.includes("?")) return undefined;
  return { status: 400, reason: "No query is taken; a token does not belong into one." };
}
