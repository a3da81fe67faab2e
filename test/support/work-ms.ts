/** How long this process worked meanwhile: what else goes on on the machine does not count. */
export async function workMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
