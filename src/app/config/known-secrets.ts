import { createRedactor, type Redactor } from "../../policy/redaction.ts";

/** Every secret that this process has ever read: an old key is still one in a text that comes late. */
export class KnownSecrets implements Pick<Redactor, "json" | "stream"> {
  readonly #values = new Set<string>();
  #redactor: Redactor = createRedactor([]);

  add(values: readonly string[]): void {
    for (const value of values) this.#values.add(value);
    this.#redactor = createRedactor([...this.#values]);
  }

  readonly json = <T>(value: T): T => this.#redactor.json(value);
  readonly stream: Redactor["stream"] = () => this.#redactor.stream();
}
