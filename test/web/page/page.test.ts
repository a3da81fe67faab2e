import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startPage } from "../../../src/web/page/page.ts";
import { actor, inspectedHive, run, session, step } from "../inspected-hive.ts";

const page = new URL("../../../src/web/page/", import.meta.url);
const html = readFileSync(new URL("index.html", page), "utf8");

/** The page in a window of its own, over a real inspector and a service that a test speaks for. */
async function openPage(fragment?: string) {
  const hive = await inspectedHive();
  const { server, base, service } = hive;
  const dom = new JSDOM(html, {
    url: `${base}/${fragment ?? `#${server.token}`}`,
    pretendToBeVisual: true,
  });
  const { window } = dom;
  const { document } = window;
  window.HTMLElement.prototype.scrollTo = () => undefined;
  onTestFinished(() => window.close());
  const fetchHere: typeof fetch = (path, init) => fetch(new URL(path as string, base), init);
  const ended = startPage({ window: window as unknown as Window, fetch: fetchHere });
  const texts = (selector: string) =>
    [...document.querySelectorAll(selector)].map(({ textContent }) => textContent ?? "");
  const text = (selector: string) => texts(selector).join(" ");
  const expectText = (selector: string, expected: string | RegExp) =>
    vi.waitFor(() => expect(text(selector)).toMatch(expected));
  const tell = (more: object) =>
    service.notify("actors.inspected", { actors: [], steps: [], dropped: 0, ...more });
  const press = (selector: string, key: string) =>
    document
      .querySelector(selector)
      ?.dispatchEvent(new window.KeyboardEvent("keydown", { key, cancelable: true }));
  const click = (selector: string, at = 0) =>
    (document.querySelectorAll(selector)[at] as HTMLElement).click();
  return { ...hive, window, document, ended, texts, text, expectText, tell, press, click };
}

const chosen = '#actors [aria-selected="true"]';

describe("the inspector's page", () => {
  it("takes the token out of its address, and can be loaded again", async () => {
    const { window, expectText, base, server } = await openPage();
    await expectText("#link", "● attached");
    expect(window.location.href).toBe(`${base}/`);
    expect(window.history.state).toEqual({ token: server.token });
  });

  it("shows the actors as a tree, the chart with its active states, and what happens", async () => {
    const { document, texts, text, expectText, tell } = await openPage();
    await expectText("#actors .row", /run\/r4/);
    expect(texts("#actors .row").map((row) => row.trim())).toEqual([
      `${session}idle`,
      "run/r4idle",
    ]);
    tell({ steps: [step(run)] });
    await expectText(chosen, "run/r4thinking");
    await expectText("#chart h2", "run, version 3");
    await vi.waitFor(() => expect(document.querySelector("#chart svg")).not.toBeNull());
    const active = [...document.querySelectorAll<SVGElement>("#chart .active")];
    expect(active.map(({ dataset }) => dataset["id"])).toEqual(["run.thinking"]);
    expect(document.querySelectorAll("#chart .taken").length).toBe(1);
    expect(text("#events .row")).toMatch("11:59:18.042run/r4slot.grantedidle → thinking");
    expect(text("#details pre")).toBe('{\n  "round": 1\n}');
    expect(document.querySelector("#chart style")).toBeNull();
  });

  it("shows what was, for an event that is chosen, and follows again on request", async () => {
    const { document, text, expectText, tell, click } = await openPage();
    await expectText("#actors .row", /run\/r4/);
    const done = { status: "done", value: "done", context: { round: 2 } } as const;
    const event = { type: "run.finished", words: "well" };
    tell({
      steps: [
        step(run),
        step(run, { seq: 3, event, state_before: "thinking", state_after: "done", snapshot: done }),
      ],
    });
    await expectText(chosen, "run/r4done");
    click("#events .row", 1);
    await expectText("#details pre", /"round": 1/);
    expect(text("#details h3")).toBe("Event, from outside Context");
    expect(text("#details dl")).toMatch("as it was after step 2");
    const follow = document.querySelector<HTMLInputElement>("#follow");
    expect(follow?.checked).toBe(false);
    follow?.click();
    await expectText("#details pre", /"round": 2/);
    expect(text("#details pre")).not.toMatch("well");
  });

  it("is worked by keys alone", async () => {
    const { document, expectText, press } = await openPage();
    await expectText(chosen, /./);
    press("#actors .rows", "End");
    await expectText(chosen, "run/r4");
    press("#actors .rows", "ArrowLeft");
    await expectText(chosen, session);
    press("#actors .rows", "ArrowRight");
    await expectText(chosen, "run/r4");
    press("#actors .rows", "Home");
    await expectText(chosen, session);
    press("#actors .rows", "ArrowDown");
    await expectText(chosen, "run/r4");
    const rows = document.querySelector("#actors .rows");
    expect(rows?.getAttribute("aria-activedescendant")).toBe(document.querySelector(chosen)?.id);
  });

  it("shows foreign text as text, whatever it says", async () => {
    const { document, text, expectText, tell } = await openPage();
    await expectText("#actors .row", /run\/r4/);
    const evil = '<img src=x onerror="x()"><script>x()</script>\u202eevil\u0000';
    const address = `session/${evil}`;
    const event = { type: evil, [evil]: evil };
    const snapshot = { status: "active", value: evil, context: { [evil]: evil } } as const;
    tell({
      actors: [actor(address, { name: evil, machine: evil, snapshot })],
      steps: [
        step(address, {
          event,
          snapshot,
          outcome: "rejected",
          reason: evil,
          state_before: evil,
          state_after: "b",
        }),
      ],
    });
    await expectText(chosen, /img src=x/);
    expect(document.querySelectorAll("img, #own script, #own style, #own a").length).toBe(0);
    expect(text("#actors")).toContain(String.raw`</script>\u{202e}evil\x00`);
    expect(document.body.textContent).not.toMatch(/\p{Bidi_Control}|\p{Cf}/u);
  });

  it("says where no chart of a version is known", async () => {
    const { expectText, tell } = await openPage();
    await expectText("#actors .row", /run\/r4/);
    tell({ actors: [actor(run, { version: "9" })], steps: [step(run)] });
    await expectText("#chart .drawing", "No chart of run, version 9, is known here.");
  });

  it("lets those that have ended fade, and counts the others", async () => {
    const { document, expectText, tell } = await openPage();
    await expectText("#scope", "all actors · 2 live");
    const snapshot = { status: "done", value: "done", context: {} } as const;
    tell({ steps: [step(run, { state_after: "done", snapshot })] });
    await expectText("#scope", "all actors · 1 live");
    expect(document.querySelector(".ended")?.textContent).toBe("run/r4done");
    tell({ actors: [], steps: [], dropped: 12 });
    await expectText("#scope", "all actors · 0 live");
    await expectText("#events", "12 steps are missing: this page read too slowly");
  });

  it("says that the service has gone, and comes back by itself", async () => {
    const { text, expectText, service } = await openPage();
    await expectText("#link", "● attached");
    service.hangUp();
    await expectText("#link", /detached: The service has gone away/);
    await expectText("#link", "● attached");
    await expectText("#events", "attached again");
    expect(text("#events")).toMatch("detached: The service has gone away.");
  });

  it("says what to do with an address that has no token, or an old one", async () => {
    const bare = await openPage("");
    await bare.expectText("#link", "this one has no token");
    const old = await openPage("#old");
    await old.ended;
    expect(old.text("#link")).toMatch("This address is not valid any more.");
  });
});

describe("the hosted inspector", () => {
  it("is loaded only after a person has read what is handed over, and said so", async () => {
    const { document, text, expectText, click } = await openPage();
    await expectText("#link", "● attached");
    expect(document.querySelector<HTMLElement>("#stately")?.hidden).toBe(false);
    click("#stately");
    expect(document.querySelector<HTMLElement>("#own")?.hidden).toBe(true);
    expect(text("#consent")).toMatch(/https:\/\/stately\.example\/inspect.*hands to it/s);
    expect(document.querySelector("iframe")).toBeNull();
    click("#stay");
    expect(document.querySelector<HTMLElement>("#own")?.hidden).toBe(false);
    click("#stately");
    click("#open-hosted");
    const frame = document.querySelector("iframe");
    expect(frame?.src).toBe("https://stately.example/inspect");
    expect(frame?.getAttribute("sandbox")).not.toMatch("top-navigation");
    click("#close-hosted");
    expect(document.querySelector("iframe")).toBeNull();
  });
});

it("the page's sources make no markup of text", () => {
  const sinks =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|eval\(|new Function/;
  for (const name of ["dom", "page", "row-list", "chart-view", "details-view", "hosted-view"]) {
    const source = readFileSync(new URL(`${name}.ts`, page), "utf8");
    expect(source).not.toMatch(sinks);
    expect([name, source.includes(".textContent =")]).toEqual([name, name === "dom"]);
  }
});
