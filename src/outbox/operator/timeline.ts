import { acceptedAt } from "../model/calls.ts";
import type { Attempt, Call, Journalled } from "../model/types.ts";
import { isBackfilled } from "./replay.ts";
import { callIdOf, taskOf, whatWasDone, whomOf, whyCall, whyRule, whyWebhook } from "./sentences.ts";
import type { Waiting } from "./waiting.ts";

/** One thing that happened to a webhook, `at` Unix ms. `what` is for programs, `text` for people. */
type Step = {
  at: number;
  what: "received" | "verified" | "rule" | "call" | "try" | "act" | "settled" | "now";
  /** Id of the call it is about. */
  call?: string;
  text: string;
};

/**
 * Everything that happened to a webhook, in order of time: received, verified, each rule, each call, every try with
 * status, message and wait, what people did, and how it stands.
 *
 * @param waits what each undecided call waits for, by its place
 * @param now Unix ms
 */
export const timelineOf = (webhook: Journalled, waits: readonly (Waiting | undefined)[], now: number): Step[] => {
  const { seq, source, type, outcomes, calls } = webhook;
  const at = acceptedAt(seq);
  const steps: Step[] = [
    ...arrivalOf(webhook).map(([what, text]): Step => ({ at, what, text })),
    ...outcomes.map((one): Step => {
      const again = one.replay === undefined ? "" : `Replay ${one.replay}: `;
      return { at: one.at ?? at, what: "rule", text: `${again}${whyRule(one)}` };
    }),
  ];
  if (webhook.unreadable) steps.push({ at, what: "now", text: whyWebhook(webhook) });
  else if (outcomes.length === 0) steps.push({ at, what: "rule", text: `No rule of ${source} is on ${type}.` });
  calls.forEach((call, index) => {
    const id = callIdOf({ seq, index });
    steps.push(...stepsOf(call, at).map((step) => ({ ...step, call: id })));
    const settled = call.settledAt;
    const text = whyCall(call, waits[index]);
    steps.push({ at: settled ?? now, what: settled === undefined ? "now" : "settled", call: id, text });
  });
  // Steps of one time stay in the order they are told in.
  return steps.sort((a, b) => a.at - b.at);
};

const arrivalOf = ({ source, type, eventId, test }: Journalled): [Step["what"], string][] =>
  isBackfilled(eventId)
    ? [["received", `Read from the API of ${source} by a backfill, as ${type}: ${eventId}.`]]
    : [
        ["received", `Received from ${source}: ${type}, the provider's ${eventId}.`],
        ["verified", `Verified: the proof of ${source} was good${test ? "; it is test data" : ""}.`],
      ];

const stepsOf = (call: Call, acceptedAt: number): Step[] => [
  {
    at: call.replay === undefined ? acceptedAt : (call.plannedAt ?? acceptedAt),
    what: "call",
    text: `${call.replay === undefined ? "" : `Replay ${call.replay}: `}rule "${call.rule}" makes ${taskOf(call)} for ${whomOf(call)}.`,
  },
  ...call.attempts.map((attempt, n): Step => ({ at: attempt.at, what: "try", text: tryOf(attempt, n + 1) })),
  ...(call.acts ?? []).map((act): Step => ({ at: act.at, what: "act", text: whatWasDone(act) })),
];

const tryOf = ({ status, message, ms, wait }: Attempt, n: number): string => {
  const took = ms === undefined ? "" : ` after ${ms} ms`;
  const next = wait === undefined ? "" : ` Next try after ${wait} ms.`;
  const outcome =
    status === undefined ? (message ?? "no answer.") : `${status}${took}${message ? `: ${message}` : ""}.`;
  return `Try ${n}: ${outcome.replace(/\.\.$/, ".")}${next}`;
};
