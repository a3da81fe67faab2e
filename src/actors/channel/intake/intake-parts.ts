import type { RowReader } from "../../../ports/store.ts";
import type { Agents } from "../../agent.ts";
import type { Channels } from "../channels.ts";

export type IntakeParts = { readonly channels: Channels; readonly agents: Agents };

export type Intake = IntakeParts & {
  readonly read: RowReader;
  readonly at: number;
  readonly seq: number;
};
