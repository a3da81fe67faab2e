/** The texts that make an agent, in the order in which a model reads them. */
export type Persona = {
  readonly name: string;
  readonly system: string;
  readonly style: string;
  readonly safety: string;
};

export function systemPrompt(persona: Persona): string {
  const { name, system, style, safety } = persona;
  return [`Your name is ${name}.`, system, style, safety]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}
