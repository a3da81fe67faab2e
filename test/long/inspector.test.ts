import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { newPlace, type Place } from "../cli/support/cli-process.ts";
import { openBrowser } from "../support/browser.ts";
import { startReceiver } from "../support/stately-receiver.ts";

/** `statehive inspect` as a process beside a real service, looked at with a real browser. */

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser(["evil.example"]);
});
afterAll(() => browser.close());

async function inspecting(...args: readonly string[]) {
  const place = newPlace();
  await place.run("start");
  const inspector = place.start("inspect", "--json", ...args);
  const { url, port } = await vi.waitFor(
    () => JSON.parse(inspector.out()) as { readonly url: string; readonly port: number },
  );
  return { place, inspector, url, port };
}

/** A page, and what it complained about. */
async function look(url: string, width = 1400) {
  const page = await browser.newPage({ viewport: { width, height: 850 } });
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(url);
  return { page, complaints };
}

const active = (state: string) => `#chart .active[data-id="${state}"]`;

/** Says something whose answer needs an approval. */
async function askForApproval(place: Place, page: Page): Promise<string> {
  place.start("chat", "-p", "write buy milk to todo.txt");
  await page.locator("#actors .row", { hasText: "approval/" }).waitFor();
  const { told } = await place.askJson("approvals", "list");
  const [approval] = told.data as readonly { readonly id: string }[];
  return approval?.id ?? "";
}

type Got = {
  readonly type: string;
  readonly sessionId: string;
  readonly rootId: string;
  readonly parentId?: string;
  readonly definition?: string;
  readonly event?: { readonly type: string };
  readonly snapshot?: { readonly status: string; readonly value: unknown };
};

function gotIn(page: Page, url: string): Promise<readonly Got[]> {
  const frame = page.frames().find((other) => other.url() === url);
  return frame === undefined ? Promise.resolve([]) : frame.evaluate("window.got");
}

describe("the inspector in a browser", () => {
  it("shows a run with its call and approval as they happen, at each size, without a complaint", async () => {
    const { place, url, port } = await inspecting();
    const { page, complaints } = await look(url);
    await page.locator("#link", { hasText: "● attached" }).waitFor();
    expect(page.url()).toBe(`http://127.0.0.1:${port}/`);
    const approval = await askForApproval(place, page);
    await page.locator(active("run.awaiting_approval")).waitFor();
    expect(await page.locator("#actors .row").allInnerTexts()).toEqual([
      expect.stringMatching(/^schedule\/consolidate\s+waiting$/),
      expect.stringMatching(/^session\/.*running$/s),
      expect.stringMatching(/^run\/r\d+\s+awaiting_approval$/),
      expect.stringMatching(/^call\/c[\d-]+\s+awaiting_approval$/),
      expect.stringMatching(/^approval\/a\d+\s+pending$/),
      expect.stringMatching(/^system\s+running$/),
    ]);
    await page.locator("#actors .row", { hasText: "approval/" }).click();
    await page.locator(active("approval.pending")).waitFor();
    await place.ask("approvals", "allow", approval);
    await page.locator(active("approval.approved")).waitFor();
    await page.locator("#events .row", { hasText: "run.finished" }).waitFor();
    expect(await page.locator("#chart .taken").count()).toBeGreaterThan(0);
    for (const width of [1400, 800, 360]) {
      await page.setViewportSize({ width, height: 700 });
      for (const part of ["#actors .row", "#chart svg", "#events .row", "#details pre"])
        await page.locator(part).first().waitFor();
      const overflow =
        "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await page.evaluate(overflow)).toBe(0);
    }
    await place.run("chat", "-p", "hello", "-s", "plans-of-the-whole-spring-and-summer");
    const row = page.locator("#actors .row", { hasText: "plans-of" }).first();
    const end = await vi.waitFor(async () => {
      const box = await row.locator(".state", { hasText: "idle" }).boundingBox();
      if (box === null) throw new Error("the row is just drawn anew");
      return box.x + box.width;
    });
    expect(end).toBeLessThanOrEqual(360);
    await page.reload();
    await page.locator("#link", { hasText: "● attached" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("hands everything to a page of Stately's protocol that listens late, once a person says so", async () => {
    const receiver = await startReceiver();
    const { place, url } = await inspecting("--ui", receiver.url);
    const { page, complaints } = await look(url);
    const approval = await askForApproval(place, page);
    await page.locator("#stately").click();
    expect(await page.locator("#consent").innerText()).toContain(receiver.url);
    expect(receiver.asked()).toBe(0);
    await page.locator("#open-hosted").click();
    await page.locator("#hosted-state", { hasText: "is told everything" }).waitFor();
    const first = await vi.waitFor(async () => {
      const got = await gotIn(page, receiver.url);
      const kinds = got
        .filter(({ type }) => type === "@xstate.actor")
        .map(({ sessionId }) => sessionId.split("/").at(-2));
      expect(kinds).toEqual(["schedule", "session", "run", "call", "approval", undefined]);
      return got;
    });
    const actors = first.filter(({ type }) => type === "@xstate.actor");
    const known = new Set<string>();
    for (const { sessionId, parentId } of actors) {
      expect(parentId === undefined || known.has(parentId)).toBe(true);
      known.add(sessionId);
    }
    expect(first.slice(0, actors.length).every(({ type }) => type === "@xstate.actor")).toBe(true);
    const run = actors.find(({ sessionId }) => /\/run\/r\d+$/.test(sessionId));
    const { states } = JSON.parse(run?.definition ?? "{}") as { readonly states?: object };
    expect(Object.keys(states ?? {})).toContain("awaiting_approval");
    expect(run).toMatchObject({ snapshot: { status: "active", value: "awaiting_approval" } });
    await place.ask("approvals", "allow", approval);
    const ended = await vi.waitFor(async () => {
      const got = await gotIn(page, receiver.url);
      const last = got.findLast(({ sessionId }) => sessionId === run?.sessionId);
      expect(last).toMatchObject({ type: "@xstate.snapshot", snapshot: { status: "done" } });
      return got.slice(first.length);
    });
    const events = ended.filter(({ type }) => type === "@xstate.event");
    expect(events.map(({ event }) => event?.type)).toContain("approval.decided");
    expect(new Set(ended.map(({ rootId }) => rootId)).size).toBe(1);
    await page.locator("#close-hosted").click();
    expect(page.frames().length).toBe(1);
    expect(complaints).toEqual([]);
  });

  it("says when nobody answers there, and stays with its own charts", async () => {
    const { url } = await inspecting("--ui", "http://127.0.0.1:9/");
    const { page } = await look(url);
    await page.locator("#link", { hasText: "● attached" }).waitFor();
    await page.locator("#stately").click();
    await page.locator("#open-hosted").click();
    await page.locator("#hosted-fault", { hasText: "did not answer" }).waitFor();
    await page.locator("#stay").click();
    expect(await page.locator("#own").isVisible()).toBe(true);
  });

  it("offers nothing foreign with --offline", async () => {
    const { url } = await inspecting("--offline");
    const { page } = await look(url);
    await page.locator("#link", { hasText: "● attached" }).waitFor();
    expect(await page.locator("#stately").isVisible()).toBe(false);
  });

  it("comes back by itself after a kill of the service, and says so when it has ended itself", async () => {
    const { place, inspector, url } = await inspecting();
    const { page } = await look(url);
    await page.locator("#link", { hasText: "● attached" }).waitFor();
    await place.run("stop", "--force");
    await page.locator("#link", { hasText: "○ detached" }).waitFor();
    await place.run("start");
    await page.locator("#link", { hasText: "● attached" }).waitFor();
    inspector.child.kill("SIGINT");
    expect((await inspector.ended).code).toBe(130);
    await page.locator("#link", { hasText: "`statehive inspect` has ended" }).waitFor();
  });
});

describe("others in the same browser", () => {
  it("get nothing: a wrong token, a page of another origin, a name that was pointed here", async () => {
    const { url, port } = await inspecting();
    const token = new URL(url).hash.slice(1);
    const here = `http://127.0.0.1:${port}`;
    const wrong = await look(`${here}/#wrong`);
    await wrong.page.locator("#link", { hasText: "This address is not valid any more." }).waitFor();
    const receiver = await startReceiver();
    const { page } = await look(receiver.url);
    const asked = (options: string) =>
      page.evaluate(
        `fetch("${here}/stream", ${options}).then((r) => [r.type, r.status], ({ name }) => [name, 0])`,
      );
    const bearer = `{ headers: { authorization: "Bearer ${token}" } }`;
    expect(await asked(bearer)).toEqual(["TypeError", 0]);
    expect(await asked(`{ mode: "no-cors" }`)).toEqual(["TypeError", 0]);
    const framed = page.waitForEvent("console", (message) => /frame|refused/i.test(message.text()));
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement("iframe"), { src: "${url}" }))`,
    );
    await framed;
    const foreign = await look("about:blank");
    const answer = await foreign.page.goto(`http://evil.example:${port}/#${token}`);
    expect([answer?.status(), await foreign.page.locator("body").innerText()]).toEqual([
      421,
      expect.not.stringContaining("statehive"),
    ]);
  });
});
