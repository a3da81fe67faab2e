/** How cron expressions are read, wherever they are: five fields, and a time that is set by hand comes once on the day on which
 *  clocks are changed: at the end of the hour that is left out, in the first of the hours that come twice. What has a `*` or a step
 *  follows the time that passes. */
export const cronRules = { mode: "5-part", fixedTimeRule: "no-wildcard", paused: true } as const;
