import { expect, it } from "vitest";
import { exitCodeOf } from "../../src/cli/exit-codes.ts";
import { AgentError, type ErrorCode } from "../../src/schema/errors.ts";

it.each<[ErrorCode, number]>([
  ["usage", 2],
  ["service.not_running", 3],
  ["service.not_answering", 4],
  ["permission.denied", 5],
  ["actor.not_found", 6],
  ["approval.not_found", 6],
  ["session.not_found", 6],
  ["internal", 70],
  ["session.queue_full", 75],
  ["config.invalid", 78],
  ["run.cancelled", 130],
  ["event.not_accepted", 1],
  ["event.not_pokeable", 1],
  ["audit.broken", 1],
  ["service.start_failed", 1],
])("%s exits with %i", (code, exitCode) => {
  expect(exitCodeOf(new AgentError(code, ""))).toBe(exitCode);
});

it("tells a script to try again where that can help", () => {
  expect(exitCodeOf(new AgentError("store.unavailable", "", { retryable: true }))).toBe(75);
  expect(exitCodeOf(new AgentError("store.unavailable", ""))).toBe(1);
});

it("hands on the code with which a service died while it started", () => {
  const error = new AgentError("service.start_failed", "", { details: { exit_code: 9 } });
  expect(exitCodeOf(error)).toBe(9);
});
