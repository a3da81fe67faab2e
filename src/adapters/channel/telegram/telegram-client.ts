import { Api, type TransportOptions } from "node-telegram-bot-api";
import type { AgentError } from "../../../schema/errors.ts";
import { readBounded } from "../../web/bounded-body.ts";
import { type Asked, failure, toChannelError, withoutToken } from "./telegram-errors.ts";

/** The library's clients for one bot. None repeats anything: what may be repeated, the actors know. */

export type ClientOptions = {
  readonly token: string;
  /** The Bot API's server, without the token. */
  readonly apiRoot: string;
  /** How long an ordinary call may take; 30 000 unless told. */
  readonly callTimeoutMs?: number;
  /** How long one may take that only shows what happens; 5 000 unless told. */
  readonly liveTimeoutMs?: number;
};

export type TelegramClient = {
  /** @throws AgentError as the channel's port says */
  call<T>(asked: Asked, ask: (api: Api) => Promise<T>): Promise<T>;
  /** The same, at most 25 in a second: Telegram takes 30 of a bot. */
  send<T>(asked: Asked, ask: (api: Api) => Promise<T>): Promise<T>;
  /** The same, within some seconds. */
  show<T>(asked: Asked, ask: (api: Api) => Promise<T>): Promise<T>;
  /** @param path what getFile said */
  download(path: string, signal: AbortSignal): Promise<Response>;
};

const callTimeoutMs = 30_000;
const liveTimeoutMs = 5_000;
const tokenForm = /^\d{1,15}:[A-Za-z0-9_-]{1,200}$/;
/** The library would wait for the clock of the wall, which may be set back. */
const pace = { global: 25, now: () => performance.now() };

/** A hundred updates are far shorter. */
const longestAnswer = 16 * 1024 * 1024;

/** Another host is told neither the token nor what is said. */
const fetchWithoutRedirect: typeof fetch = (url, init) =>
  fetch(url, { ...init, redirect: "manual" });

/** The library reads an answer to its end, wherever that is. One that is cut off is no JSON any more, and is taken as none. */
const fetchAnswer: typeof fetch = async (url, init) => {
  const { status, body } = await fetchWithoutRedirect(url, init);
  const { bytes } = await readBounded(body, longestAnswer);
  const text = new TextDecoder().decode(bytes);
  return new Response(text === "" ? null : text, { status });
};

export function createTelegramClient(options: ClientOptions): TelegramClient {
  const { token } = options;
  const root = options.apiRoot.replace(/\/+$/, "");
  const common: TransportOptions = {
    apiRoot: root,
    maxRetries: 0,
    fetch: fetchAnswer,
    timeoutMs: options.callTimeoutMs ?? callTimeoutMs,
  };
  /** Made when it is used, as the library throws without a token. */
  const apiWith = (changes: TransportOptions = {}) => {
    let api: Api | undefined;
    return () => (api ??= new Api(token, { ...common, ...changes }));
  };
  const asking =
    (apiOf: () => Api): TelegramClient["call"] =>
    async (asked, ask) => {
      if (!tokenForm.test(token)) throw malformedToken();
      try {
        return await ask(apiOf());
      } catch (error) {
        throw withoutToken(toChannelError(error, asked), token);
      }
    };
  return {
    call: asking(apiWith()),
    send: asking(apiWith({ rateLimit: pace })),
    show: asking(apiWith({ timeoutMs: options.liveTimeoutMs ?? liveTimeoutMs })),
    download: (path, signal) =>
      fetchWithoutRedirect(`${root}/file/bot${token}/${path}`, { signal }),
  };
}

function malformedToken(): AgentError {
  return failure(
    "channel.unauthorized",
    "The token does not have the form of one: a number, a colon, and letters, digits, _ or -.",
  );
}
