import { toErrorData } from "../../schema/errors.ts";
import { asking, type CommandContext } from "../command-context.ts";

/** After files were changed: a service that runs takes them over, one that does not reads them when it starts. What keeps it from
 *  that is said, and is no failure of the change.
 *  @returns whether it has them */
export async function reloadService(context: CommandContext): Promise<boolean> {
  try {
    await asking(context, ({ call }) => call("config.reload", {}));
    return true;
  } catch (thrown) {
    const { code, message } = toErrorData(thrown);
    context.note(
      code === "service.not_running"
        ? "the service does not run; it reads this when it starts"
        : `the service has not taken it over: ${message} \`statehive config reload\` tries again`,
    );
    return false;
  }
}
