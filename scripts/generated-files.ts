import { configDocument } from "./generate-config-docs.ts";
import { configSchemas } from "./generate-config-schemas.ts";
import { errorDocument } from "./generate-error-docs.ts";
import { architectureDocument } from "./generate-layer-table.ts";
import { machineDocuments, orphanedMachineDocuments } from "./generate-machine-docs.ts";
import { socketDocument } from "./generate-socket-docs.ts";
import { type GeneratedFile, isFresh } from "./generated-file.ts";
import { loadMachines } from "./machines/load-machines.ts";
import { readLock, reviewLock } from "./machines/machine-lock.ts";

export type GeneratedFiles = {
  readonly files: readonly GeneratedFile[];
  readonly orphans: readonly string[];
};

/** Every file that a script makes, as it should be. */
export async function generatedFiles(root: string): Promise<GeneratedFiles> {
  const machines = await machineDocuments(root);
  return {
    files: [
      architectureDocument(root),
      configDocument(),
      ...configSchemas(),
      errorDocument(),
      socketDocument(),
      ...machines,
    ],
    orphans: orphanedMachineDocuments(root, machines),
  };
}

/** What is stale in the committed files, with the command that heals it. */
export async function generatedFaults(root: string): Promise<string[]> {
  const { files, orphans } = await generatedFiles(root);
  const { refused, outdated } = reviewLock(readLock(root), await loadMachines(root));
  return [
    ...files
      .filter((file) => !isFresh(root, file))
      .map(({ path }) => `${path} is stale: npm run generate`),
    ...orphans.map((path) => `${path} has no source any more: npm run generate`),
    ...refused,
    ...outdated.map((entry) => `${entry}: npm run machines:lock`),
  ];
}
