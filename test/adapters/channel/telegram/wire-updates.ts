/** Updates as Telegram writes them. */

export const self = { id: 7001, username: "statehive_bot" };

export const ann = { id: 1001, is_bot: false, first_name: "Ann", username: "ann" };
export const privateChat = { id: 1001, type: "private", first_name: "Ann" };
export const group = { id: -100123, type: "supergroup", title: "Ops" };
export const forum = { ...group, is_forum: true };

type Fields = Readonly<Record<string, unknown>>;

export function messageOf(fields: Fields): Fields {
  return { message_id: 5, date: 1_790_000_000, from: ann, chat: privateChat, ...fields };
}

export function updateOf(fields: Fields, kind = "message"): Fields {
  return { update_id: 10, [kind]: messageOf(fields) };
}

/** The text with the entities of Telegram's: commands and mentions. */
export function marked(text: string): Fields {
  const found = [...text.matchAll(/(?<!\S)(?:\/\w+(?:@\w+)?|@\w+)/g)];
  const entities = found.map(({ index, 0: { length }, 0: word }) => {
    return { type: word.startsWith("/") ? "bot_command" : "mention", offset: index, length };
  });
  return { text, entities };
}
