import type { ShownSession, ShownUsage } from "../../schema/shown/shown.ts";
import { cost, tokens } from "../../text/amounts.ts";
import { age } from "../../text/times.ts";
import type { App } from "../app/app.ts";
import { span } from "../frame/line.ts";
import { own, safe } from "../frame/safe-text.ts";
import type { Column } from "../frame/table.ts";
import { lookOf } from "../look/actor-look.ts";
import { living } from "../look/run-look.ts";

export type SessionFigures = {
  /** As far as runs are known here: `3`, or `3+`. */
  readonly runs: (session: ShownSession) => string;
  readonly usage: (session: ShownSession) => ShownUsage | undefined;
};

/** The table of conversations. */
export function sessionColumns(app: App, figures: SessionFigures): readonly Column<ShownSession>[] {
  return [
    { title: own`ID`, width: 5, cell: ({ session_id }) => span(safe(session_id), { bold: true }) },
    { title: own`CONVERSATION`, width: "rest", cell: ({ label }) => span(safe(label)) },
    { title: own`AGENT`, width: 8, cell: ({ agent_id }) => span(safe(agent_id)) },
    { title: own`STATE`, width: 9, cell: (session) => stateCell(app, session) },
    {
      title: own`LAST`,
      width: 4,
      align: "right",
      cell: ({ last_at }) => span(safe(age(last_at, app.timers.now())), { fg: "grey" }),
    },
    {
      title: own`RUNS`,
      width: 4,
      align: "right",
      cell: (session) => span(safe(figures.runs(session))),
    },
    {
      title: own`TOKENS`,
      width: 6,
      align: "right",
      from: 50,
      cell: (session) => {
        const usage = figures.usage(session);
        return span(usage ? safe(tokens(usage.input_tokens + usage.output_tokens)) : own``);
      },
    },
    {
      title: own`COST`,
      width: 8,
      align: "right",
      from: 64,
      cell: (session) => {
        const usage = figures.usage(session);
        return span(usage ? safe(cost(usage)) : own``);
      },
    },
  ];
}

function stateCell(app: App, { address, state, closed_at }: ShownSession) {
  const actor = closed_at === null ? app.model.actors.get(address) : undefined;
  const ended = { status: "stopped", state, tags: [] } as const;
  const { glyph, style } = lookOf(actor ?? (closed_at === null ? living(state) : ended));
  return span(own`${glyph} ${safe(state)}`, style);
}
