import { describe, expect, it } from "vitest";
import {
  entityFault,
  lengthAfterEntities,
  textAfterEntities,
} from "../../../support/telegram/telegram-html.ts";

/** The judge of the tests beside it is judged. */

describe("Telegram's HTML", () => {
  it.each([
    "plain &lt;b&gt; &amp; &quot;x&quot; 😀",
    "<b>a <i>b</i></b> <s>c</s> <u>d</u>",
    '<a href="https://a.b/?c=1&amp;d">x <b>y</b></a>',
    "<code>x</code> <pre>y</pre>",
    '<pre><code class="language-c++">int x;</code></pre>',
    '<blockquote>a <b>b</b> <code>c</code>\n<pre>d</pre> <a href="http://e">f</a></blockquote>',
  ])("takes %s", (html) => {
    expect(entityFault(html)).toBeUndefined();
  });

  it.each([
    ["a < b", 'Unsupported start tag "<" at byte offset 2'],
    ["a > b", "Unescaped character at byte offset 0"],
    ["ä &nbsp;", 'Unknown character reference "&nbsp;" at byte offset 3'],
    ["a & b", 'Unknown character reference "&" at byte offset 2'],
    ["<h1>a</h1>", 'Unsupported start tag "<h1>" at byte offset 0'],
    ["<b onclick=x>a</b>", 'Unsupported start tag "<b onclick=x>" at byte offset 0'],
    ["<b>a", 'Can\'t find end tag corresponding to start tag "b"'],
    ["<b><i>a</b></i>", 'Unmatched end tag, expected "</i>", found "</b>" at byte offset 7'],
    ["a</b>", 'Unexpected end tag "b" at byte offset 1'],
    ["<pre><b>a</b></pre>", '"b" inside "pre" at byte offset 5'],
    ["<b><code>a</code></b>", '"code" inside "b" at byte offset 3'],
    ["<b><blockquote>a</blockquote></b>", '"blockquote" inside "b" at byte offset 3'],
    ["<blockquote><blockquote>a", '"blockquote" inside "blockquote" at byte offset 12'],
    [
      '<code class="language-js">a</code>',
      'Misplaced start tag "<code class="language-js">" at byte offset 0',
    ],
    [
      '<a href="javascript:alert(1)">a</a>',
      'Unsupported start tag "<a href="javascript:alert(1)">" at byte offset 0',
    ],
    ["a \ud83d b", "Text must be encoded in UTF-8 at byte offset 0"],
  ])("refuses %s", (html, fault) => {
    expect(entityFault(html)).toBe(`can't parse entities: ${fault}`);
  });

  it("counts what is read, in UTF-16 units", () => {
    const html = '<b>😀</b> &lt;&amp; <a href="https://a.b">x</a>';
    expect(textAfterEntities(html)).toBe("😀 <& x");
    expect(lengthAfterEntities(html)).toBe(7);
  });
});
