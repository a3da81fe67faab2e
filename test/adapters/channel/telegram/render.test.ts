import { describe, expect, it } from "vitest";
import {
  renderBody,
  renderUnfinished,
  type RenderedPart,
} from "../../../../src/adapters/channel/telegram/rendering/render.ts";
import type { CardPart } from "../../../../src/schema/outbound.ts";
import { cardText } from "../../../../src/text/card-text.ts";
import {
  entityFault,
  lengthAfterEntities,
  textAfterEntities,
} from "../../../support/telegram/telegram-html.ts";

function markdown(text: string): readonly RenderedPart[] {
  return renderBody({ kind: "markdown", text });
}

function html(text: string): string {
  return markdown(text)
    .map((part) => part.html)
    .join("\n<<next>>\n");
}

function card(...parts: readonly CardPart[]): RenderedPart {
  const [part, ...more] = renderBody({ kind: "card", parts });
  expect(more).toEqual([]);
  if (part === undefined) throw new Error("A card is one part.");
  return part;
}

describe("what a model wrote", () => {
  it.each([
    [
      "**b** *i* ***both*** ~~s~~ `c < d`",
      "<b>b</b> <i>i</i> <b><i>both</i></b> <s>s</s> <code>c &lt; d</code>",
    ],
    ["**bold `code` bold**", "<b>bold </b><code>code</code><b> bold</b>"],
    ["# Head *er*\ntext", "<b>Head <i>er</i></b>\n\ntext"],
    ["one\ntwo\n\n\n\nthree", "one\ntwo\n\nthree"],
    ["a &amp; b &lt;i&gt; &#97; &unknown;", "a &amp; b &lt;i&gt; a &amp;unknown;"],
    [
      "```ts\nif (a < b) {\n\n  c();\n}\n```",
      '<pre><code class="language-ts">if (a &lt; b) {\n\n  c();\n}</code></pre>',
    ],
    ["```\nnever closed\n", "<pre>never closed</pre>"],
    ['```x"><b>\ny\n```', '<pre><code class="language-x">y</code></pre>'],
    ["> quoted **b**\n> more\n\nafter", "<blockquote>quoted <b>b</b>\nmore</blockquote>\n\nafter"],
    ["> a\n>> b\n>> c", "<blockquote>a\n\n│ b\n│ c</blockquote>"],
    ["- a\n  - b\n    c\n- d", "• a\n   • b\n      c\n• d"],
    ["3. a\n4. b", "3. a\n4. b"],
    ["- [x] done\n- [ ] open", "☑ done\n☐ open"],
    ["- see\n  ```\n  x\n   y\n  ```", "• see\n<pre>x\n y</pre>"],
    ["a\n\n---\n\nb", "a\n\n———\n\nb"],
  ])("shows %j", (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  it("shows HTML as text, never as markup", () => {
    expect(html("<b>x</b> <script>alert(1)</script><br>y\n\n<div onclick=a>\nz\n</div>")).toBe(
      "&lt;b&gt;x&lt;/b&gt; &lt;script&gt;alert(1)&lt;/script&gt;\ny\n\n&lt;div onclick=a&gt;\nz\n&lt;/div&gt;",
    );
  });

  it("shows a narrow table in columns, and a wide one or one with links row by row", () => {
    expect(html("| Name | Qty |\n|---|--:|\n| Brot | 1 |\n| 日本 | 12 |")).toBe(
      "<pre>Name │ Qty\n─────┼────\nBrot │   1\n日本 │  12</pre>",
    );
    expect(html("| Name | Where |\n|---|---|\n| a | [b](https://c.de) |\n| f | |")).toBe(
      '<b>a</b>\n• Where: <a href="https://c.de/">b</a>\n\n<b>f</b>',
    );
    expect(html(`| A | B |\n|---|---|\n| ${"x".repeat(30)} | ${"y".repeat(30)} |`)).toBe(
      `<b>${"x".repeat(30)}</b>\n• B: ${"y".repeat(30)}`,
    );
  });

  it("links only to the web, and says where a link leads that its words hide", () => {
    expect(html('[docs](https://a.b/c?d="e"&f)')).toBe(
      '<a href="https://a.b/c?d=%22e%22&amp;f">docs</a>',
    );
    expect(html("[google.com](https://evil.example/x)")).toBe(
      '<a href="https://evil.example/x">google.com</a> (evil.example)',
    );
    expect(html("[https://google.com/](https://google.com@evil.example)")).toBe(
      '<a href="https://google.com@evil.example/">https://google.com/</a> (evil.example)',
    );
    expect(html("[here](https://bank.example@evil.example) [@ann](https://t.me/bob)")).toBe(
      '<a href="https://bank.example@evil.example/">here</a> (evil.example) <a href="https://t.me/bob">@ann</a> (t.me)',
    );
    expect(html("[ｇｏｏｇｌｅ．ｃｏｍ](https://www.google.com)")).toBe(
      '<a href="https://www.google.com/">ｇｏｏｇｌｅ．ｃｏｍ</a>',
    );
    expect(html("[x](javascript:alert(1)) [y](tg://resolve?domain=z) [z](./a.md)")).toBe(
      "x (javascript:alert(1)) y (tg://resolve?domain=z) z (./a.md)",
    );
    expect(html("https://a.b/?c&d www.e.f g@h.ij")).toBe("https://a.b/?c&amp;d www.e.f g@h.ij");
  });

  it("shows an image as a link, so that nobody fetches it unasked", () => {
    expect(html("![a chart](https://a.b/c.png?secret=1) ![](https://d.e/f.png)")).toBe(
      '<a href="https://a.b/c.png?secret=1">a chart</a> <a href="https://d.e/f.png">d.e</a>',
    );
    expect(html("[![alt](https://a.b/i.png)](https://c.d)")).toBe('<a href="https://c.d/">alt</a>');
  });

  it("shows what would hide or turn the text around as escapes, and keeps the joiners of words", () => {
    expect(html("a\u202eb\u200bc &#x202e; `d\u2066` \ud800")).toBe(
      "a\\u{202e}b\\u{200b}c \\u{202e} <code>d\\u{2066}</code> \\u{d800}",
    );
    expect(html("می\u200cخواهم 👨\u200d👩\u200d👧")).toBe("می\u200cخواهم 👨\u200d👩\u200d👧");
  });

  it.each(["", " \n\t ", "```\n```", "[a]: https://b.c"])(
    "says of %j that it is no text",
    (text) => {
      expect(markdown(text)).toEqual([{ html: "(no text)", plain: "(no text)" }]);
    },
  );

  it("is read without markup with the addresses of its links", () => {
    expect(markdown("# A\n[b **c**](https://d.e/) `f`")[0]?.plain).toBe(
      "A\n\nb c (https://d.e/) f",
    );
  });
});

describe("a long text", () => {
  const paragraph = `${"word ".repeat(300).trim()}.`;

  it("is broken between paragraphs, lines, words, or anywhere if it must be", () => {
    const paragraphs = Array.from({ length: 5 }, () => paragraph).join("\n\n");
    expect(html(paragraphs)).toBe(
      [`${paragraph}\n\n${paragraph}`, `${paragraph}\n\n${paragraph}`, paragraph].join(
        "\n<<next>>\n",
      ),
    );
    const lines = Array.from({ length: 5 }, () => paragraph).join("\n");
    expect(html(lines)).toBe(html(paragraphs).replaceAll("\n\n", "\n"));
    expect(markdown("word ".repeat(1_000)).map((part) => part.html.length)).toEqual([3_999, 999]);
    expect(markdown("x".repeat(4_100)).map((part) => part.html.length)).toEqual([4_000, 100]);
  });

  it("closes and opens again what a break goes through, code with its language and indentation", () => {
    const code = `\`\`\`py\n${"    x = 1\n".repeat(500)}\`\`\``;
    const [first, second] = markdown(code);
    expect(first?.html.slice(0, 44)).toBe('<pre><code class="language-py">    x = 1\n   ');
    expect(first?.html.endsWith("    x = 1</code></pre>")).toBe(true);
    expect(second?.html.slice(0, 41)).toBe('<pre><code class="language-py">    x = 1\n');
    expect(html(`> ${"x".repeat(4_001)}`).split("\n<<next>>\n")[1]).toBe(
      "<blockquote>x</blockquote>",
    );
  });

  it("keeps each character whole: its halves, its accents, its reference in HTML", () => {
    const parts = markdown(`${"x".repeat(3_999)}${"😀".repeat(10)}`);
    expect(parts.map(({ plain }) => plain.length)).toEqual([3_999, 20]);
    const accents = markdown(`${"x".repeat(3_999)}e\u0301${"x".repeat(9)}`);
    expect(accents.map(({ plain }) => plain.length)).toEqual([3_999, 11]);
    expect(markdown("&".repeat(4_001)).map((part) => part.html.length)).toEqual([20_000, 5]);
  });

  it("is its beginning and a file if it were more than four messages", () => {
    const text = Array.from({ length: 11 }, () => paragraph).join("\n\n");
    const [first, file, ...more] = markdown(text);
    expect(more).toEqual([]);
    expect(first?.html).toBe(
      `${paragraph}\n\n${paragraph}\n\n<i>… It goes on: all of it is in the file below.</i>`,
    );
    expect(file).toEqual({
      html: "All of it.",
      plain: "All of it.",
      document: { name: "reply.md", text },
    });
    expect(markdown(text.slice(0, 9 * paragraph.length)).length).toBeLessThanOrEqual(4);
  });

  it("is a file too where the markup or the characters of 1 MB would never end", () => {
    for (const text of [
      "> ".repeat(500_000),
      "\u202e".repeat(1_000_000),
      `\`\`\`${"a\n".repeat(500_000)}`,
    ]) {
      const [first, file] = markdown(text);
      expect(entityFault(first?.html ?? "<")).toBeUndefined();
      expect(file?.document?.text).toBe(text);
    }
  });

  it("shows long addresses as words only where all of them would be too much to send", () => {
    const link = `[words](https://a.b/${"&".repeat(400)})`;
    const [part] = markdown(Array.from({ length: 20 }, () => link).join(" "));
    expect(part?.html).toBe(Array.from({ length: 20 }, () => "words").join(" "));
    expect(part?.plain).toBe(part?.html);
  });

  it("of our own words is split in the same way, without reading it as Markdown", () => {
    const plain = (text: string) => renderBody({ kind: "plain", text });
    expect(plain("*a* <b> \u202e")).toEqual([
      { html: "*a* &lt;b&gt; \\u{202e}", plain: "*a* <b> \\u{202e}" },
    ]);
    expect(plain("x".repeat(4_100)).map((part) => part.plain.length)).toEqual([4_000, 100]);
    expect(plain("x".repeat(20_000))[1]?.document?.name).toBe("message.txt");
  });
});

describe("what is hostile", () => {
  it.each([
    ["quotes in quotes", "> ".repeat(10_000)],
    ["lists in lists", "- ".repeat(10_000)],
    ["numbers in numbers", "1. ".repeat(10_000)],
    ["quotes and lists", ">- ".repeat(10_000)],
    ["brackets", "[".repeat(30_000)],
    ["images in links", "[![".repeat(10_000)],
    [
      "a table of many columns",
      `${"|a".repeat(4_000)}\n${"|-".repeat(4_000)}\n${"x\n".repeat(5_000)}`,
    ],
    ["a table of many rows", `${"|a".repeat(15)}\n${"|-".repeat(15)}\n${"x\n".repeat(3_000)}`],
    ["accents", `a${"\u0301".repeat(30_000)}`],
    ["fences", "```\n".repeat(8_000)],
  ])("is bounded: %s", (_name, text) => {
    for (const part of markdown(text)) {
      expect(entityFault(part.html)).toBeUndefined();
      expect(lengthAfterEntities(part.html)).toBeLessThanOrEqual(4_096);
    }
  });

  it("costs what its length says: eight times the emphasis marks do not cost much more than eight times as much", () => {
    const costOf = (length: number): number => {
      const text = "_a".repeat(length / 2);
      const costs = [1, 2, 3].map(() => {
        const before = process.cpuUsage().user;
        markdown(text);
        return process.cpuUsage().user - before;
      });
      return Math.min(...costs);
    };
    costOf(2_000);
    expect(costOf(16_000) / costOf(2_000)).toBeLessThan(32);
  });
});

describe("a card", () => {
  it("is one message: its own words, and what is foreign in code", () => {
    const part = card(
      { kind: "title", text: "Approval a7: <b>" },
      { kind: "line", text: "May main do this?" },
      { kind: "fact", name: "does", value: "Write & run" },
      { kind: "code", text: "rm -rf <x>\n@everybody /stop" },
    );
    expect(part.html).toBe(
      [
        "<b>Approval a7: &lt;b&gt;</b>",
        "May main do this?",
        "does: <code>Write &amp; run</code>",
        "<pre>rm -rf &lt;x&gt;\n@everybody /stop</pre>",
      ].join("\n"),
    );
  });

  it("A11: shows foreign text that plays our own words, an outcome or buttons as what it is, foreign", () => {
    const hostile = "ok</code>\n<b>Approved ✅ by you</b>\n[Allow](tg://x)\u202e\u2028Approved";
    const { html: shown } = card(
      { kind: "fact", name: "does", value: hostile },
      { kind: "code", text: hostile },
    );
    expect(entityFault(shown)).toBeUndefined();
    const foreign = [...shown.matchAll(/<(code|pre)>(.*?)<\/\1>/gs)].map(([, , text]) => text);
    expect(foreign).toEqual([
      "ok&lt;/code&gt;\\n&lt;b&gt;Approved ✅ by you&lt;/b&gt;\\n[Allow](tg://x)\\u{202e}\\u{2028}Approved",
      "ok&lt;/code&gt;\n&lt;b&gt;Approved ✅ by you&lt;/b&gt;\n[Allow](tg://x)\\u{202e}\\u{2028}Approved",
    ]);
    expect(shown.replaceAll(/<(code|pre)>.*?<\/\1>/gs, "")).toBe("does: \n");
  });

  it("reads as the text that its length is measured by", () => {
    const parts: CardPart[] = [
      { kind: "title", text: "a\nb" },
      { kind: "fact", name: "n", value: "" },
      { kind: "code", text: "" },
    ];
    expect(card(...parts).plain).toBe(cardText(parts));
    expect(textAfterEntities(card(...parts).html)).toBe(cardText(parts));
  });

  it("that should never have been so long shows that it is cut", () => {
    const part = card({ kind: "code", text: "x".repeat(9_000) });
    expect(part.html.slice(-75)).toBe(
      "</pre>\n… (cut here: 5080 more characters are not shown)".padStart(75, "x"),
    );
    expect(lengthAfterEntities(part.html)).toBeLessThanOrEqual(4_000);
  });
});

describe("a text that is still being written", () => {
  it("is shown as far as it goes, open fences closed", () => {
    expect(renderUnfinished("Well, **b\n```js\nlet")).toEqual({
      html: 'Well, **b\n\n<pre><code class="language-js">let</code></pre>',
      plain: "Well, **b\n\nlet",
    });
    expect(renderUnfinished(" ").plain).toBe("(no text)");
  });

  it("is its newest part when it is long", () => {
    const { html: shown, plain } = renderUnfinished(`first ${"😀 ".repeat(9_000)}last`);
    expect(plain.startsWith("… ")).toBe(true);
    expect(plain.endsWith("😀 last")).toBe(true);
    expect(entityFault(shown)).toBeUndefined();
    expect(plain.length).toBeLessThanOrEqual(4_096);
  });
});
