import { chatCommands } from "../../../schema/chat-commands.ts";

/** The commands that Telegram offers when somebody types a slash. */
export const menu = chatCommands.map(({ name, meaning }) => ({
  command: name,
  description: meaning,
}));
