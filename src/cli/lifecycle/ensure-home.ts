import { initHome, isHome } from "../../config/home.ts";
import type { CommandContext } from "../command-context.ts";

/** A missing home is made from the defaults, and that is said. @throws AgentError home.invalid */
export function ensureHome(context: CommandContext): void {
  if (isHome(context.home)) return;
  initHome(context.home);
  context.note(`made a new home from the defaults: ${context.home}`);
}
