import { shorten, shown } from "../../../text/shown.ts";

const mostKept = 16_000;
const longestName = 40;
const mostTools = 3;

/** What a run shows while it works: what its model has written in the present attempt, and the tools that are in use, a line each. */
export class LiveText {
  private written = "";
  /** The next piece begins another text; until it comes, the old one stays. */
  private isOld = false;
  private readonly tools = new Map<string, string>();

  add(text: string): void {
    this.written = ((this.isOld ? "" : this.written) + text).slice(-mostKept);
    this.isOld = false;
  }

  beginAnew(): void {
    this.isOld = true;
  }

  /** @param call the call's address */
  useTool(call: string, name: string): void {
    this.tools.set(call, shorten(shown(name).replaceAll("`", "'"), longestName));
  }

  leaveTool(call: string): void {
    this.tools.delete(call);
  }

  /** Markdown; "" while there is nothing to show. */
  toMarkdown(): string {
    const names = [...this.tools.values()];
    const lines = names.slice(0, mostTools).map((name) => `🔧 \`${name}\` …`);
    const more = names.length > mostTools ? [`🔧 and ${names.length - mostTools} more …`] : [];
    const text = this.written.trim();
    return [...(text === "" ? [] : [text, ""]), ...lines, ...more].join("\n").trim();
  }
}
