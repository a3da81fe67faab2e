/** How much a model is asked to sum up at once, and how long its answer may be. */

export const bytesPerToken = 3;
export const mostTokensAtOnce = 30_000;
export const instructionTokens = 600;
export const summaryTokens = 2_000;
export const episodeTokens = 500;
/** What is older than these is not summed up any more. */
export const mostRows = 2_000;
