import { writeFile } from "node:fs/promises";
import { join } from "node:path";

export type Saved = { readonly written: string; readonly fault?: string };

/** Writes it into a new file that only its owner can read; a file that is there is never touched.
 *  @param name of which only letters, digits, - and _ are kept */
export async function saveJson(folder: string, name: string, value: unknown): Promise<Saved> {
  const plain = name.replaceAll(/[^\w-]+/g, "_").slice(0, 100);
  const written = join(folder, `statehive-${plain}.json`);
  try {
    await writeFile(written, `${JSON.stringify(value, null, 2)}\n`, { flag: "wx", mode: 0o600 });
    return { written };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return { written, fault: code === "EEXIST" ? "it is there already" : code };
  }
}
