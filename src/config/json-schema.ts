import { z } from "zod";
import type { JsonObject } from "../schema/json.ts";
import { configFiles } from "./config-files.ts";
import { notYetWork } from "./not-yet.ts";
import { choices } from "./shape.ts";

/** The shapes of the configuration files as JSON schemas, for editors and other programs. What lies between files (ids that
 *  are there twice, references) and a few exact checks (ports, time zones) only `loadConfig` knows. */

export type ConfigFileKind = keyof typeof configFiles;

export const configFileKinds = Object.keys(configFiles) as readonly ConfigFileKind[];

/** In draft 2020-12. */
export function configSchema(kind: ConfigFileKind): JsonObject {
  const { place, shape } = configFiles[kind];
  const made = z.toJSONSchema(shape, { target: "draft-2020-12", io: "input", override: retell });
  const { $schema, ...rest } = made;
  return JSON.parse(
    JSON.stringify({ $schema, title: `statehive: ${place}`, ...rest }),
  ) as JsonObject;
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>;

/** The form that a text is to have, and what has no effect yet, become part of the description. */
const retell: Override = ({ zodSchema, jsonSchema }) => {
  const { title, description, notYet } = jsonSchema;
  delete jsonSchema["title"];
  delete jsonSchema["notYet"];
  const isUnused = typeof notYet === "string";
  const coming = choices(zodSchema).filter((choice) => notYetWork(zodSchema, choice) !== undefined);
  const parts = [
    description,
    title === undefined ? undefined : `Expects ${title}.`,
    isUnused ? "Not used yet." : undefined,
    !isUnused && coming.length > 0 ? `Not there yet: ${coming.join(", ")}.` : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length > 0) jsonSchema.description = parts.join(" ");
};
