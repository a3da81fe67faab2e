import { startChild } from "./child.ts";
import type { ModelAddress } from "./model-script.ts";

export type ModelServer = { readonly url: string; close(): Promise<void> };

/** The scripted model, in a process of its own so that its CPU is not counted. */
export async function startModelServer(): Promise<ModelServer> {
  const child = await startChild(import.meta.url, "model-script");
  const { url } = await child.ask<ModelAddress>("url");
  return { url, close: child.close };
}

/** What a user says to have so many rounds with a tool, then text. */
export const rounds = (count: number, tool = "weather") => `rounds=${count} ${tool}`;
