import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createJsonLog } from "../../../src/adapters/log/json-log.ts";
import { openLogFile } from "../../../src/adapters/log/log-file.ts";
import { createRedactor } from "../../../src/policy/redaction.ts";
import type { JsonObject } from "../../../src/schema/json.ts";

const botToken = "123456789:AAF-zW3kQ9secretsecretsecret";
const apiKey = "sk-ant-api03-0123456789abcdef";
const cookie = "session=5f4dcc3b5aa765d61d8327deb882cf99";

/** Texts of 64 code points each, from where the control, format and separator characters are. */
const blocks = [0, 0x40, 0x80, 0x5c0, 0x600, 0x2000, 0x2040, 0xfec0, 0xfff0, 0xe0000, 0xe0040].map(
  (start) => String.fromCodePoint(...Array.from({ length: 64 }, (_, index) => start + index)),
);

/** What is logged goes through the whole way to a real file. */
function logged() {
  const folder = mkdtempSync(join(tmpdir(), "statehive-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "statehive.log");
  const clock = createSimulatedClock();
  const options = { path, maxBytes: 1_000_000_000, files: 2, clock, onTrouble: () => undefined };
  const file = openLogFile(options);
  const { json: redact } = createRedactor([botToken, apiKey, cookie]);
  const log = createJsonLog({ write: (line) => file.write(line), redact, level: "debug", clock });
  const written = async () => {
    await file.close();
    return readFileSync(path, "utf8");
  };
  return { log, written };
}

describe("the log's file", () => {
  it("L04: holds no known secret, wherever in a record it stood and however it was written", async () => {
    const { log, written } = logged();
    const error = new Error(`401 from https://api.telegram.org/bot${botToken}/getMe`);
    const deep: JsonObject = {
      list: [{ [apiKey]: [`Bearer ${apiKey}`] }],
      cookie: `a=1; ${cookie}`,
    };
    log("error", `argv: --token=${botToken}`, deep);
    log("warn", "stack", { stack: error.stack ?? "", message: error.message, level: apiKey });
    log("info", "encoded", {
      base64: Buffer.from(apiKey).toString("base64"),
      url: encodeURIComponent(cookie),
      json: JSON.stringify({ key: apiKey }),
      env: `ANTHROPIC_API_KEY=${apiKey}`,
    });
    const text = await written();
    for (const secret of [botToken, apiKey, cookie, encodeURIComponent(cookie)])
      expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(apiKey).toString("base64").slice(0, 30));
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { level: string }).level),
    ).toEqual(["error", "warn", "info"]);
  });

  it("L03: has one line a record, whatever message and fields hold, and says level and time itself", async () => {
    const { log, written } = logged();
    const forged = '\n{"level":"error","time":"x","message":"forged"}\r\n\u2028\u0085\u001b[2J';
    const texts = [forged, "", "__proto__", ...blocks];
    const records = texts.map((text) => {
      const fields = { [text]: text, level: text, time: text, message: text, list: [text] };
      return [text, fields] as const;
    });
    for (const [message, given] of records) log("info", message, given);
    const lines = (await written()).trimEnd().split("\n");
    expect(lines).toHaveLength(records.length);
    for (const [index, line] of lines.entries()) {
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      const record = JSON.parse(line) as { level: string; time: string; message: string };
      expect(record).toMatchObject({ level: "info", time: "2026-01-01T00:00:00.000Z" });
      expect(record.message).toBe(records[index]?.[0]);
    }
  });
});
