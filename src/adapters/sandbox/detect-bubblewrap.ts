import { execFile } from "node:child_process";
import {
  type BubblewrapAbilities,
  bubblewrapOptions,
  workspacePlace,
} from "./bubblewrap-options.ts";
import { limited, systemPath } from "./program-surroundings.ts";
import { errnoOf } from "../../schema/errno.ts";

/** Finds out whether bwrap is here and whether this machine lets it make a sandbox, by making one. */

export type Bubblewrap =
  | (BubblewrapAbilities & { readonly ok: true })
  | { readonly ok: false; readonly reason: string };

type Attempt = { readonly works: boolean; readonly missing: boolean; readonly said: string };

const attemptMs = 10_000;
const maxSaid = 400;

function attempt(words: readonly string[]): Promise<Attempt> {
  return new Promise((resolve) => {
    const options = { env: { PATH: systemPath }, timeout: attemptMs };
    execFile("bwrap", words, options, (error, stdout, stderr) => {
      const missing = errnoOf(error) === "ENOENT";
      const said = (error === null ? stdout : stderr || error.message).trim();
      resolve({ works: error === null, missing, said });
    });
  });
}

function unavailable(said: string): Bubblewrap {
  const told = said === "" ? "it gave no reason" : said.slice(0, maxSaid);
  return {
    ok: false,
    reason:
      `bubblewrap cannot make a sandbox on this machine (${told}). It needs unprivileged user namespaces, a /proc of its own, ` +
      "prlimit (util-linux) and sha256sum (coreutils); containers and some distributions switch these off.",
  };
}

/** What the gate of each program calls (sandbox-process.ts). */
const everyProgramNeeds = ["sha256sum", "/dev/null"];

export async function detectBubblewrap(): Promise<Bubblewrap> {
  const help = await attempt(["--help"]);
  if (help.missing) {
    return {
      ok: false,
      reason:
        "bubblewrap is not installed. Install it (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap), " +
        "then start the service again.",
    };
  }
  const abilities = {
    canDisableUserNamespaces: help.said.includes("--disable-userns"),
    canHoldFiles: help.said.includes("--perms"),
  };
  const shape = { directory: workspacePlace, ...abilities };
  const trial = await attempt([...bubblewrapOptions(shape), "--", ...limited(everyProgramNeeds)]);
  return trial.works ? { ok: true, ...abilities } : unavailable(trial.said);
}
