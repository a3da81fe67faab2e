import { createSummarizeHistory, type SummarizeOptions } from "./summarize-history.ts";

/** What sums conversations up. */
export function summaryActivities(options: SummarizeOptions) {
  return { summarizeHistory: createSummarizeHistory(options) };
}
