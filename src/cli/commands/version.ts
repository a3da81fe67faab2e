import { defineCommand } from "../command.ts";
import { readVersion } from "../lifecycle/version.ts";

export const version = defineCommand({
  usage: "version",
  summary: "the versions of statehive and of Node",
  example: "version",
  offline: "same",
  async work() {
    const data = { version: readVersion(), node: process.versions.node };
    return { data, text: `statehive ${data.version} (Node ${data.node})` };
  },
});
