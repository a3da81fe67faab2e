import { vi } from "vitest";

/** How long a test waits for what comes by itself. vitest's own second is short where other processes want the machine too. */
const patienceMs = 30_000;
const patient = Symbol.for("statehive.patience");

if (!(patient in vi)) {
  const { waitFor } = vi;
  vi.waitFor = (look, options) =>
    waitFor(look, { timeout: patienceMs, ...(typeof options === "number" ? {} : options) });
  Object.defineProperty(vi, patient, { value: true });
}
