import type { TakeUpdates } from "../../adapters/channel/http/intake-route.ts";
import { OneAtATime } from "../../adapters/turns/one-at-a-time.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { toErrorData } from "../../schema/errors.ts";
import { watchClock } from "../clock-set-back.ts";
import type { LiveConfig } from "../config/live-config.ts";
import type { NewsBus } from "../news/news.ts";
import { startTapAnswers } from "./answer-taps.ts";
import { renewConnectors, startConnectors } from "./connectors.ts";
import { createListener } from "./listener.ts";
import { createConfiguredChannels, type ConfiguredChannels } from "./configured-channels.ts";
import { startLiveReplies } from "./live/live-replies.ts";
import { makeChannel } from "./make-channel.ts";
import { type BegunService, tellRestart } from "./restart-report.ts";
import { retryAll } from "./retry-now.ts";
import { createTakeUpdates } from "./take-updates.ts";
import { endTurnedOut } from "./turned-out.ts";

/** Everything through which people reach the service from outside. */
export type Connections = {
  readonly channels: ConfiguredChannels;
  /** Listens for those who call connectors; before `start`, they are told to come again.
   *  @throws AgentError port.unavailable */
  listen(): Promise<void>;
  /** The engine and the root actor run; what they tell from now on is shown live, and people hear that the service is back. */
  start(engine: Engine, bus: NewsBus, begun: BegunService): Promise<void>;
  /** Takes over what is configured now. @returns what of it cannot be, a line each */
  renew(engine: Engine): Promise<readonly string[]>;
  /** After the engine. */
  close(): Promise<void>;
};

export type ConnectionParts = {
  readonly live: Pick<LiveConfig, "now" | "connectorSecrets">;
  readonly clock: Clock;
  readonly log: Log;
};

export async function openConnections(parts: ConnectionParts): Promise<Connections> {
  const { live, clock, log } = parts;
  const channels = createConfiguredChannels(live, makeChannel);
  await channels.renew();
  let take = takeNothing;
  const watching: (() => void)[] = [];
  const listener = createListener({
    config: live.now,
    routes: channels.routes,
    take: (connectorId, updates) => take(connectorId, updates),
    now: () => clock.monotonic(),
    log,
  });

  function afterSetBack(engine: Engine): void {
    retryAll(engine).catch((thrown: unknown) =>
      log("warn", "what waits was not tried again", { error: toErrorData(thrown) }),
    );
  }

  async function takeOver(engine: Engine): Promise<readonly string[]> {
    const changed = await channels.renew();
    const fault = await listener.renew();
    await renewConnectors(engine, channels, { config: live.now(), changed });
    await endTurnedOut(engine, channels);
    return fault === undefined ? [] : [fault];
  }

  const turns = new OneAtATime();
  return {
    channels,
    listen: () => listener.open(),
    async start(engine, bus, begun) {
      watching.push(
        startTapAnswers({ bus, engine, channels, log }),
        startLiveReplies({ bus, engine, clock, channels: channels.get, log }),
        watchClock(clock, () => afterSetBack(engine)),
      );
      await startConnectors(engine, channels, live.now());
      await endTurnedOut(engine, channels);
      take = createTakeUpdates(engine);
      await tellRestart({ engine, channels, log, ...begun });
    },
    /** One after the other: two that meet would both want the port. */
    renew: (engine) => turns.run(() => takeOver(engine)),
    async close() {
      for (const stop of watching) stop();
      await listener.close();
      await channels.close();
    },
  };
}

const takeNothing: TakeUpdates = () => Promise.resolve("busy");
