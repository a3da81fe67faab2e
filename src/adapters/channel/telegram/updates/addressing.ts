import type { WireEntity, WireMessage } from "./telegram-shapes.ts";

/** Whom a message is meant for, by what Telegram marked in it: never by a search for names in the text. */

/** This bot. */
export type Self = { readonly id: number; readonly username: string };

export type Words = { readonly text: string; readonly entities: readonly WireEntity[] };

export type Command = { readonly name: string; readonly args: string };

/** What a message says, without the bot's name that it begins with. `command` is null also for one to another bot. */
export type Addressed = {
  readonly text: string;
  readonly command: Command | null;
  readonly isNamed: boolean;
};

export function wordsOf({
  text,
  entities,
  caption,
  caption_entities,
  sticker,
}: WireMessage): Words {
  if (text !== undefined) return { text, entities: entities.filter(within(text)) };
  if (caption !== undefined)
    return { text: caption, entities: caption_entities.filter(within(caption)) };
  return { text: sticker?.emoji ?? "", entities: [] };
}

function within(text: string) {
  return ({ offset, length }: WireEntity) =>
    offset >= 0 && length > 0 && offset + length <= text.length;
}

export function readAddress(words: Words, self: Self): Addressed {
  const begin = beginOf(words, self);
  const found = commandAt(words, begin);
  const isToOther = found?.bot !== undefined && !isName(found.bot, self);
  const isNamed =
    (found?.bot !== undefined && !isToOther) ||
    words.entities.some((one) => names(words, one, self));
  const command = found === undefined || isToOther ? null : { name: found.name, args: found.args };
  return { text: words.text.slice(begin), command, isNamed };
}

function marked({ text }: Words, { offset, length }: WireEntity): string {
  return text.slice(offset, offset + length);
}

function names(words: Words, entity: WireEntity, self: Self): boolean {
  if (entity.type === "text_mention") return entity.user?.id === self.id;
  return entity.type === "mention" && isName(marked(words, entity).slice(1), self);
}

function isName(name: string, { username }: Self): boolean {
  return name.toLowerCase() === username.toLowerCase();
}

/** Where what is said begins: behind `@this_bot, `. */
function beginOf(words: Words, self: Self): number {
  const address = words.entities.find((one) => one.offset === 0 && names(words, one, self));
  if (address === undefined) return 0;
  const rest = words.text.slice(address.length);
  const gap = /^[\s,:]*/.exec(rest)?.[0].length ?? 0;
  return rest.length === gap ? 0 : address.length + gap;
}

const commandForm = /^\/([A-Za-z0-9_]{1,64})(?:@([A-Za-z0-9_]{1,64}))?$/;

function commandAt(
  words: Words,
  begin: number,
): (Command & { bot: string | undefined }) | undefined {
  const entity = words.entities.find(
    ({ type, offset }) => type === "bot_command" && offset === begin,
  );
  if (entity === undefined) return undefined;
  const [, name, bot] = commandForm.exec(marked(words, entity)) ?? [];
  if (name === undefined) return undefined;
  const args = words.text.slice(entity.offset + entity.length).trim();
  return { name: name.toLowerCase(), args, bot };
}
