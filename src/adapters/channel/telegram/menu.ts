/** The commands that Telegram offers when somebody types a slash. */
export const menu = [
  { command: "new", description: "Begin a new conversation" },
  { command: "stop", description: "Stop what is being done" },
  { command: "status", description: "Show what is being done" },
  { command: "approvals", description: "Show what waits for a decision" },
  { command: "agent", description: "Choose the agent that answers here" },
  { command: "help", description: "Show what can be said" },
];
