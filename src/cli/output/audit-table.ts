import { z } from "zod";
import type { ShownAudit } from "../../schema/protocol.ts";
import { shorten, shown } from "../../text/shown.ts";
import { table } from "./table.ts";
import { moment } from "../../text/times.ts";

const poked = z.object({ event: z.string(), address: z.string() });

export function auditTable(rows: readonly ShownAudit[], width: number | undefined): string {
  return table(
    rows,
    [
      { title: "N", cell: ({ n }) => n },
      { title: "AT (UTC)", cell: ({ at }) => moment(at) },
      { title: "KIND", cell: ({ kind }) => kind },
      { title: "STATUS", cell: statusText },
      { title: "TOOL", cell: ({ tool }) => tool },
      { title: "RUN", cell: ({ run_id }) => run_id },
      { title: "BY", cell: ({ decided_by }) => decided_by },
      { title: "INPUT", cell: (row) => shorten(inputText(row), 80) },
    ],
    { empty: "No audit rows.", width },
  );
}

/** Of what was poked: which event went where. */
function inputText({ kind, input }: ShownAudit): string {
  const poke = poked.safeParse(kind === "poke" ? input : null);
  if (!poke.success) return shown(input);
  return `${shown(poke.data.event)} to ${shown(poke.data.address)}`;
}

/** A tool that did its work and refused is `done`, and told an error. */
function statusText({ status, error }: ShownAudit): string {
  return status === "done" && error !== null ? "done (error)" : status;
}
