import { engineContract } from "../contracts/engine.contract.ts";
import { libsqlDisk } from "../support/disks.ts";

engineContract("the engine over libsql", libsqlDisk);
