import type { ShownApproval } from "../../schema/socket/protocol.ts";
import { age, until } from "../../text/times.ts";
import type { App } from "../app/app.ts";
import { listAbove } from "../app/layout.ts";
import type { View } from "../app/view.ts";
import { QuestionPane } from "../approvals/question-pane.ts";
import type { Style } from "../frame/frame.ts";
import { span } from "../frame/line.ts";
import { own, safe } from "../frame/safe-text.ts";
import type { Column } from "../frame/table.ts";
import { askMoreWaiting, isCutOff, waitingCount } from "../model/waiting.ts";
import { ListPane } from "../widgets/list-pane.ts";

/** What waits for a person: all of it in rows, the chosen one whole. */
export function approvalsView(app: App): View {
  const question = new QuestionPane(app, () => ({ chosen: list.chosen(), rows: list.rows() }));
  const list: ListPane<ShownApproval> = new ListPane<ShownApproval>(app, {
    title: () =>
      isCutOff(app.model)
        ? own`what waits for you: the oldest of ${waitingCount(app.model)}, G: more`
        : own`what waits for you`,
    rows: () => app.model.approvals,
    idOf: ({ id }) => id,
    columns: columnsFor(app),
    fieldsOf: (approval) => ({
      id: approval.id,
      kind: approval.kind,
      tool: approval.tool,
      what: approval.summary,
      risk: approval.risk,
      agent: approval.agent_id,
      run: approval.run_id,
      trace: approval.trace_id,
      session: labelOf(app, approval),
    }),
    tracesOf: ({ trace_id }) => [trace_id],
    empty: own`nothing waits for you`,
    onKey: (key, chosen) => {
      if (question.answerKey(key) || question.scrollKey(key)) return true;
      if (goesDown.has(key.name) && chosen === list.rows().at(-1)) void askMoreWaiting(app);
      return question.goOn();
    },
    hints: () => question.hints,
  });
  return {
    id: "approvals",
    title: own`Approvals`,
    count: () => waitingCount(app.model),
    panes: [list, question],
    layout: listAbove(() => Math.max(1, list.rows().length)),
    show(id) {
      list.filter.text = "";
      if (!list.rows().some((row) => row.id === id)) app.trace = undefined;
      list.cursor.choose(id);
    },
  };
}

const goesDown = new Set(["down", "j", "end", "G"]);

const risks: { readonly [risk in ShownApproval["risk"]]: Style } = {
  safe: { fg: "green" },
  guarded: { fg: "yellow" },
  unsafe: { fg: "red", bold: true },
};

const kinds: { readonly [kind in ShownApproval["kind"]]: string } = {
  call: "allow?",
  question: "question",
  outcome: "outcome",
  budget: "budget",
};

function columnsFor(app: App): Column<ShownApproval>[] {
  const now = () => app.timers.now();
  return [
    { title: own`id`, width: 6, cell: ({ id }) => span(safe(id), { bold: true }) },
    { title: own`kind`, width: 9, from: 70, cell: ({ kind }) => span(safe(kinds[kind])) },
    { title: own`tool`, width: 14, cell: ({ tool }) => span(safe(tool)) },
    { title: own`what`, width: "rest", cell: ({ summary }) => span(safe(summary)) },
    { title: own`risk`, width: 8, cell: ({ risk }) => span(safe(risk), risks[risk]) },
    {
      title: own`whose`,
      width: 30,
      from: 110,
      cell: (row) =>
        span(own`${safe(row.agent_id)} ${safe(row.run_id)} in ${safe(labelOf(app, row))}`),
    },
    {
      title: own`waits`,
      width: 5,
      align: "right",
      from: 70,
      cell: ({ created_at }) => span(safe(age(created_at, now()))),
    },
    {
      title: own`ends in`,
      width: 7,
      align: "right",
      cell: ({ expires_at }) => span(safe(until(expires_at, now()))),
    },
  ];
}

function labelOf({ model }: App, { session_id }: ShownApproval): string {
  return model.sessions.find((session) => session.session_id === session_id)?.label ?? session_id;
}
