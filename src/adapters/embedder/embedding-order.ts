/** What goes to the thread of the built-in model, and comes back: one order at a time. */
export type EmbeddingOrder = { readonly texts: readonly string[] };
export type EmbeddingAnswer = { readonly vectors: readonly (readonly number[])[] };
