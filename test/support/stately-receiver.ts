import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A page that takes messages as the receiver of @statelyai/inspect does: it says that it is connected, and keeps in `window.got`
 *  whatever has a `type` and a `_version`. It stands for any page of another origin as well. */
const page = `<!doctype html><title>receiver</title><script>
window.got = [];
addEventListener("message", ({ data }) => {
  if (data && typeof data.type === "string" && typeof data._version === "string") window.got.push(data);
});
if (parent !== window) parent.postMessage({ type: "@statelyai.connected" }, "*");
</script>`;

export type StatelyReceiver = {
  readonly url: string;
  /** How often the page was asked for. */
  asked(): number;
};

export async function startReceiver(): Promise<StatelyReceiver> {
  let asked = 0;
  const server = createServer(({ url }, response) => {
    if (url === "/inspect") asked += 1;
    response.writeHead(200, { "content-type": "text/html" }).end(page);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/inspect`, asked: () => asked };
}
