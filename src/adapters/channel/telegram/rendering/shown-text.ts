import { cleanText } from "../../../../text/clean-text.ts";

/** Scripts whose words need joiners between their letters: there they hide nothing. */
const scripts = [
  "Arabic",
  "Syriac",
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
];
const letters = `[${scripts.map((script) => String.raw`\p{Script=${script}}`).join("")}]`;
const joiners = new RegExp(`(?<=${letters})([\\u200c\\u200d])(?=${letters})`, "u");

/** Foreign text, as it may stand in a message: what would hide something or turn the reading direction is shown as an escape. */
export function shownText(text: string): string {
  return text
    .split(joiners)
    .map((part, index) => (index % 2 === 0 ? cleanText(part, { multiline: true }) : part))
    .join("");
}
