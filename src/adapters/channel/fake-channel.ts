import type { Channel, Fetched, FetchLimits, LiveChannel, SendCall } from "../../ports/channel.ts";
import { AgentError } from "../../schema/errors.ts";
import type { InboundUpdate } from "../../schema/inbound.ts";
import type { OutboundMessage } from "../../schema/outbound.ts";

/** A channel in memory: what people write is put in, what they would see is read off. */

export type SeenMessage = OutboundMessage & {
  readonly message_id: string;
  readonly part: number;
  readonly key: string;
};

/** What is to happen instead of the next sending: it never begins, or its answer is lost. */
export type SendFault =
  | { readonly kind: "refuse"; readonly error: AgentError }
  | { readonly kind: "lose_answer" };

export class FakeChannel implements Channel {
  readonly sends: Channel["sends"];
  readonly intake: Channel["intake"];
  /** As they stand now; edited ones are replaced. */
  readonly messages: SeenMessage[] = [];
  /** Everything that was shown while something happened, in order. */
  readonly shown: { readonly kind: keyof LiveChannel; readonly said: object }[] = [];
  readonly files = new Map<string, Fetched>();
  /** What was asked for, in order. */
  readonly fetched: string[] = [];
  readonly fetchFaults: AgentError[] = [];
  readonly sendFaults: SendFault[] = [];
  readonly openFaults: AgentError[] = [];
  readonly receiveFaults: AgentError[] = [];
  /** Whether anything is shown live. */
  isLive = true;
  /** Resolves when a live call goes through, to whether it is shown. */
  admits: (kind: keyof LiveChannel) => boolean | Promise<boolean> = () => true;
  edits = 0;

  private readonly updates: InboundUpdate[] = [];
  private readonly confirmations: { readonly upTo: number; readonly resolve: () => void }[] = [];
  private wake: (() => void) | undefined;
  private lastMessage = 0;

  constructor({
    sends = "once",
    intake = "polling",
  }: Partial<Pick<Channel, "sends" | "intake">> = {}) {
    this.sends = sends;
    this.intake = intake;
  }

  /** Resolves when whoever receives has asked for what comes after these. */
  put(...updates: readonly InboundUpdate[]): Promise<void> {
    this.updates.push(...updates);
    this.wake?.();
    return new Promise((resolve) => {
      this.confirmations.push({ upTo: this.updates.length, resolve });
    });
  }

  open(): Promise<{ id: string; name: string }> {
    const fault = this.openFaults.shift();
    return fault === undefined
      ? Promise.resolve({ id: "1", name: "fake_bot" })
      : Promise.reject(fault);
  }

  identify(): Promise<{ id: string; name: string }> {
    return Promise.resolve({ id: "1", name: "fake_bot" });
  }

  async receive(cursor: string | null, signal: AbortSignal) {
    const after = cursor === null ? 0 : Number(cursor);
    for (const { upTo, resolve } of this.confirmations) if (upTo <= after) resolve();
    if (this.receiveFaults.length === 0 && this.updates.length <= after) await this.arrival(signal);
    const fault = this.receiveFaults.shift();
    if (fault !== undefined) throw fault;
    return { updates: this.updates.slice(after), cursor: String(this.updates.length) };
  }

  private arrival(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.wake = resolve;
      signal.addEventListener("abort", () => reject(stopped()));
    });
  }

  send(
    message: OutboundMessage,
    part: number,
    { key, signal }: Pick<SendCall, "key"> & Partial<SendCall>,
  ) {
    if (signal?.aborted === true) return Promise.reject(stopped());
    const fault = this.sendFaults.shift();
    if (fault?.kind === "refuse") return Promise.reject(fault.error);
    this.lastMessage += 1;
    const message_id = String(this.lastMessage);
    this.messages.push({ ...message, message_id, part, key });
    return fault === undefined
      ? Promise.resolve({ message_id, parts: 1 })
      : Promise.reject(new AgentError("channel.answer_lost", "No answer came."));
  }

  edit(messageId: string, message: OutboundMessage, { key }: { readonly key: string }) {
    const place = this.messages.findIndex(({ message_id }) => message_id === messageId);
    if (place < 0) {
      const gone = { details: { is_gone: true } };
      return Promise.reject(new AgentError("channel.refused", "There is no such message.", gone));
    }
    this.edits += 1;
    this.messages[place] = { ...message, message_id: messageId, part: 0, key };
    return Promise.resolve({ message_id: messageId, parts: 1 });
  }

  async fetch(fileId: string, { maxBytes }: FetchLimits): Promise<Fetched> {
    this.fetched.push(fileId);
    const fault = this.fetchFaults.shift();
    if (fault !== undefined) throw fault;
    const file = this.files.get(fileId);
    if (file === undefined) throw new AgentError("channel.refused", "There is no such file.");
    if (file.bytes.length > maxBytes)
      throw new AgentError("file.too_large", `The file is larger than ${maxBytes} bytes.`);
    return file;
  }

  readonly live: LiveChannel = {
    seen: (said) => this.show("seen", said),
    typing: (said) => this.show("typing", said),
    draft: (said) => this.show("draft", said),
    preview: async (said) => {
      if (!(await this.show("preview", said))) return undefined;
      const body = { kind: "plain", text: said.text } as const;
      const message = { scope: said.scope, body, buttons: [], reply_to: null, wants_reply: false };
      return (await this.send(message, 0, { key: "" })).message_id;
    },
    changePreview: async (said) => {
      if (!(await this.show("changePreview", said))) return false;
      const place = this.messages.findIndex(({ message_id }) => message_id === said.messageId);
      const message = this.messages[place];
      if (message === undefined) return false;
      this.messages[place] = { ...message, body: { kind: "plain", text: said.text } };
      return true;
    },
    answerTap: (tap, text) => this.show("answerTap", { tap, text }),
  };

  private async show(kind: keyof LiveChannel, said: object): Promise<boolean> {
    const isShown = this.isLive && (await this.admits(kind));
    if (isShown) this.shown.push({ kind, said });
    return isShown;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function stopped(): AgentError {
  return new AgentError("activity.aborted", "The channel was told to stop.");
}
