import type { MemoryChunk } from "../../schema/memory.ts";
import type { Rows } from "./index-file.ts";

export type OriginPlace = {
  readonly origin: string;
  readonly path: string;
  readonly partition: string;
};

export async function chunksOfDocument(path: string, rows: Rows): Promise<MemoryChunk[]> {
  const found = await rows(
    `SELECT text, heading, line_start, line_end, origins FROM chunk JOIN document ON document.id = chunk.document
     WHERE path = ? ORDER BY place`,
    path,
  );
  return found.map(([text, heading, lineStart, lineEnd, origins]) => ({
    text: String(text),
    heading: String(heading),
    line_start: Number(lineStart),
    line_end: Number(lineEnd),
    origins: JSON.parse(String(origins)) as string[],
  }));
}

export async function placesOfOrigins(rows: Rows): Promise<OriginPlace[]> {
  const found = await rows(
    `SELECT origin.value, document.path, part.key FROM chunk, json_each(chunk.origins) AS origin
     JOIN document ON document.id = chunk.document JOIN part ON part.id = document.part ORDER BY document.path, place`,
  );
  return found.map(([origin, path, partition]) => ({
    origin: String(origin),
    path: String(path),
    partition: String(partition),
  }));
}
