import { describe, expect, it } from "vitest";
import { type Room, personBeyondShare } from "../../../src/memory/entries/share-of-person.ts";

const day: Room = { entries: 8, bytes: 1_000_000 };

const said = (...persons: string[]) =>
  persons.map((person, n) => `- fact ${n} <!-- 14:02 ${person} -->\n`).join("");

describe("the share that one person takes of a file", () => {
  it("is half of it where nobody else has said anything", () => {
    const half = Array<string>(4).fill("user:1");
    expect(personBeyondShare(said(...half), day)).toBeUndefined();
    expect(personBeyondShare(said(...half, "user:1"), day)).toBe("user:1");
  });

  it("leaves room for who comes later, and again for who comes after them", () => {
    const first = Array<string>(4).fill("user:1");
    expect(personBeyondShare(said(...first, "user:2", "user:2"), day)).toBeUndefined();
    expect(personBeyondShare(said(...first, "user:2", "user:2", "user:2"), day)).toBe("user:2");
    expect(personBeyondShare(said(...first, "user:2", "user:2", "user:3"), day)).toBeUndefined();
  });

  it("counts for who said a thing, not for whose text they had read", () => {
    const read = Array<string>(3).fill("user:1 user:2");
    expect(personBeyondShare(said(...read, "user:2"), day)).toBeUndefined();
    expect(personBeyondShare(said(...read, "user:1 web:example.com", "user:1"), day)).toBe(
      "user:1",
    );
  });

  it("is counted in bytes too, and in nothing else where entries have no bound", () => {
    const many = said(...Array<string>(20).fill("user:1"));
    expect(personBeyondShare(many, { bytes: 10_000 })).toBeUndefined();
    const long = `- ${"ü".repeat(300)} <!-- 14:02 user:1 -->\n`;
    expect(personBeyondShare(long, { bytes: 1_300 })).toBeUndefined();
    expect(personBeyondShare(long, { bytes: 1_200 })).toBe("user:1");
    expect(personBeyondShare(`${"x".repeat(200)}\n\n${long}`, { bytes: 1_300 })).toBe("user:1");
  });

  it("binds nobody who writes by hand, nor the agent itself", () => {
    const byHand = Array.from({ length: 7 }, (_, n) => `- ${n}\n`).join("");
    expect(personBeyondShare(byHand, day)).toBeUndefined();
    expect(personBeyondShare(said(...Array<string>(7).fill("agent:main")), day)).toBeUndefined();
  });
});
