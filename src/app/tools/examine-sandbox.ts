import { type Bubblewrap, detectBubblewrap } from "../../adapters/sandbox/detect-bubblewrap.ts";
import { isInstalled } from "../../adapters/sandbox/is-installed.ts";

/** What commands need, tried as the service tries it. */
export async function examineSandbox(): Promise<{
  readonly bubblewrap: Bubblewrap;
  readonly prlimit: boolean;
}> {
  return { bubblewrap: await detectBubblewrap(), prlimit: isInstalled("prlimit") };
}
