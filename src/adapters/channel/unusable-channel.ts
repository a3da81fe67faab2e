import type { Channel } from "../../ports/channel.ts";
import type { AgentError } from "../../schema/errors.ts";

/** A channel that cannot be used, and says why whenever it is asked for something. */
export function createUnusableChannel(intake: Channel["intake"], why: AgentError): Channel {
  const refuse = () => Promise.reject(why);
  return {
    sends: "once",
    intake,
    open: refuse,
    identify: refuse,
    receive: refuse,
    send: refuse,
    edit: refuse,
    fetch: refuse,
    live: {
      seen: notShown,
      typing: notShown,
      draft: notShown,
      preview: () => Promise.resolve(undefined),
      changePreview: notShown,
      answerTap: notShown,
    },
    close: () => Promise.resolve(),
  };
}

function notShown(): Promise<boolean> {
  return Promise.resolve(false);
}
