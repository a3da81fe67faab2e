import { createMemoryFiles } from "../../../src/adapters/files/memory-files.ts";
import { describeFilesContract } from "../../contracts/files.contract.ts";

describeFilesContract("memory files", { create: async (initial) => createMemoryFiles(initial) });
