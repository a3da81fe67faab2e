#!/usr/bin/env node
import { homedir } from "node:os";
import { readEnvironment } from "../config/environment.ts";
import { exitCodes } from "./exit-codes.ts";
import { printFault } from "./output/print-answer.ts";
import { runCli } from "./run-cli.ts";
import type { StopSignal, Terminal } from "./terminal.ts";

const signals: readonly StopSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];
const listeners: ((signal: StopSignal) => void)[] = [];
const faultListeners: ((fault: unknown) => void)[] = [];

const terminal: Terminal = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: readEnvironment(),
  homedir: homedir(),
  now: () => Date.now(),
  onSignal(listener) {
    listeners.push(listener);
    return () => void listeners.splice(listeners.indexOf(listener), 1);
  },
  onFault: (listener) => void faultListeners.push(listener),
  exit: (code) => process.exit(code),
};

/** Whoever read the output has gone: there is nobody left to tell. */
function leaveQuietly(): void {
  process.exit(exitCodes.ok);
}

for (const signal of signals) {
  process.on(signal, () => {
    const listener = listeners.at(-1);
    if (listener === undefined) process.exit(exitCodes.interrupted);
    listener(signal);
  });
}
process.stdout.on("error", leaveQuietly);
process.stderr.on("error", () => undefined);
process.on("uncaughtException", (fault) => {
  for (const listener of faultListeners) listener(fault);
  printFault(terminal, fault);
  process.exit(exitCodes.internal);
});

const code = await runCli(process.argv.slice(2), terminal);
process.stdout.write("", () => process.exit(code));
