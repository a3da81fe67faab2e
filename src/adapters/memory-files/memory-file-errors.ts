import { errnoOf } from "../../schema/errno.ts";
import { AgentError } from "../../schema/errors.ts";
import { fileError } from "../files/file-errors.ts";

const whatIsMemory =
  "Memory is plain files that can be read and written; `statehive memory stats` lists what is left out.";

/** What the operating system, or the walk below the root, said about `path`, in the codes of memory. */
function memoryFileError(path: string, thrown: unknown): AgentError {
  const { code, message, hint, cause } = fileError(path, thrown);
  if (code.startsWith("memory.")) return thrown as AgentError;
  const isForbidden = ["EACCES", "EPERM"].includes(errnoOf(thrown) ?? "");
  const isRefusal = code === "file.refused" || code === "file.outside";
  return new AgentError(isRefusal ? "memory.refused" : "memory.unavailable", message, {
    retryable: !isRefusal,
    cause,
    ...(isRefusal ? { hint: whatIsMemory } : hint === undefined ? {} : { hint }),
    ...(isForbidden ? { hint: "`statehive doctor` says how its user gets it back." } : {}),
  });
}

export async function inMemorysWords<Result>(
  path: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    throw memoryFileError(path, thrown);
  }
}
