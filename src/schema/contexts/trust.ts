import { z } from "zod";

/** Where that came from which a run knows: `private`: what was read for it and is nobody else's, `untrusted`: what strangers
 *  wrote. Origins look like `file:notes.md` and `web:example.com`. */
export const trust = z.strictObject({
  private: z.array(z.string()),
  untrusted: z.array(z.string()),
});

export const noTrust: z.infer<typeof trust> = { private: [], untrusted: [] };

export type Trust = z.infer<typeof trust>;
