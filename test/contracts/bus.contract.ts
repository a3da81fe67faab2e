import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bus } from "../../src/bus/bus.ts";
import type { Listener } from "../../src/bus/listener.ts";
import type { TextPiece } from "../../src/schema/shown/news.ts";

/** What every bus does, whatever carries it. */

export type Told = { readonly type: "fact"; readonly n: number } | TextPiece;

export type BusUnderTest = {
  readonly bus: Bus<Told>;
  /** Resolves when all that can be delivered is. */
  readonly settled: () => Promise<void>;
};

const fact = (n: number): Told => ({ type: "fact", n });
const piece = (text: string, source = "a"): Told => ({
  type: "text.delta",
  trace_id: "t",
  address: "run",
  source,
  text,
});
const never = new Promise<void>(() => {});

/** Keeps what it hears; `told` are numbers of lost news. */
function recorder(more: Partial<Listener<Told>> = {}) {
  const heard: Told[] = [];
  const told: number[] = [];
  const listener: Listener<Told> = {
    name: "recorder",
    capacity: 100,
    hear: (news) => void heard.push(news),
    lagged: (dropped) => void told.push(dropped),
    ...more,
  };
  return { heard, told, listener };
}

/** Hears one at a time, when it is let. */
function gate() {
  let open = () => {};
  const heard: Told[] = [];
  const told: number[] = [];
  return {
    heard,
    told,
    hear: (news: Told) => {
      heard.push(news);
      return new Promise<void>((resolve) => {
        open = resolve;
      });
    },
    lagged: (dropped: number) => void told.push(dropped),
    letOn: () => open(),
  };
}

export function describeBus(name: string, create: () => BusUnderTest): void {
  describe(`${name} is a bus`, () => {
    it("tells each listener everything, in order, and only after publish has returned", async () => {
      const { bus, settled } = create();
      const [one, other] = [recorder(), recorder({ name: "other" })];
      bus.subscribe(one.listener);
      bus.subscribe(other.listener);
      for (const n of [1, 2, 3]) bus.publish(fact(n));
      expect(one.heard).toEqual([]);
      await settled();
      expect(one.heard).toEqual([fact(1), fact(2), fact(3)]);
      expect(other.heard).toEqual(one.heard);
    });

    it("tells a listener what it wants, from when it listens until it leaves", async () => {
      const { bus, settled } = create();
      const { heard, listener } = recorder({ wants: (news) => news.type === "fact" && news.n > 1 });
      bus.publish(fact(5));
      const leave = bus.subscribe(listener);
      for (const n of [1, 2]) bus.publish(fact(n));
      await settled();
      bus.publish(fact(3));
      leave();
      bus.publish(fact(4));
      await settled();
      expect(heard).toEqual([fact(2)]);
    });

    it("counts what a listener throws or rejects, and goes on with its next news", async () => {
      const { bus, settled } = create();
      const heard: Told[] = [];
      const hear = (news: Told) => {
        heard.push(news);
        if (heard.length === 1) throw new Error("thrown");
        return heard.length === 2 ? Promise.reject(new Error("rejected")) : undefined;
      };
      bus.subscribe({ name: "poor", capacity: 10, hear });
      for (const n of [1, 2, 3]) bus.publish(fact(n));
      await settled();
      expect(heard).toEqual([fact(1), fact(2), fact(3)]);
      expect(bus.counters().listeners).toMatchObject([{ failed: 2, delivered: 1, queued: 0 }]);
    });

    it("a listener that throws, never ends, cannot choose or is full costs the others nothing", async () => {
      const { bus, settled } = create();
      const boom = () => {
        throw new Error("boom");
      };
      bus.subscribe({ name: "throws", capacity: 2, hear: boom });
      bus.subscribe({ name: "never ends", capacity: 2, hear: () => never });
      bus.subscribe({ name: "cannot choose", capacity: 2, hear: boom, wants: boom });
      const { heard, told, listener } = recorder();
      bus.subscribe(listener);
      for (let n = 0; n < 50; n += 1) bus.publish(fact(n));
      await settled();
      expect(heard).toHaveLength(50);
      expect(told).toEqual([]);
      const counted = new Map(bus.counters().listeners.map((one) => [one.name, one]));
      expect(counted.get("never ends")).toMatchObject({ queued: 1, delivered: 0 });
      expect(counted.get("cannot choose")).toMatchObject({ failed: 50, queued: 0 });
    });

    it("says before the next news how many older ones are missing", async () => {
      const { bus, settled } = create();
      const slow = gate();
      bus.subscribe({ name: "slow", capacity: 2, hear: slow.hear, lagged: slow.lagged });
      bus.publish(fact(0));
      await settled();
      for (let n = 1; n <= 5; n += 1) bus.publish(fact(n));
      expect(bus.counters().listeners).toMatchObject([{ queued: 2, dropped: 3 }]);
      slow.letOn();
      await settled();
      expect(slow.told).toEqual([3]);
      expect(slow.heard).toEqual([fact(0), fact(4)]);
    });

    it("joins waiting pieces of one text, and keeps apart what is not one text", async () => {
      const { bus, settled } = create();
      const slow = gate();
      bus.subscribe({ name: "slow", capacity: 10, hear: slow.hear });
      bus.publish(fact(0));
      await settled();
      for (const news of [piece("a"), piece("b"), piece("x", "other"), fact(1), piece("c")])
        bus.publish(news);
      for (let n = 0; n < 5; n += 1) {
        slow.letOn();
        await settled();
      }
      expect(slow.heard.slice(1)).toEqual([piece("ab"), piece("x", "other"), fact(1), piece("c")]);
    });

    it("counts what was published, by kind", async () => {
      const { bus } = create();
      for (const news of [piece("a"), fact(1), fact(2)]) bus.publish(news);
      expect(bus.counters().published).toEqual({ "text.delta": 1, "fact": 2 });
    });

    it("holds no more than its bound, loses only the oldest, and counts to the last one", async () => {
      const steps = fc.array(fc.oneof(fc.constant("hear" as const), fc.nat(3)), { maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 5 }), steps, async (capacity, plan) => {
          const { bus, settled } = create();
          const slow = gate();
          bus.subscribe({ name: "slow", capacity, hear: slow.hear, lagged: slow.lagged });
          let published = 0;
          for (const step of plan) {
            if (step === "hear") slow.letOn();
            else for (let n = 0; n < step; n += 1) bus.publish(fact((published += 1)));
            expect(bus.counters().listeners[0]?.queued ?? 0).toBeLessThanOrEqual(capacity);
            if (step === "hear") await settled();
          }
          for (let n = 0; n <= capacity; n += 1) {
            await settled();
            slow.letOn();
          }
          await settled();
          const heard = slow.heard.map((news) => (news.type === "fact" ? news.n : 0));
          expect(heard).toEqual(heard.toSorted((a, b) => a - b));
          expect(heard.at(-1) ?? 0).toBe(published);
          const [counted] = bus.counters().listeners;
          expect(slow.told.reduce((sum, dropped) => sum + dropped, 0)).toBe(counted?.dropped);
          expect(heard.length + (counted?.dropped ?? 0)).toBe(published);
        }),
        { numRuns: 200 },
      );
    });

    it("a text is heard whole or its listener is told that it is torn", async () => {
      const plan = fc.array(fc.tuple(fc.boolean(), fc.string({ minLength: 1, maxLength: 3 })));
      await fc.assert(
        fc.asyncProperty(plan, async (pieces) => {
          const { bus, settled } = create();
          const slow = gate();
          bus.subscribe({ name: "slow", capacity: 2, hear: slow.hear, lagged: slow.lagged });
          for (const [isOther, text] of pieces) bus.publish(piece(text, isOther ? "b" : "a"));
          for (let n = 0; n < 4; n += 1) {
            await settled();
            slow.letOn();
          }
          await settled();
          const textOf = (news: readonly Told[], source: string) =>
            news
              .map((one) => (one.type !== "fact" && one.source === source ? one.text : ""))
              .join("");
          const sent = pieces.map(([isOther, text]) => piece(text, isOther ? "b" : "a"));
          const isWhole = ["a", "b"].every((of) => textOf(slow.heard, of) === textOf(sent, of));
          expect(isWhole).toBe(slow.told.length === 0);
        }),
        { numRuns: 200 },
      );
    });
  });
}
