import { execFile } from "node:child_process";
import type { Environment } from "../../config/environment.ts";

export type Ran = { readonly ok: boolean; readonly said: string };

const withinMs = 30_000;

/** One `systemctl --user` command; not there is a failure like any other. */
export function systemctl(env: Environment, ...words: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { env: { ...env }, timeout: withinMs };
    execFile("systemctl", ["--user", ...words], options, (error, stdout, stderr) => {
      const said = (error === null ? stdout : stderr || error.message).trim();
      resolve({ ok: error === null, said });
    });
  });
}

/** Whether this user's systemd can be spoken to from here. */
export async function reachesSystemd(env: Environment): Promise<boolean> {
  return (await systemctl(env, "show-environment")).ok;
}
