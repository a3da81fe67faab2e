import type { ServerResponse } from "node:http";
import { Refusal, refusalBody } from "./wire.ts";

/** What goes wrong, by script. */

export type Fault =
  /** Answered in place of the method, which has no effect. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly type: string;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Nothing is read, the connection is reset. */
  | { readonly kind: "reset" }
  /** Nothing has an effect, and no answer comes. */
  | { readonly kind: "hang" }
  /** The method takes effect; the connection is reset in place of its answer. */
  | { readonly kind: "drop_answer" }
  /** The method takes effect, and no answer comes. */
  | { readonly kind: "hold_answer" }
  /** The method takes effect; this is said in place of its answer. */
  | { readonly kind: "other_answer"; readonly status: number; readonly body: string };

type Answered = Extract<Fault, { readonly kind: "answer" }>;

function refused(refusal: Refusal): Answered {
  const body = JSON.stringify(refusalBody(refusal));
  return { kind: "answer", status: refusal.errorCode, type: "application/json", body };
}

function page(status: number, words: string): Answered {
  const body = `<html>\r\n<head><title>${status} ${words}</title></head>\r\n<body><h1>${status} ${words}</h1></body>\r\n</html>`;
  return { kind: "answer", status, type: "text/html", body };
}

export const faults = {
  rateLimited: (seconds: number) =>
    refused(
      new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds }),
    ),
  serverError: refused(new Refusal(500, "Internal Server Error")),
  badGatewayPage: page(502, "Bad Gateway"),
  forbiddenPage: page(403, "Forbidden"),
  okPage: page(200, "Sign in to this network"),
  unauthorized: refused(new Refusal(401, "Unauthorized")),
  notFound: refused(new Refusal(404, "Not Found")),
  conflict: refused(
    new Refusal(
      409,
      "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    ),
  ),
  refused: (code: number, description: string) => refused(new Refusal(code, description)),
  redirect: (location: string): Fault => ({
    ...page(307, "Temporary Redirect"),
    headers: { location },
  }),
  malformedJson: {
    kind: "answer",
    status: 200,
    type: "application/json",
    body: '{"ok":true,"result":[{"update_id":',
  },
  reset: { kind: "reset" },
  hang: { kind: "hang" },
  answerDropped: { kind: "drop_answer" },
  answerHeld: { kind: "hold_answer" },
  answerReplacedByPage: {
    kind: "other_answer",
    status: 502,
    body: "<html><body>Bad Gateway</body></html>",
  },
} as const satisfies Record<string, Fault | ((...values: never[]) => Fault)>;

export type FaultScript = {
  /** @param method or `*`   @param times how many calls it befalls; Infinity: until `clear` */
  add(method: string, fault: Fault, times: number): void;
  /** Asked for each call that no other fault befalls. */
  when(choose: (method: string) => Fault | undefined): void;
  clear(): void;
  take(method: string): Fault | undefined;
};

export function createFaultScript(): FaultScript {
  type Planned = { readonly method: string; readonly fault: Fault; left: number };
  let planned: Planned[] = [];
  let chosen: (method: string) => Fault | undefined = () => undefined;
  return {
    add: (method, fault, times) => void planned.push({ method, fault, left: times }),
    when: (choose) => {
      chosen = choose;
    },
    clear: () => {
      planned = [];
      chosen = () => undefined;
    },
    take: (method) => {
      const next = planned.find((one) => one.method === method || one.method === "*");
      if (next === undefined) return chosen(method);
      next.left -= 1;
      if (next.left <= 0) planned = planned.filter((one) => one !== next);
      return next.fault;
    },
  };
}

export function isBeforeEffect(fault: Fault): boolean {
  return fault.kind === "answer" || fault.kind === "reset" || fault.kind === "hang";
}

/** Does to the response what the fault says; a fault that keeps silent leaves it open. */
export function suffer(response: ServerResponse, fault: Fault): void {
  switch (fault.kind) {
    case "reset":
    case "drop_answer":
      response.socket?.resetAndDestroy();
      return;
    case "hang":
    case "hold_answer":
      return;
    case "answer":
      response.writeHead(fault.status, { "content-type": fault.type, ...fault.headers });
      response.end(fault.body);
      return;
    case "other_answer":
      response.writeHead(fault.status, { "content-type": "text/html" }).end(fault.body);
  }
}
