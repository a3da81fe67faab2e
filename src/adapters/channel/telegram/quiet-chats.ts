/** Chats that are left alone for a while. */
export type QuietChats = {
  add(chat: string, ms: number): void;
  has(chat: string): boolean;
};

/** Beyond it the one that was added first is forgotten: it costs a call that is refused. */
const mostChats = 1000;

export function createQuietChats(now: () => number): QuietChats {
  const until = new Map<string, number>();
  return {
    add: (chat, ms) => {
      until.delete(chat);
      until.set(chat, now() + ms);
      const [oldest] = until.keys();
      if (until.size > mostChats && oldest !== undefined) until.delete(oldest);
    },
    has: (chat) => {
      const end = until.get(chat);
      if (end === undefined) return false;
      if (end > now()) return true;
      until.delete(chat);
      return false;
    },
  };
}
