/** @param target a process, or the negative number of a group; one that is gone needs no killing */
export function killNow(target: number): void {
  try {
    process.kill(target, "SIGKILL");
  } catch (thrown) {
    const isGone = thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH";
    if (!isGone) throw thrown;
  }
}
