// Required by each thread of a measured process: what threads let go is collected, too, before the size is read.
const { BroadcastChannel, isMainThread } = require("node:worker_threads");

if (!isMainThread) {
  const channel = new BroadcastChannel("collect");
  channel.addEventListener("message", () => globalThis.gc());
  channel.unref();
}
