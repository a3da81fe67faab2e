import { errnoOf } from "../../schema/errno.ts";

/** @param target a process, or the negative number of a group; one that is gone needs no killing */
export function killNow(target: number): void {
  try {
    process.kill(target, "SIGKILL");
  } catch (thrown) {
    if (errnoOf(thrown) !== "ESRCH") throw thrown;
  }
}
