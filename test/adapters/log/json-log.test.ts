import { describe, expect, it } from "vitest";
import { createJsonLog, silentLog } from "../../../src/adapters/log/json-log.ts";
import { createRedactor } from "../../../src/policy/redaction.ts";
import type { LogLevel } from "../../../src/ports/log.ts";
import type { JsonObject } from "../../../src/schema/json.ts";

function recorded(level: LogLevel) {
  const lines: string[] = [];
  const log = createJsonLog({
    write: (line) => lines.push(line),
    redact: createRedactor(["sk-secret-123"]).json,
    level,
    clock: { now: () => Date.UTC(2026, 0, 1) },
  });
  return { log, lines };
}

describe("the log", () => {
  it("writes one JSON object a line", () => {
    const { log, lines } = recorded("info");
    log("info", "started", { pid: 7 });
    log("warn", "slow");
    expect(lines).toEqual([
      '{"level":"info","time":"2026-01-01T00:00:00.000Z","pid":7,"message":"started"}\n',
      '{"level":"warn","time":"2026-01-01T00:00:00.000Z","message":"slow"}\n',
    ]);
  });

  it("leaves out what is less important than its level", () => {
    const { log, lines } = recorded("warn");
    for (const level of ["debug", "info", "warn", "error"] as const) log(level, level);
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual([
      "warn",
      "error",
    ]);
  });

  it("L03: keeps a value with line breaks and false records one record", () => {
    const { log, lines } = recorded("info");
    const forged = 'x\n{"level":"error","message":"forged"}\r\u2028\u0085';
    log("info", forged, { forged, level: "error", time: "then", message: "another", [forged]: 1 });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.indexOf("\n")).toBe((lines[0]?.length ?? 0) - 1);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      time: "2026-01-01T00:00:00.000Z",
      level: "info",
      message: forged,
      forged,
      [forged]: 1,
      _level: "error",
      _time: "then",
      _message: "another",
    });
  });

  it("holds nothing that a terminal would obey", () => {
    const { log, lines } = recorded("info");
    log("info", "\u001b[31m\u009b\u202e\u{e0041}\u007f");
    expect(lines[0]).not.toMatch(/[^\n\P{Cc}]|\p{Cf}/u);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      message: "\u001b[31m\u009b\u202e\u{e0041}\u007f",
    });
  });

  it("L04: redacts known secrets in messages and fields", () => {
    const { log, lines } = recorded("info");
    log("error", "key sk-secret-123", { "sk-secret-123": ["sk-secret-123"] });
    expect(lines.join("")).not.toContain("sk-secret-123");
  });

  it("writes a record also of what JSON refuses", () => {
    const { log, lines } = recorded("info");
    const circle: { [key: string]: unknown } = { n: 1n };
    circle["itself"] = circle;
    log("info", "odd", circle as JsonObject);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ message: "odd" });
  });

  it("takes a message as it is, whatever stands for a place in it", () => {
    const { log, lines } = recorded("info");
    log("info", "100%% of %s %o %d", { err: { message: "%s" } });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      message: "100%% of %s %o %d",
      err: { message: "%s" },
    });
  });

  it("can be silent", () => {
    expect(silentLog("error", "x")).toBeUndefined();
  });
});
