import type { z } from "zod";
import { longestSocketPath } from "../src/config/run-paths.ts";
import { jsonLimits } from "../src/policy/json-input.ts";
import { commonErrors, errorsOf } from "../src/schema/socket/method-errors.ts";
import { methodParams } from "../src/schema/socket/method-params.ts";
import { notificationParams } from "../src/schema/socket/notifications.ts";
import { type Method, protocolVersion, readMethods } from "../src/schema/socket/protocol.ts";
import { methodResults } from "../src/schema/socket/results.ts";
import { maxLineBytes, mostAtOnce, mostUnreadBytes, rpcCodes } from "../src/server/limits.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { namedShapes, shapeName } from "./socket-page/named-shapes.ts";
import { sampleSession } from "./socket-page/sample-session.ts";
import {
  type Field,
  fieldsOf,
  linkTo,
  type Schema,
  schemaOf,
  typeWords,
  variantsOf,
} from "./socket-page/shape-text.ts";

const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;
const code = (name: string): string => `\`${name}\``;

const introduction = `# The socket

Made from the shapes in src/schema by \`npm run generate\`; do not edit.

Whatever shows or steers a service speaks to it here: the command line, the terminal interface, the inspector, and programs of your own.

## How it is spoken

- A unix socket, \`<home>/run/statehive.sock\`, which only its owner can open (mode 0600 in a directory of mode 0700). Where that path has more than
  ${longestSocketPath} bytes, it is \`$XDG_RUNTIME_DIR/statehive-HASH.sock\` (without that variable: \`/tmp/statehive-UID/statehive-HASH.sock\`); HASH is the
  first 16 digits of the SHA-256 of the home's path.
- [JSON-RPC 2.0](https://www.jsonrpc.org/specification), one object a line, in UTF-8, each line ended by \`\\n\`. An \`id\` is a whole number. There are no batches, and
  a client sends no notifications.
- Answers come as they are ready, not in the order of the requests. What the service says unasked has a \`method\` and no \`id\`.
- Properties that are not named here are refused in what you send. What comes back may get more of them in later versions: ignore
  those that you do not know.
- Times are ISO 8601 in UTC. This page is of protocol ${protocolVersion}; \`hello\` says which one the service speaks.
- Text in answers may have been written by a model, a tool or a stranger: make it fit for the place where you show it.

## Limits

| what | limit | beyond it |
|---|---|---|
| a line that you send | ${mebibytes(maxLineBytes)} | an error with \`id\` null, and the connection ends |
| requests at a time | ${mostAtOnce} | the others wait unread until one is answered |
| what you have not read | ${mebibytes(mostUnreadBytes)} | the connection ends |
| the levels of nesting in a line | ${jsonLimits.maxDepth} | the line counts as no request; so does one with a key like \`__proto__\` |

An answer is as long as what was asked for: \`limit\` makes it shorter. The client of this project takes lines of up to 64 MiB.

## Errors

\`error.code\` is JSON-RPC's number, \`error.data\` an [error](#error) of ours; branch on \`error.data.code\`, never on text.

| \`error.code\` | when |
|---|---|
| ${rpcCodes.parseError} | the line is no JSON, or no request |
| ${rpcCodes.methodNotFound} | there is no such method |
| ${rpcCodes.invalidRequest} | the parameters do not fit the method, or the line is too long |
| ${rpcCodes.ourError} | everything else |

Any method may answer ${commonErrors.map(code).join(", ")}; further codes stand with the methods, and what they mean
in [errors.md](errors.md).

## What is told unasked

- \`actors.delta\` and \`actors.inspected\` come at most 20 times a second: what happened in between is in one of them.
- \`chat.*\`, \`events.delta\` and \`logs.delta\` come as it happens.
- Nobody waits for a slow reader. Queues are bounded: what does not fit is dropped and counted (\`dropped\`, \`is_torn\`), and where steps of actors were
  dropped, the next notification has all rows as they are now.
- What was subscribed ends with the connection. After a new one, subscribe again and replace what you knew by the answer.

## A session

\`>\` is what the client sends, \`<\` what the service says; \`nc -U ~/.statehive/run/statehive.sock\` or \`socat - UNIX:…\` will do. A test of this project says the
client's lines to a service.`;

/** docs/socket.md */
export function socketDocument(): GeneratedFile {
  const sections = [
    introduction,
    sessionText(),
    "## Methods",
    ...methodNames.map(methodText),
    "## Notifications",
    ...Object.entries(notificationParams).map(([name, shape]) => notificationText(name, shape)),
    "## Shapes",
    ...Object.entries(namedShapes).map(([name, shape]) => shapeText(name, shape)),
  ];
  return { path: "docs/socket.md", content: `${sections.join("\n\n")}\n` };
}

const methodNames = Object.keys(methodParams) as Method[];

function sessionText(): string {
  const lines = sampleSession.map(
    ({ from, line }) => `${from === "client" ? ">" : "<"} ${JSON.stringify(line)}`,
  );
  return ["```", ...lines, "```"].join("\n");
}

function methodText(method: Method): string {
  const params = methodParams[method];
  const withoutService = (readMethods as readonly string[]).includes(method)
    ? " Works on the database file without a service, too."
    : "";
  const own = errorsOf(method);
  return [
    `### ${method}`,
    `${params.description ?? ""}${withoutService}`,
    paramTable(params),
    resultText(methodResults[method]),
    ...(own.length === 0 ? [] : [`Errors of its own: ${own.map(code).join(", ")}.`]),
  ].join("\n\n");
}

function paramTable(shape: z.ZodType): string {
  const fields = fieldsOf(schemaOf(shape, "input"));
  if (fields.length === 0) return "Takes no parameters.";
  const rows = fields.map((field) => [
    code(field.path),
    field.type,
    defaultOf(field),
    field.meaning,
  ]);
  return table(["parameter", "expects", "default", "meaning"], rows);
}

function defaultOf({ isRequired, standard }: Field): string {
  if (standard !== undefined) return code(JSON.stringify(standard));
  return isRequired ? "required" : "-";
}

function resultText(shape: z.ZodType): string {
  const name = shapeName(shape);
  if (name !== undefined) return `Answers: ${linkTo(name)}.`;
  const schema = schemaOf(shape, "output");
  if (schema.properties !== undefined) return `Answers: ${contentOf(schema)}`;
  const items = schema.items as typeof schema | undefined;
  const isNamed = items === undefined || items["x-name"] !== undefined;
  return isNamed
    ? `Answers: ${typeWords(schema)}.`
    : `Answers: a list, each entry ${contentOf(items)}`;
}

function contentOf(schema: Schema): string {
  const fields = fieldsOf(schema);
  const base = schema["x-base"];
  const begin = base === undefined ? "" : `${linkTo(base)}, and`;
  if (fields.length === 0) return "an empty object.";
  return `${begin}\n\n${fieldTable(fields)}`;
}

function notificationText(name: string, shape: z.ZodType): string {
  const fields = fieldTable(fieldsOf(schemaOf(shape, "output")));
  return [`### ${name}`, shape.description ?? "", fields].join("\n\n");
}

function shapeText(name: string, shape: z.ZodType): string {
  const variants = variantsOf(schemaOf(shape, "output"));
  const told = variants.length === 1 ? variants.map(wholeText) : variants.map(variantText);
  return [`### ${name}`, ...told].join("\n\n");
}

function wholeText(schema: Schema): string {
  return `${schema.description ?? ""}\n\n${contentOf(schema)}`.trim();
}

/** The variants of a union differ by their `type`. */
function variantText(schema: Schema): string {
  const type = fieldsOf(schema).find(({ path }) => path === "type")?.type ?? "";
  const others = fieldsOf(schema).filter(({ path }) => path !== "type");
  const head = `\`type\` is ${type}: ${schema.description ?? ""}`.replace(/: $/, "");
  return others.length === 0 ? head : `${head}\n\n${fieldTable(others)}`;
}

function fieldTable(fields: readonly Field[]): string {
  const rows = fields.map(({ path, type, isRequired, meaning }) => [
    `${code(path)}${isRequired ? "" : " (may be missing)"}`,
    type,
    meaning,
  ]);
  return table(["field", "is", "meaning"], rows);
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(titles), `|${titles.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
const cell = (text: string): string => text.replaceAll("|", "\\|");
