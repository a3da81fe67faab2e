import { Option } from "commander";

export type Bounded = { readonly boundary?: readonly string[] };

export function boundaryOption(): Option {
  return new Option(
    "--boundary <pattern...>",
    "all that may be done for it, inside what the agent may: 'fs.read:**' 'fs.write:notes/**'",
  );
}
