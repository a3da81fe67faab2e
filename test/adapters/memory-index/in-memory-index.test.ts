import { createInMemoryIndex } from "../../../src/adapters/memory-index/in-memory-index.ts";
import { describeMemoryIndexContract } from "../../contracts/memory-index.contract.ts";

describeMemoryIndexContract("in memory", async () => createInMemoryIndex());
