/** Tables as data: the engine's rows and the domain's rows are kept by the same small row store. */

/** json columns are stored as text and come back parsed; flags are integers 0 and 1. */
export type ColumnType = "text" | "integer" | "real" | "json";

/** An index answers: rows whose `equals` columns have these values, in the order of the `order` columns. */
export type Index<C extends string> = {
  readonly equals: readonly C[];
  readonly order: readonly C[];
};

export type Table<R extends object = Record<string, unknown>> = {
  readonly name: string;
  readonly columns: { readonly [C in keyof R & string]: ColumnType };
  readonly key: readonly (keyof R & string)[];
  readonly indexes: { readonly [name: string]: Index<keyof R & string> };
  /** The column with the address whose end deletes the row, in the transaction that ends it. */
  readonly owner?: keyof R & string;
};

export type KeyValue = string | number;

export type Query = {
  readonly index: string;
  readonly equals?: readonly (KeyValue | null)[];
  /** Bounds on the first order column: `from` included, `after` excluded, `upTo` included, `before` excluded. */
  readonly from?: KeyValue;
  readonly after?: KeyValue;
  readonly upTo?: KeyValue;
  readonly before?: KeyValue;
  readonly descending?: boolean;
  readonly limit?: number;
};
