import { engineContract } from "../contracts/engine.contract.ts";
import { memoryDisk } from "../support/disks.ts";

engineContract("the engine in memory", memoryDisk);
