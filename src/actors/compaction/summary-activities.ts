import { createSummarizeHistory, type SummarizeOptions } from "./summarize-history.ts";
import { createSummarizeSession } from "./summarize-session.ts";

/** What sums conversations up. */
export function summaryActivities(options: SummarizeOptions) {
  return {
    summarizeHistory: createSummarizeHistory(options),
    summarizeSession: createSummarizeSession(options),
  };
}
