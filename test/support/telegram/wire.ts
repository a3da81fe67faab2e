import type { IncomingMessage } from "node:http";

/** How a request of the Bot API is read, and how it is answered. */

export type Upload = { readonly name: string; readonly type: string; readonly bytes: Uint8Array };
export type Params = Readonly<Record<string, unknown>>;

/** What the Bot API answers in place of a result. */
export class Refusal extends Error {
  readonly errorCode: number;
  readonly parameters: Params | undefined;

  constructor(errorCode: number, description: string, parameters?: Params) {
    super(description);
    this.errorCode = errorCode;
    this.parameters = parameters;
  }
}

export function badRequest(words: string): Refusal {
  return new Refusal(400, `Bad Request: ${words}`);
}

export function refusalBody({ errorCode, message, parameters }: Refusal): Params {
  const body = { ok: false, error_code: errorCode, description: message };
  return parameters === undefined ? body : { ...body, parameters };
}

const structured = new Set([
  "allowed_updates",
  "commands",
  "entities",
  "link_preview_options",
  "message_ids",
  "reaction",
  "reply_markup",
  "reply_parameters",
  "scope",
]);

/** Forms hold strings; the fields that the API describes as objects hold JSON. */
function fieldOf(name: string, value: unknown): unknown {
  if (typeof value !== "string" || !structured.has(name)) return value;
  try {
    return JSON.parse(value);
  } catch {
    throw badRequest(`object expected as ${name}`);
  }
}

async function readForm(type: string, body: Buffer): Promise<[string, unknown][]> {
  const form = await new Response(new Uint8Array(body), {
    headers: { "content-type": type },
  }).formData();
  const fields: [string, unknown][] = [];
  for (const [name, value] of form.entries()) {
    if (typeof value === "string") fields.push([name, value]);
    else {
      const bytes = new Uint8Array(await value.arrayBuffer());
      fields.push([name, { name: value.name, type: value.type, bytes } satisfies Upload]);
    }
  }
  return fields;
}

async function fieldsOf(type: string, body: Buffer): Promise<[string, unknown][]> {
  if (body.length === 0) return [];
  if (type.startsWith("application/json")) return Object.entries(JSON.parse(body.toString("utf8")));
  if (type.startsWith("multipart/form-data")) return await readForm(type, body);
  return [...new URLSearchParams(body.toString("utf8"))];
}

export async function readParams(incoming: IncomingMessage, query: URLSearchParams) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const type = incoming.headers["content-type"] ?? "";
  const fields = [...query, ...(await fieldsOf(type, Buffer.concat(chunks)))];
  return Object.fromEntries(fields.map(([name, value]) => [name, fieldOf(name, value)]));
}

export function numberIn(params: Params, name: string): number | undefined {
  const value = params[name];
  if (value === undefined || value === "") return undefined;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw badRequest(`${name} must be an integer`);
  return number;
}

export function textIn(params: Params, name: string): string {
  const value = params[name];
  return typeof value === "string" ? value : "";
}

export function isTrue(params: Params, name: string): boolean {
  return params[name] === true || params[name] === "true" || params[name] === "1";
}

export function objectIn(params: Params, name: string): Params | undefined {
  const value = params[name];
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null) throw badRequest(`object expected as ${name}`);
  return value as Params;
}
