import { setup } from "xstate";
import type { ApprovalContext } from "../../schema/contexts/approval-context.ts";
import type { EventMeta } from "../../schema/events/event.ts";
import { questionBinding } from "./approval-binding.ts";
import { concludeApproval, openApproval, refuseAnswer } from "./approval-effects.ts";
import type { ApprovalEvent, ApprovalInput } from "./approval-events.ts";
import {
  fitsQuestion,
  isAboutCall,
  isApproved,
  isDenied,
  isForeign,
  isForOther,
  isLate,
} from "./approval-rules.ts";
import { lookup, refuse, send, write } from "../effect-actions.ts";

/** One question to one or more humans; it always ends: answered, expired or cancelled. */
export const approvalMachine = setup({
  types: {
    context: {} as ApprovalContext,
    input: {} as ApprovalInput & { $: EventMeta },
    events: {} as ApprovalEvent,
    tags: {} as "approval" | "terminal",
  },
  actions: { send, write, lookup, refuse, openApproval, concludeApproval, refuseAnswer },
  guards: { isForeign, isLate, isForOther, isApproved, isDenied, isAboutCall, fitsQuestion },
  delays: { approvalDeadline: ({ context }) => context.timeout_ms },
}).createMachine({
  id: "approval",
  version: "3",
  context: ({ input }) => {
    const { $, ...question } = input;
    return { ...question, created_at: $.at, binding: questionBinding(question, $.at) };
  },
  initial: "pending",
  states: {
    pending: {
      description: "The question waits for a person.",
      tags: ["approval"],
      entry: "openApproval",
      on: {
        "approval.decide": [
          {
            guard: "isForeign",
            actions: { type: "refuseAnswer", params: { code: "approval.not_approver" } },
          },
          {
            guard: "isLate",
            actions: { type: "refuseAnswer", params: { code: "approval.ended" } },
          },
          {
            guard: "isForOther",
            actions: { type: "refuseAnswer", params: { code: "approval.changed" } },
          },
          { guard: "isApproved", target: "approved" },
          { guard: "isDenied", target: "denied" },
        ],
        "approval.answer": [
          {
            guard: "isForeign",
            actions: { type: "refuseAnswer", params: { code: "approval.not_approver" } },
          },
          {
            guard: "isLate",
            actions: { type: "refuseAnswer", params: { code: "approval.ended" } },
          },
          {
            guard: "isForOther",
            actions: { type: "refuseAnswer", params: { code: "approval.changed" } },
          },
          { guard: "fitsQuestion", target: "answered" },
        ],
        "approval.cancel": "cancelled",
      },
      after: { approvalDeadline: "expired" },
      meta: {
        ignores: {
          "approval.decide": "This question wants an answer, not a decision.",
          "approval.answer": "That is none of the answers that this question takes.",
        },
      },
    },
    approved: {
      description: "A person allowed exactly what was shown.",
      tags: ["terminal"],
      type: "final",
      entry: { type: "concludeApproval", params: { state: "approved" } },
    },
    denied: {
      description: "A person said no.",
      tags: ["terminal"],
      type: "final",
      entry: { type: "concludeApproval", params: { state: "denied" } },
    },
    answered: {
      description: "A person answered the question.",
      tags: ["terminal"],
      type: "final",
      entry: { type: "concludeApproval", params: { state: "answered" } },
    },
    expired: {
      description: "Nobody answered in time; the stated default holds.",
      tags: ["terminal"],
      type: "final",
      entry: { type: "concludeApproval", params: { state: "expired" } },
    },
    cancelled: {
      description: "What the question was about has ended.",
      tags: ["terminal"],
      type: "final",
      entry: { type: "concludeApproval", params: { state: "cancelled" } },
    },
  },
});
