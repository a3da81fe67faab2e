import type { InspectedActor, InspectedNews } from "../schema/shown/inspected.ts";

/** What the inspector's page is told, one JSON object a line. */
export type StreamMessage =
  | {
      readonly type: "hello";
      /** Of the actor that is inspected with those below it; empty: all. */
      readonly address: string;
      /** The page that speaks Stately's inspector protocol; null: it is not offered. */
      readonly hosted: string | null;
      readonly charts: readonly ChartDefinition[];
    }
  /** `actors` are all that live now, parents first. */
  | { readonly type: "attached"; readonly actors: readonly InspectedActor[] }
  | ({ readonly type: "news" } & InspectedNews)
  | { readonly type: "detached"; readonly reason: string };

export type ChartDefinition = {
  readonly name: string;
  readonly version: string;
  /** The machine's config as JSON. */
  readonly definition: string;
};
