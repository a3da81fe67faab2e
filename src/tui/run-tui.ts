import type { Connection } from "../client/connection.ts";
import { ServiceLink } from "../client/service-link.ts";
import { toErrorData } from "../schema/errors.ts";
import { Tui } from "./app/tui.ts";
import { systemTimers, type Timers } from "./app/timers.ts";
import { own, safe } from "./frame/safe-text.ts";
import { feed } from "./model/feed.ts";
import { createModel, type Model } from "./model/model.ts";
import type { Screen } from "./screen.ts";
import type { Service } from "./service.ts";
import { allViews } from "./views/all-views.ts";

export type TuiStart = {
  readonly connection: Connection;
  /** Opens the next one, when the service was restarted. */
  readonly open: () => Promise<Connection>;
  /** Takes the terminal. @param onStray told what others print meanwhile */
  readonly showOn: (onStray: (text: string) => void) => Screen;
  readonly framesPerSecond: number;
  /** Whether the terminal's bell says that something waits for a person. */
  readonly bells?: boolean;
  readonly timers?: Timers;
};

/** Shows the service until the person leaves; it goes on without them. */
export async function runTui(start: TuiStart): Promise<void> {
  const { showOn, framesPerSecond, bells = false, timers = systemTimers } = start;
  const model = createModel();
  let tui: Tui | undefined;
  const changed = () => tui?.newsCame();
  const service = attachedService(start, { model, timers, changed });
  const screen = showOn((message) => {
    const time = new Date(timers.now()).toISOString();
    model.logs.add([{ time, level: "warn", message }]);
    changed();
  });
  try {
    await new Promise<void>((onLeave) => {
      const views = allViews;
      tui = new Tui({ screen, model, service, timers, framesPerSecond, views, onLeave });
      const say = tui.say.bind(tui);
      const onFault = (error: unknown) => say(own`${safe(toErrorData(error).message)}`, "bad");
      const onWaiting = () => void (bells && screen.bell());
      feed({ model, service, timers, changed, onFault, onWaiting });
      say(own`F7 talks to your agent, F4 shows what waits for you, ? helps`);
    });
  } finally {
    service.close();
    screen.close();
  }
}

type Watching = {
  readonly model: Model;
  readonly timers: Timers;
  readonly changed: () => void;
};

/** The service over one connection after the other; the model knows whether it is there. */
function attachedService({ connection, open }: TuiStart, watching: Watching): Service {
  const { model, timers, changed } = watching;
  const attached = new Set<() => void>();
  const link = new ServiceLink({
    connection,
    open,
    onLost() {
      model.detachedAt = timers.now();
      changed();
    },
    onBack() {
      model.detachedAt = null;
      for (const call of attached) call();
      changed();
    },
    onFault(error) {
      const { message, hint } = toErrorData(error);
      model.fault = hint === undefined ? message : `${message} ${hint}`;
      changed();
    },
  });
  return {
    get call() {
      return link.call;
    },
    on: (method, listener) => link.on(method, listener),
    lasting: (talk) => link.lasting(talk),
    onAttached(call) {
      attached.add(call);
      if (link.isUp) call();
    },
    close: () => link.close(),
  };
}
