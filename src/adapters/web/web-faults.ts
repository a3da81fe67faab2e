import { AgentError } from "../../schema/errors.ts";

type Asked = { readonly url: string; readonly signal: AbortSignal };

/** What a failed request becomes; the guard's own refusal lies within undici's errors. */
export function webFault(thrown: unknown, { url, signal }: Asked): AgentError {
  const ours = chainOf(thrown).find((link) => link instanceof AgentError);
  if (ours !== undefined) return ours;
  if (signal.aborted) return new AgentError("activity.aborted", "The page was not waited for.");
  const host = URL.canParse(url) ? new URL(url).hostname : url.slice(0, 200);
  return new AgentError("web.unreachable", `${host}: ${reasonOf(thrown)}.`);
}

function chainOf(thrown: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  let link: unknown = thrown;
  while (link !== undefined && link !== null && chain.length < 8) {
    chain.push(link);
    link = link instanceof Error ? link.cause : undefined;
  }
  return chain;
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "no such name",
  EAI_AGAIN: "the name could not be looked up",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection broke off",
  UND_ERR_CONNECT_TIMEOUT: "it could not be connected to in time",
  UND_ERR_HEADERS_TIMEOUT: "it did not answer in time",
  UND_ERR_BODY_TIMEOUT: "it stopped in the middle of its answer",
  UND_ERR_HEADERS_OVERFLOW: "its headers are too long",
  UND_ERR_SOCKET: "the connection broke off",
};

/** The innermost that says something. */
function reasonOf(thrown: unknown): string {
  const chain = chainOf(thrown).toReversed();
  const codes = chain.map((link) => (link as { code?: unknown }).code);
  const known = codes.map((code) => reasons[String(code)]).find((reason) => reason !== undefined);
  if (known !== undefined) return known;
  if (chain.some((link) => (link as { name?: unknown }).name === "TimeoutError"))
    return "it took too long";
  const [innermost] = chain;
  return innermost instanceof Error ? innermost.message : String(innermost);
}
