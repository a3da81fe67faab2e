import { toErrorData } from "../schema/errors.ts";
import type { RefusalReason } from "./judged.ts";

const longestMessage = 200;

/** For the audit, where an update could not be taken because of a fault of ours. */
export function faultReason(thrown: unknown): RefusalReason {
  const { code, message } = toErrorData(thrown);
  return `fault: ${code}: ${message.slice(0, longestMessage)}`;
}
