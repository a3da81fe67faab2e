import type { Web, WebAnswer, WebPage } from "../../ports/web.ts";
import { AgentError } from "../../schema/errors.ts";

/** A web of the pages that it is given; everything else is not reachable. For tests and for programs without a network. */
export function createScriptedWeb(answers: Readonly<Record<string, WebAnswer>> = {}): Web {
  return {
    get: async (url, signal) => {
      if (signal.aborted) throw new AgentError("activity.aborted", "The page was not waited for.");
      const answer = Object.hasOwn(answers, url) ? answers[url] : undefined;
      if (answer !== undefined) return answer;
      throw new AgentError("web.unreachable", `${new URL(url).hostname}: no such name.`);
    },
  };
}

/** A page of plain text that came whole. */
export function textPage(url: string, text: string): { readonly kind: "page" } & WebPage {
  const bytes = Buffer.byteLength(text);
  const contentType = "text/plain";
  return { kind: "page", url, status: 200, contentType, title: null, text, bytes, isWhole: true };
}
