/** What a channel's people can say as a command; adapters put it into the menu of their service. */
export const chatCommands = [
  { name: "new", meaning: "begin a new conversation" },
  { name: "stop", meaning: "stop what I am doing" },
  { name: "status", meaning: "what I am doing, and what waits" },
  { name: "approvals", meaning: "show again what waits for a decision" },
  { name: "agent", meaning: "who answers here; with a name, choose another" },
  { name: "help", meaning: "what I understand" },
] as const;

export type ChatCommand = (typeof chatCommands)[number]["name"];
