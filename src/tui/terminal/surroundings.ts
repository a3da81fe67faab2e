/** The process and the streams around the screen, as it needs them; tests have their own. */

export type TtyIn = NodeJS.ReadableStream & {
  setRawMode?(raw: boolean): unknown;
};

export type TtyOut = NodeJS.EventEmitter & {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): boolean;
};

/** @returns takes the listener away */
type Listen<Arguments extends unknown[]> = (call: (...given: Arguments) => void) => () => void;

export type Surroundings = {
  readonly input: TtyIn;
  readonly output: TtyOut;
  /** On the way to the terminal when it returns, even if the process ends right after. */
  writeNow(text: string): void;
  /** @returns takes it back */
  after(ms: number, call: () => void): () => void;
  /** The process is asked to end, or (SIGHUP) its terminal has gone. */
  onSignal: Listen<[signal: "SIGINT" | "SIGTERM" | "SIGHUP"]>;
  /** The process ends, or a fault that nobody caught will end it. */
  onLeave: Listen<[]>;
  /** The process runs again after a stop. */
  onContinue: Listen<[]>;
  /** What others print while the screen is shown, so that it does not land on it. */
  onStray: Listen<[text: string]>;
  /** Returns when the process runs again. */
  stop(): void;
  /** Ends the process as SIGHUP does: a plain exit aborts in Node 20 once its terminal has gone. */
  hangUp(): void;
  exit(code: number): void;
};
