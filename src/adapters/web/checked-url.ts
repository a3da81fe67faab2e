import { isIP } from "node:net";
import { AgentError } from "../../schema/errors.ts";

/** What an address may look like before anybody is asked about it. */

export type UrlRules = {
  readonly ports: readonly number[];
  readonly isAllowedAddress: (address: string) => boolean;
};

/** Names that never lead to the public internet. */
const insideName =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|arpa|onion|test|invalid|example)$/;

/** @throws AgentError web.blocked */
export function checkedUrl(text: string, rules: UrlRules): URL {
  if (!URL.canParse(text)) throw blocked(text, "is no URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw blocked(text, "is neither http: nor https:");
  if (url.username !== "" || url.password !== "") throw blocked(text, "names a user");
  const port = portOf(url);
  if (!rules.ports.includes(port)) throw blocked(text, `names the port ${port}`);
  const host = hostOf(url);
  if (isIP(host) > 0) {
    if (!rules.isAllowedAddress(host)) throw blocked(text, `${host} is not a public address`);
  } else if (!host.includes(".") || insideName.test(host)) {
    throw blocked(text, `${host} is not a public name`);
  }
  return url;
}

/** Without brackets and the dot of a full name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

export function blocked(url: string, why: string): AgentError {
  return new AgentError("web.blocked", `${url.slice(0, 200)} is not asked: ${why}.`, {
    hint: "Only pages of the public internet can be read, over http and https on their usual ports.",
  });
}
