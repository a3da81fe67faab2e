import type { Connector } from "../../actors/approvers.ts";
import type { HiveConfig } from "../../schema/config/config.ts";

/** The configured connectors as actors know them: ids are text, whatever they are in their channel. */
export function waysIn({ connectors }: HiveConfig): Connector[] {
  return connectors.map(({ id, type, approvers }) => ({
    id,
    type,
    approvers: approvers.map(String),
  }));
}
