import fc from "fast-check";
import { expect, it } from "vitest";
import { renderBody } from "../../../../src/adapters/channel/telegram/rendering/render.ts";
import { markdownPieces } from "../../../../src/adapters/channel/telegram/rendering/markdown-blocks.ts";
import { textOf } from "../../../../src/adapters/channel/telegram/rendering/styled-text.ts";
import type { CardPart } from "../../../../src/schema/outbound.ts";
import { shownText } from "../../../../src/adapters/channel/telegram/rendering/shown-text.ts";
import {
  entityFault,
  lengthAfterEntities,
  textAfterEntities,
} from "../../../support/telegram/telegram-html.ts";
import { shownText as readByTelegram } from "../../../support/telegram/html-text.ts";

const scraps = fc.constantFrom(
  ...'**,*,_,~~,`,```,```js\n,> ,- ,1. ,- [ ] ,# ,\n,\n\n, ,    ,|,|-|-|\n,[,](,](https://a.b/c?d&e),](javascript:x),![,),<b>,</b>,<br>,<!--,&amp;,&#x202e;,&,<,>,",\\,---\n,www.a.b,a@b.cd,\u202e,\u200d,😀,👨‍👩‍👧,e\u0301,日本,\ud800,\0,\t,word,Two words. '.split(
    ",",
  ),
  "x".repeat(700),
  "word ".repeat(200),
  "line\n".repeat(100),
);
const soup = fc.oneof(
  { weight: 3, arbitrary: fc.array(scraps, { maxLength: 40 }).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
);
const cardPart: fc.Arbitrary<CardPart> = fc.oneof(
  fc.record({ kind: fc.constantFrom("title", "line", "code"), text: soup }),
  fc.record({ kind: fc.constant("fact" as const), name: soup, value: soup }),
);

function visible(text: string): string {
  return text.replaceAll(/\s/g, "");
}

it("renders whatever a model writes to messages that Telegram takes, and loses nothing of it between them", () => {
  fc.assert(
    fc.property(soup, fc.constantFrom("markdown" as const, "plain" as const), (text, kind) => {
      const parts = renderBody({ kind, text });
      for (const { html, plain } of parts) {
        expect(entityFault(html)).toBeUndefined();
        expect(lengthAfterEntities(html)).toBeLessThanOrEqual(4_096);
        expect(readByTelegram(html, "HTML").text).toBe(textAfterEntities(html).trim());
        expect(plain.length).toBeLessThanOrEqual(4_096);
      }
      if (parts.some(({ document }) => document !== undefined)) return;
      const whole = kind === "plain" ? shownText(text) : textOf(markdownPieces(text));
      const shown = parts.map(({ html }) => textAfterEntities(html)).join("");
      expect(visible(shown)).toBe(visible(whole) === "" ? "(notext)" : visible(whole));
    }),
    { numRuns: 400 },
  );
});

it("renders whatever stands in a card to one message that Telegram takes", () => {
  fc.assert(
    fc.property(fc.array(cardPart, { minLength: 1, maxLength: 6 }), (parts) => {
      const [part, ...more] = renderBody({ kind: "card", parts });
      expect(more).toEqual([]);
      expect(entityFault(part?.html ?? "<")).toBeUndefined();
      expect(lengthAfterEntities(part?.html ?? "")).toBeLessThanOrEqual(4_000);
    }),
    { numRuns: 200 },
  );
});
