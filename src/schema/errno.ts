/** What the operating system calls an error: `ENOENT`; undefined for an error of anybody else. */
export function errnoOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string"
    ? thrown.code
    : undefined;
}
