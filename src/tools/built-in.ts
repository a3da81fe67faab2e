import { askUserTool } from "./ask-user.ts";
import { fileEditTool } from "./file-edit.ts";
import { fileListTool } from "./file-list.ts";
import { fileReadTool } from "./file-read.ts";
import { fileSearchTool } from "./file-search.ts";
import { fileWriteTool } from "./file-write.ts";
import { memorySearchTool } from "./memory-search.ts";
import { memoryWriteTool } from "./memory-write.ts";
import { messageSendTool } from "./message-send.ts";
import { scheduleCreateTool } from "./schedule-create.ts";
import { sessionSearchTool } from "./session-search.ts";
import { shellExecTool } from "./shell-exec.ts";
import type { Tool } from "./tool.ts";
import { webFetchTool } from "./web-fetch.ts";

/** The tools that ship, in the order in which the docs show them. */
export const builtInTools: readonly Tool[] = [
  fileReadTool,
  fileListTool,
  fileSearchTool,
  fileWriteTool,
  fileEditTool,
  shellExecTool,
  webFetchTool,
  memoryWriteTool,
  memorySearchTool,
  sessionSearchTool,
  messageSendTool,
  scheduleCreateTool,
  askUserTool,
];
