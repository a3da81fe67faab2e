import type { App } from "../app/app.ts";
import { sparing, type Timers } from "../app/timers.ts";
import type { Service } from "../service.ts";
import type { Model } from "./model.ts";
import { askWaiting } from "./waiting.ts";

export type FeedOptions = Pick<App, "changed"> & {
  readonly model: Model;
  readonly service: Service;
  readonly timers: Timers;
  /** Something went wrong that the person should know of. */
  readonly onFault: (error: unknown) => void;
  /** Something waits for a person that did not before. */
  readonly onWaiting: () => void;
};

const rememberedSteps = 500;
const rememberedEvents = 300;
const rememberedLogs = 1_000;
const shownRows = 200;
const statusEveryMs = 5_000;
const listsEveryMs = 300;
/** Of the time, at most this part is spent on a list; what waits for a person must not be late. */
const shares = { approvals: 0.005, others: 0.003 } as const;
const tickMs = 1_000;

/** Keeps the model like the service: what it tells is applied, what it only hints at is asked for, seldom. */
export function feed(options: FeedOptions): void {
  const { model, service, timers, changed } = options;
  const tried = (work: () => Promise<void>) => async () => {
    try {
      await work();
      changed();
    } catch (error) {
      if (model.detachedAt === null) options.onFault(error);
    }
  };
  const lists = listsOf(options, tried);
  listen(options, lists);
  const askStatus = tried(async () => {
    model.status = await service.call("status", {});
    model.traffic.sample(model.status.bus, timers.now());
  });
  const askStatusAgain = sparing(timers, { everyMs: statusEveryMs }, askStatus);
  repeat(timers, statusEveryMs, () => model.detachedAt === null && askStatusAgain());
  repeat(timers, tickMs, () => {
    model.actors.prune(timers.now());
    changed();
  });
  const attach = tried(async () => {
    model.actors.replace([]);
    const { rows, steps } = await service.call("actors.subscribe", { recent: rememberedSteps });
    model.actors.replace(rows);
    model.steps.clear();
    model.steps.add(steps);
    const { events } = await service.call("events.subscribe", { limit: rememberedEvents });
    model.events.clear();
    model.events.add(events);
    const { records } = await service.call("logs.tail", { limit: rememberedLogs, follow: true });
    model.logs.clear();
    model.logs.add(records);
  });
  service.onAttached(() => {
    void askStatus();
    void attach();
    lists.all();
  });
}

type Lists = {
  /** By the kind of an actor that changed. */
  readonly byKind: { readonly [kind: string]: () => void };
  all(): void;
};

type Tried = (work: () => Promise<void>) => () => Promise<void>;

function listsOf({ model, service, timers, onWaiting }: FeedOptions, tried: Tried): Lists {
  const seldom = (work: () => Promise<void>, share: number = shares.others) =>
    sparing(timers, { everyMs: listsEveryMs, share }, tried(work));
  const approvals = seldom(async () => {
    const known = new Set(model.approvals.map(({ id }) => id));
    await askWaiting({ model, service });
    if (model.approvals.some(({ id }) => !known.has(id))) onWaiting();
  }, shares.approvals);
  const runs = seldom(async () => {
    model.runs = await service.call("runs.list", { limit: shownRows });
  });
  const sessions = seldom(async () => {
    model.sessions = await service.call("sessions.list", { limit: shownRows });
  });
  return {
    byKind: { approval: approvals, run: runs, tool_call: runs, session: sessions },
    all() {
      approvals();
      runs();
      sessions();
    },
  };
}

function listen({ model, service, timers, changed }: FeedOptions, lists: Lists): void {
  service.on("actors.delta", ({ rows, steps, dropped }) => {
    if (dropped > 0) {
      model.actors.replace(rows);
      model.droppedSteps += dropped;
      lists.all();
    } else model.actors.apply(rows, timers.now());
    model.steps.add(steps);
    for (const kind of new Set(rows.map((row) => row.kind))) lists.byKind[kind]?.();
    changed();
  });
  service.on("events.delta", ({ events }) => {
    model.events.add(events);
    changed();
  });
  service.on("logs.delta", ({ records }) => {
    model.logs.add(records);
    changed();
  });
}

function repeat(timers: Timers, ms: number, call: () => void): void {
  timers.after(ms, () => {
    call();
    repeat(timers, ms, call);
  });
}
