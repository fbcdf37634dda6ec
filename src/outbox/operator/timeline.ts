import { isKeyed } from "../model/delivery-deadlines.ts";
import { acceptedAt } from "../model/delivery-state.ts";
import type { Attempt, Delivery, Journaled } from "../model/journal-types.ts";
import { isBackfilled } from "./replay.ts";
import {
  deliveryIdOf,
  describeDelivery,
  LATE,
  timeOf,
  upper,
  whatWasDone,
  whomOf,
  whyDelivery,
  whyRule,
  whyWebhook,
} from "./sentences.ts";
import type { WaitsFor } from "./wait-reason.ts";

/** `at`: Unix ms; `what` is for programs, `text` for people. */
type Step = {
  at: number;
  what: "received" | "verified" | "rule" | "delivery" | "attempt" | "act" | "settled" | "now";
  delivery?: string;
  text: string;
};

/**
 * Lists a webhook's steps in order of time.
 *
 * @param now Unix ms
 */
export const timelineOf = (webhook: Journaled, waits: readonly (WaitsFor | undefined)[], now: number): Step[] => {
  const { seq, source, type, outcomes, deliveries } = webhook;
  const at = acceptedAt(seq);
  const ofDelivery = (delivery: Delivery, index: number): Step[] => {
    const id = deliveryIdOf({ seq, index });
    const settled = delivery.settledAt;
    const text = whyDelivery(delivery, waits[index]);
    return [
      ...stepsOf(delivery, at).map((step) => ({ ...step, delivery: id })),
      { at: settled ?? now, what: settled === undefined ? "now" : "settled", delivery: id, text },
    ];
  };
  const fetches = deliveries.flatMap((delivery, n) => (delivery.action === "fetch" ? ofDelivery(delivery, n) : []));
  const steps: Step[] = [
    ...arrivalOf(webhook).map(([what, text]): Step => ({ at, what, text })),
    // The rules run on the fetched data.
    ...fetches,
    ...outcomes.map((one): Step => {
      const replay = one.replay === undefined ? "" : `Replay ${one.replay}: `;
      return { at: one.at ?? at, what: "rule", text: `${replay}${whyRule(one)}` };
    }),
  ];
  if (webhook.unreadable) steps.push({ at, what: "now", text: whyWebhook(webhook) });
  else if (outcomes.length === 0 && fetches.length === 0)
    steps.push({ at, what: "rule", text: `No rule of ${source} is on ${type}.` });
  steps.push(...deliveries.flatMap((delivery, n) => (delivery.action === "fetch" ? [] : ofDelivery(delivery, n))));
  // The sort is stable: steps with the same time keep this order.
  return steps.sort((a, b) => a.at - b.at);
};

const arrivalOf = ({ source, type, eventId, test }: Journaled): [Step["what"], string][] =>
  isBackfilled(eventId)
    ? [["received", `Read from the API of ${source} by a backfill, as ${type}: ${eventId}.`]]
    : [
        ["received", `Received from ${source}: ${type}, with the provider's id ${eventId}.`],
        ["verified", `Verified: it was sent by ${source}${test ? "; it is test data" : ""}.`],
      ];

const stepsOf = (delivery: Delivery, acceptedAt: number): Step[] => [
  { at: delivery.plannedAt ?? acceptedAt, what: "delivery", text: plannedAs(delivery) },
  ...delivery.attempts.map(
    (attempt, n): Step => ({
      at: attempt.at,
      what: "attempt",
      text: neverLeft(delivery, attempt) ? `Attempt ${n + 1}: ${NEVER_LEFT}` : attemptOf(attempt, n + 1),
    }),
  ),
  ...(delivery.acts ?? []).map((act): Step => ({ at: act.at, what: "act", text: whatWasDone(act) })),
];

const plannedAs = (delivery: Delivery): string => {
  if (delivery.action === "fetch")
    return `This is a thin event: it names ${delivery.object}, without data. The bridge fetches the data, then the rules run.`;
  const made = `${describeDelivery(delivery)} for ${whomOf(delivery)}`;
  if (delivery.repeats !== undefined)
    return `${upper(made)} is made once more at ${timeOf(delivery.repeats.at)}. ${LATE}`;
  return `${delivery.replay === undefined ? "" : `Replay ${delivery.replay}: `}rule "${delivery.rule}" makes ${made}.`;
};

const NEVER_LEFT =
  "claimed, never left: the bridge was interrupted. The email service accepted the same key as new later, so it had not acted on this attempt.";

/** A later attempt with the same key was accepted as new. */
const neverLeft = (delivery: Delivery, { at, ms }: Attempt): boolean => {
  const hasNewKey = delivery.acts?.some((act) => act.key !== undefined && act.at > at) ?? false;
  const isNew = ({ status = 0 }: Attempt) => status >= 200 && status < 300;
  return (
    isKeyed(delivery) && ms === undefined && !hasNewKey && delivery.attempts.some((one) => one.at > at && isNew(one))
  );
};

const attemptOf = ({ status, message, ms, wait }: Attempt, n: number): string => {
  const took = ms === undefined ? "" : ` after ${ms} ms`;
  const next = wait === undefined ? "" : ` Next attempt after ${wait} ms.`;
  const outcome =
    status === undefined ? (message ?? "no answer.") : `${status}${took}${message ? `: ${message}` : ""}.`;
  return `Attempt ${n}: ${outcome.replace(/\.\.$/, ".")}${next}`;
};
