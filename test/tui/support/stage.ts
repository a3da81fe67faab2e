import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import type { Results } from "../../../src/schema/socket/protocol.ts";
import { AgentError, toErrorData } from "../../../src/schema/errors.ts";
import { Tui } from "../../../src/tui/app/tui.ts";
import type { Frame, Line, Size } from "../../../src/tui/frame/frame.ts";
import type { Model } from "../../../src/tui/model/model.ts";
import type { Screen, ScreenEvents } from "../../../src/tui/screen.ts";
import type { Service } from "../../../src/tui/service.ts";
import { allViews } from "../../../src/tui/views/all-views.ts";
import { dayStart, modelOfADay } from "./model-of-a-day.ts";

/** What the service answers, by method; what is missing is refused. */
export type Answers = { readonly [M in keyof Results]?: (params: never) => Results[M] };

export type Asked = { readonly method: string; readonly params: unknown };

export type StageOptions = {
  readonly size?: Size;
  /** Where frames go; without one they are only kept. */
  readonly on?: Screen;
  /** Made anew for each stage. */
  readonly model?: () => Model;
  readonly answers?: Answers;
};

/** The whole interface over a model, without a service and a terminal: keys go in, frames come out. */
export function stage({
  on,
  size = on?.size() ?? { columns: 120, rows: 40 },
  model: makeModel = modelOfADay,
  answers: given = {},
}: StageOptions = {}) {
  const model = makeModel();
  const answers: Answers = { ...nobodyTalks, ...given };
  const clock = createSimulatedClock(dayStart);
  const asked: Asked[] = [];
  const heard = new Map<string, Set<(params: never) => void>>();
  const screen = new StageScreen(size, on);
  let hasLeft = false;
  const attached = new Set<() => void>();
  let line = openLine();
  const service: Service = {
    call: async (method, params) => {
      asked.push({ method, params });
      const answer = answers[method] as ((given: unknown) => never) | undefined;
      if (answer === undefined) throw new AgentError("usage", `nothing answers ${method} here`);
      return answer(params);
    },
    on(method, listener) {
      const listeners = heard.get(method) ?? new Set();
      heard.set(method, listeners.add(listener));
      return () => listeners.delete(listener);
    },
    onAttached(call) {
      attached.add(call);
      call();
    },
    async lasting(talk) {
      for (let isAgain = false; ; isAgain = true) {
        await line.isUp;
        const { ended } = line;
        try {
          return await talk({ call: service.call, on: service.on, ended }, isAgain);
        } catch (error) {
          if (toErrorData(error).code !== "service.not_running") throw error;
        }
      }
    },
    close: () => {},
  };
  const onLeave = () => {
    hasLeft = true;
  };
  const parts = { screen, model, service, timers: clock, framesPerSecond: 20, views: allViews };
  const tui = new Tui({ ...parts, onLeave });
  const settled = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    clock.advance(300);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    clock.advance(60);
  };
  return {
    tui,
    model,
    clock,
    asked,
    screen,
    settled,
    hasLeft: () => hasLeft,
    /** Names of keys: `down`, `enter`; one letter types itself. */
    async press(...names: string[]) {
      for (const name of names) {
        screen.events?.key(name.length === 1 ? { name, text: name } : { name });
        await settled();
      }
    },
    async type(text: string) {
      for (const character of text) screen.events?.key({ name: character, text: character });
      await settled();
    },
    async paste(text: string) {
      screen.events?.paste(text);
      await settled();
    },
    /** As if the service told it. */
    async tell(method: string, params: unknown) {
      for (const listener of heard.get(method) ?? []) listener(params as never);
      await settled();
    },
    /** The service goes away. */
    async lose() {
      model.detachedAt = clock.now();
      const { lose } = line;
      line = openLine({ isUp: false });
      lose();
      await settled();
    },
    /** It is there again. */
    async comeBack() {
      model.detachedAt = null;
      line.open();
      for (const call of attached) call();
      await settled();
    },
    /** What the screen shows, a row a string. */
    rows: (): string[] => textOf(tui.frame(screen.size())),
  };
}

/** What the chat asks for at first, where a test is about something else. */
const nobodyTalks: Answers = {
  "agents.list": () => [],
  "chat.agent": () => ({ id: "main" }) as Results["chat.agent"],
  "sessions.show": () => {
    throw new AgentError("session.not_found", "No session has this key.");
  },
};

/** A connection, and whether it is there. */
function openLine({ isUp = true } = {}) {
  let lose = () => {};
  let open = () => {};
  const ended = new Promise<void>((resolve) => (lose = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  if (isUp) open();
  return { isUp: opened, ended, lose, open };
}

export function textOf({ lines }: Frame): string[] {
  return lines.map((line: Line) =>
    line
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );
}

class StageScreen implements Screen {
  events: ScreenEvents | undefined;
  readonly frames: Frame[] = [];
  private current: Size;
  private readonly on: Screen | undefined;

  constructor(size: Size, on: Screen | undefined) {
    this.current = size;
    this.on = on;
  }

  size(): Size {
    return this.current;
  }

  resize(size: Size): void {
    this.current = size;
    this.events?.resized();
  }

  listen(events: ScreenEvents): void {
    this.events = events;
  }

  draw(frame: Frame): void {
    this.frames.push(frame);
    this.on?.draw(frame);
  }

  refresh(): void {}
  suspend(): void {}
  bell(): void {}
  close(): void {}
}
