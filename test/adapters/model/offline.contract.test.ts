import { createOfflineProvider } from "../../../src/adapters/model/offline/offline-provider.ts";
import { describeModelContract } from "../../contracts/model.contract.ts";
import { ask, everyTool } from "./requests.ts";

describeModelContract("offline", async () => ({
  provider: createOfflineProvider(),
  talk: ask("who are you?", everyTool),
  work: ask("read a.txt and b.txt", everyTool),
  close: async () => undefined,
}));
