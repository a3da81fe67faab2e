import { z } from "zod";
import { deliveryStates } from "../rows/channel-rows.ts";
import { clients } from "./client.ts";
import { logFilterShape } from "../shown/log-record.ts";
import { sidecarEventTypes } from "../shown/news.ts";
import { decisionScopes } from "../rows/permission-rows.ts";
import { queueModes } from "../queue.ts";
import { jsonObject } from "../shown/shown.ts";
import { taskBoundary } from "../task-boundary.ts";
import { isWellFormed } from "../text/well-formed.ts";

/** What can be asked over the socket, with what. docs/socket.md is made from it. */

const limit = z.int().min(1).max(10_000).default(100).describe("At most so many.");
const time = z.iso.datetime({ offset: true }).optional();
const id = z.string().min(1).max(512);
const reason = z.string().max(2000).optional();
const binding = z
  .string()
  .max(128)
  .optional()
  .describe("Of what the client showed: an answer to anything else is refused.");
const trace = id.optional().describe("Only of this trace.");
const session = id.optional().describe("Only of this session, by its id.");

/** @param does what the method does, in a sentence */
const method = <Shape extends z.ZodRawShape>(does: string, shape: Shape) =>
  z.strictObject(shape).describe(does);

const auditFilter = {
  trace: z.string().optional(),
  task: z.string().optional(),
  run: z.string().optional(),
  step: z.string().optional(),
  session: z.string().optional(),
  agent: z.string().optional(),
  tool: z.string().optional(),
  status: z.string().optional(),
  after: time,
  before: time,
};
export const usageGroups = ["day", "agent", "session", "run", "model"] as const;
export type UsageGroup = (typeof usageGroups)[number];

const chat = id.describe("A name of the client's own: what follows carries it.");
const addressed = {
  agent: z.string().optional(),
  session: z
    .string()
    .min(1)
    .max(128)
    .refine(isWellFormed, { error: "has half a character in it" })
    .optional()
    .describe("A name for the conversation; the default one is what `hello` called the client."),
};
const decision = {
  decision: z.enum(["approve", "deny"]),
  scope: z.enum(decisionScopes).default("once").describe("How far the decision reaches."),
  until: time.describe("When the grant ends, if before its owner."),
};

const memoryPath = z
  .string()
  .min(1)
  .max(1024)
  .describe("Relative to the folder of memory: `main/local/MEMORY.md`.");

export const methodParams = {
  "hello": method("Who answers, and how it speaks.", {
    protocol: z.int(),
    client: z
      .enum(clients)
      .default("cli")
      .describe(
        "Who asks, as approvals, audit and journal name it; it gives no other rights, and stays for the whole connection.",
      ),
  }),
  "status": method("How the service is.", {}),
  "shutdown": method(
    "Takes no more, lets running work end within `grace_ms`, then ends the process.",
    { grace_ms: z.int().min(0).max(600_000).default(5_000) },
  ),
  "backup": method(
    "Writes a consistent copy of the database to a new file; the service goes on meanwhile.",
    { file: z.string().startsWith("/").max(4096).describe("An absolute path.") },
  ),
  "config.reload": method("Reads the configuration again; with a fault nothing changes.", {}),
  "agents.list": method("The configured agents.", {}),
  "agents.show": method("One agent, with its whole configuration.", { id }),
  "machines.list": method("The statecharts that drive the service.", {}),
  "machines.show": method("One statechart: as an outline, as Mermaid and as Stately imports it.", {
    name: id,
  }),
  "actors.tree": method("The actors that live.", {
    prefix: z.string().optional().describe("Only where the address begins so."),
    all: z.boolean().default(false).describe("Ended ones too."),
    limit,
  }),
  "actor.get": method("One actor: its state, its context, and what it accepts now.", {
    address: id,
  }),
  "actors.dead": method(
    "Events that reached nobody, and actors that were set aside; the newest `limit` of each.",
    { limit },
  ),
  "actor.send": method(
    "An event that a person sends by hand; refused unless it may be and the actor accepts it now.",
    {
      address: id,
      event: z.string().min(1),
      payload: jsonObject.default({}),
      idempotency_key: id
        .optional()
        .describe("Sent again with the same key, it answers as before and does nothing."),
    },
  ),
  "actors.subscribe": method(
    "Answered with those that live or were set aside; then `actors.delta` notifications follow until another `actors.subscribe` or the end of the connection.",
    {
      prefix: z.string().max(512).default("").describe("Only where the address begins so."),
      recent: z
        .int()
        .min(0)
        .max(2_000)
        .default(0)
        .describe("The answer holds so many of the newest steps, oldest first."),
    },
  ),
  "actors.inspect": method(
    "Answered with the whole snapshots of those that live, parents first; then `actors.inspected` notifications follow until `actors.inspect.stop`, another `actors.inspect` or the end of the connection.",
    {
      address: z
        .string()
        .max(512)
        .default("")
        .describe("Only this actor and those below it; empty: all."),
    },
  ),
  "actors.inspect.stop": method("No `actors.inspected` follows any more.", {}),
  "chat.agent": method(
    "Who would answer a message that is sent so: the agent that is named, else the one that the bindings lead to.",
    addressed,
  ),
  "chat.send": method(
    "Answered when the message is accepted; then `chat.delta`, `chat.tool` and `chat.end` notifications with this `chat` follow.",
    {
      chat,
      text: z.string().min(1).max(200_000),
      ...addressed,
      idempotency_key: id.optional(),
      queue: z
        .enum(queueModes)
        .optional()
        .describe(
          "What becomes of it while a run works; the default is `sessions.queue` of the configuration.",
        ),
      boundary: taskBoundary
        .optional()
        .describe("What its task may do at most, inside what the agent may; the run is its own."),
    },
  ),
  "chat.follow": method(
    "A run that was begun before: answered at once; then what a chat tells of it follows, from now to its end.",
    { chat, run: id },
  ),
  "approvals.list": method("What waits for a person, oldest first; with `all`, newest first.", {
    all: z.boolean().default(false).describe("Those that were answered too."),
    trace,
    session,
    limit,
  }),
  "approvals.show": method("One approval.", { id }),
  "approvals.decide": method("A person's word on one call; the first one counts.", {
    id,
    ...decision,
    grants: z
      .array(id)
      .max(20)
      .optional()
      .describe("Directories to grant instead of the proposed paths in them: `fs.write:notes/**`."),
    reason,
    binding,
  }),
  "approvals.answer": method("A person's answer to a question.", {
    id,
    value: z.string().min(1).max(20_000),
    binding,
  }),
  "approvals.step": method("The calls of one step that wait, whole.", { step: id }),
  "approvals.decide_step": method(
    "One word on all of them; refused where `binding` is not that of those that wait now.",
    { step: id, binding: z.string().max(128), ...decision, reason },
  ),
  "grants.list": method("What people allowed or denied beyond one call.", {
    session: id.optional().describe("Of this session; else of all that live."),
    limit,
  }),
  "grants.revoke": method("Takes a grant back.", { id }),
  "marks.list": method("Files that hold, or may hold, text of strangers.", { limit }),
  "marks.clear": method("A person has looked: the file holds no text of strangers.", {
    agent: id,
    path: z
      .string()
      .min(1)
      .max(4096)
      .describe("In its normal form, relative to the agent's workspace."),
  }),
  "runs.list": method("Runs, newest first.", { trace, session, limit }),
  "runs.show": method("One run, with its steps and its audit.", { id }),
  "runs.cancel": method("Ends a run.", {
    id,
    after_step: z
      .boolean()
      .default(false)
      .describe(
        "Not at once, but after the present step: its model call and the tool calls that it asked for.",
      ),
  }),
  "runs.replay": method(
    "The recorded transitions of a run and of all below it, oldest first, page by page: the next one begins behind `next`. Each says whether the chart, run again over the recorded events, does the same.",
    { id, after_seq: z.int().min(0).default(0), limit: z.int().min(1).max(500).default(100) },
  ),
  "runs.moment": method("A run as it was after one of its recorded transitions.", {
    id,
    seq: z.int().min(0),
  }),
  "runs.fork": method(
    "Begins a session with the conversation as it was at a step of a run, and with `text` as its next message. With `chat`, notifications follow as for `chat.send`.",
    {
      id,
      at: z.int().min(0).describe("The number of a recorded transition of the run."),
      text: z.string().min(1).max(200_000),
      chat: chat.optional(),
      idempotency_key: id.optional(),
    },
  ),
  "sessions.list": method("Sessions, those that were used last first.", { limit }),
  "sessions.show": method("One session, with its newest `limit` messages.", {
    id: id.describe("Its id, or its key."),
    limit,
  }),
  "sessions.compact": method(
    "Has all but the newest exchange summed up now; the state says `compacting.summarizing` where that has begun, and `idle` where there is nothing to sum up, or no model that does.",
    { id: id.describe("Its id, or its key.") },
  ),
  "sessions.reset": method("Closes a session: the next message begins a new one.", { id }),
  "tasks.list": method("Tasks, newest first.", { limit }),
  "tasks.show": method("One task, with its runs.", { id }),
  "tasks.cancel": method("Ends the run of a task.", { id }),
  "usage.totals": method("What model calls used, added up, the scopes that were used last first.", {
    by: z.enum(usageGroups).default("day"),
    limit,
  }),
  "connectors.list": method(
    "The ways in from outside: those that are configured, and those that still live.",
    {},
  ),
  "connectors.status": method("One connector, or all, with what waits on its way.", {
    id: id.optional(),
  }),
  "connectors.start": method("Receives again, now: also after a stop or a refused token.", { id }),
  "connectors.stop": method(
    "Receives nothing any more, also after a restart, until it is started.",
    {
      id,
    },
  ),
  "pairings.list": method("Who asks to be let in, oldest first, and then who was.", {
    connector: id.optional(),
    limit,
  }),
  "pairings.approve": method("Lets the person in whose request has this code.", {
    code: z.string().min(1).max(32),
    connector: id.optional().describe("Needed only where two connectors have the same code."),
  }),
  "pairings.revoke": method("Lets a person in no more who was let in by a code.", {
    connector: id,
    user: z.string().min(1).max(200),
  }),
  "deliveries.list": method(
    "Messages to people: first those that need somebody, then those on their way, then the rest; each newest first.",
    {
      state: z.enum(deliveryStates).optional(),
      connector: id.optional(),
      limit,
    },
  ),
  "deliveries.show": method("One message to people, with what it says.", { id }),
  "deliveries.resend": method(
    "Sends what did not arrive, or may not have, as a delivery of its own: from its first part on that is not known to have arrived.",
    { id },
  ),
  "deliveries.cancel": method("Does not send it any more.", { id }),
  "schedules.list": method("What is done at set times, what is due next first.", {}),
  "schedules.show": method("One schedule.", { id }),
  "schedules.run": method("Does it now, once; when it is due stays as it is.", { id }),
  "schedules.pause": method("Does it no more until it is resumed, also after a restart.", { id }),
  "schedules.resume": method("Does it again when it is due, counted from now.", { id }),
  "schedules.remove": method("Ends one that an agent has made; what works goes on to its end.", {
    id,
  }),
  "memory.search": method(
    "What is remembered of this, the best first: in all files, or in those of one agent and what agents share.",
    {
      query: z.string().min(1).max(4_000),
      agent: id.optional(),
      limit: z.int().min(1).max(100).default(10).describe("At most so many."),
    },
  ),
  "memory.files": method("The files of memory.", {}),
  "memory.show": method("One file of memory.", { path: memoryPath }),
  "memory.log": method("What changed in the files of memory, newest first.", {
    path: memoryPath.optional(),
    limit,
  }),
  "memory.diff": method("What one change did.", { id }),
  "memory.stats": method("How much is remembered, and how far it is findable.", {}),
  "memory.restore": method(
    "Takes a change back, whatever came after it elsewhere in the file; that is a change of its own.",
    {
      id,
      whole: z
        .boolean()
        .default(false)
        .describe("The whole file as it was before the change, also where it changed since."),
    },
  ),
  "memory.forget": method(
    "Takes a text out of every file, every kept version, the index and its vectors: what stands in these lines, or each entry that holds this text. It cannot be undone. Not what was said in conversations, and not in copies of the home.",
    {
      path: memoryPath.optional(),
      line_start: z.int().min(1).optional(),
      line_end: z.int().min(1).optional(),
      text: z
        .string()
        .min(3)
        .max(4_000)
        .optional()
        .describe("Fewer characters than 3 stand nearly everywhere."),
      binding: z
        .string()
        .max(128)
        .optional()
        .describe("What the same question answered without it: without it nothing is done."),
    },
  ),
  "memory.consolidate": method(
    "Tidies memory as the schedule does: promotes daily notes, marks conflicts, forgets what is stale. Answers when all is done; each change can be taken back.",
    {
      agent: id
        .optional()
        .describe("The memories of this agent; without it all, and what agents share."),
      dry_run: z.boolean().default(false).describe("Nothing is changed: what would be."),
    },
  ),
  "memory.reindex": method(
    "Makes all that is findable anew from the files; vectors follow in the background.",
    {},
  ),
  "audit.query": method("The newest rows of the audit that match, newest first.", {
    ...auditFilter,
    before_n: z.int().min(0).optional().describe("Only rows before this one: the next page."),
    limit,
  }),
  "audit.export": method(
    "All rows of the audit that match, oldest first, page by page: the next one begins behind `next`.",
    { ...auditFilter, after_n: z.int().min(0).default(0) },
  ),
  "audit.verify": method("Whether the chain of the audit's rows is whole.", {}),
  "events.subscribe": method(
    "Answered with the newest that the service remembers; then, to `follow`, `events.delta` notifications until another one that follows or the end of the connection.",
    {
      type: z.enum(sidecarEventTypes).optional(),
      trace: id.optional(),
      run: id.optional(),
      session: id.optional(),
      agent: id.optional(),
      limit: z.int().min(0).max(1_000).default(0),
      follow: z.boolean().default(true),
    },
  ),
  "logs.tail": method(
    "Answered with the newest records; then, to `follow`, `logs.delta` notifications until another one that follows or the end of the connection.",
    { ...logFilterShape, limit, follow: z.boolean().default(false) },
  ),
} as const;
