import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  messageIdOf,
  messagePost,
} from "../../../../src/adapters/channel/webhook/outbound-post.ts";
import { homeWith, loadedFrom } from "../../../config/homes.ts";
import { listener } from "../http/listener.ts";

/** What docs/webhook.md shows is what is taken and posted. */

const page = readFileSync("docs/webhook.md", "utf8");
const block = (language: string) =>
  new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1] ?? "";

it("has a configuration that loads", () => {
  const env = { CRM_SECRET: "0123456789abcdef", CRM_CALLBACK_SECRET: "back" };
  const { config } = loadedFrom(homeWith({ "config/main.yaml": block("yaml") }), env);
  expect(config.connectors).toMatchObject([{ id: "crm", type: "webhook", approvers: ["ann"] }]);
});

it("has a call by curl that is taken", async () => {
  const curl = block("sh");
  const [, path] =
    /curl -i http:\/\/127\.0\.0\.1:8443(\S+) -H "Authorization: Bearer/.exec(curl) ?? [];
  const [, body] = /-d '(.*)'/.exec(curl) ?? [];
  const { post, taken } = await listener();
  expect((await post({ path: path ?? "", body: body ?? "" })).status).toBe(200);
  expect(taken[0]?.update).toMatchObject({ update_id: "m-1", what: { text: "Hello." } });
});

it("has a message as it is posted", () => {
  const shown = JSON.parse(block("json")) as { delivery: string };
  const message = {
    scope: "ann",
    body: { kind: "markdown", text: "Good day." },
    buttons: [],
    reply_to: null,
    wants_reply: false,
  } as const;
  const key = shown.delivery;
  const posting = { connector: "crm", key, messageId: messageIdOf(key), part: 0 };
  expect(shown).toEqual(messagePost(message, { event: "message", ...posting }));
});
