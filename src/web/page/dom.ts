import { cleanText } from "../../text/clean-text.ts";

/** What stands in the page is made here, of text: nothing that comes from outside is ever read as markup. */

export type Part = { readonly kind: string; readonly text: string };

export function make<Tag extends keyof HTMLElementTagNameMap>(
  document: Document,
  tag: Tag,
  { kind, text }: Part,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (kind !== "") element.className = kind;
  write(element, text);
  return element;
}

/** What would hide, or change the order of what is read, is shown as an escape. */
export function write(element: HTMLElement, text: string): void {
  element.textContent = cleanText(text, { multiline: element.localName === "pre" });
}

/** @throws Error the page lacks it */
export function find(root: ParentNode, selector: string): HTMLElement {
  const element = root.querySelector<HTMLElement>(selector);
  if (element === null) throw new Error(`the page has no ${selector}`);
  return element;
}
