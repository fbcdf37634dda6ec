import type { Refusal } from "../../lib/contract/errors.ts";
import { isoOf } from "../../lib/util/dates.ts";
import { acceptedAt, webhookIdOf } from "../../outbox/model/delivery-state.ts";
import type { Delivery, Journaled, Overload } from "../../outbox/model/journal-types.ts";
import type { Shown, ShownDelivery } from "../../outbox/operator/operator.ts";
import { whyErased } from "../../outbox/operator/replay.ts";
import type { Reach } from "../../outbox/operator/search.ts";
import { deliveryIdOf, whyDelivery, whyRule, whyWebhook } from "../../outbox/operator/sentences.ts";
import { timelineOf } from "../../outbox/operator/timeline.ts";
import type { WaitsFor } from "../../outbox/operator/wait-reason.ts";
import { cursorOf } from "./search-filter.ts";

/** Fields with Unix ms. */
const TIMES = new Set([
  "at",
  "due",
  "settledAt",
  "plannedAt",
  "unknownSince",
  "expiresAt",
  "notAfter",
  "since",
  "until",
  "lastSuccess",
]);

const INNER = new Set(["attemptCount"]);

/** Never use it for values from rules: their names are the team's. */
const withTimes = <T extends object>(value: T): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      INNER.has(name) ? [] : [[name, TIMES.has(name) && typeof part === "number" ? isoOf(part) : part]],
    ),
  );

/** Formats a delivery with id, wait reason and state reason. */
export const deliveryOf = (
  seq: number,
  index: number,
  delivery: Delivery,
  waiting: WaitsFor | undefined,
  source?: string,
) => ({
  id: deliveryIdOf({ seq, index }),
  ...withTimes(delivery),
  contact: waiting?.for === "identity" && source !== undefined ? awaited(delivery, source) : delivery.contact,
  attempts: delivery.attempts.map(withTimes),
  ...(delivery.repeats === undefined ? {} : { repeats: deliveryIdOf({ seq, index: delivery.repeats.index }) }),
  ...(delivery.acts ? { acts: delivery.acts.map(withTimes) } : {}),
  ...(delivery.refusals ? { refusals: withTimes(delivery.refusals) } : {}),
  ...(waiting ? { waitingFor: waitingOf(waiting) } : {}),
  why: whyDelivery(delivery, waiting),
});

const awaited = ({ contact, waitsForTie }: Delivery, source: string): Delivery["contact"] =>
  waitsForTie && contact.userId !== undefined ? { ...contact, ref: `${source}:${contact.userId}` } : contact;

const waitingOf = (waiting: WaitsFor) =>
  waiting.for === "turn" ? { for: waiting.for, behind: deliveryIdOf(waiting.behind) } : withTimes(waiting);

/** Formats a webhook without its body. */
export const webhookOf = ({ webhook, waits, onlyNamed }: Shown) => {
  const { seq, rank: _rank, secretPaths: _paths, body: _body, deliveries, outcomes, ...rest } = webhook;
  return {
    id: webhookIdOf(seq),
    acceptedAt: isoOf(acceptedAt(seq)),
    ...rest,
    occurredAt: isoOf(webhook.occurredAt),
    outcomes: outcomes.map((one) => ({ ...withTimes(one), why: whyRule(one) })),
    deliveries: deliveries.map((delivery, index) => deliveryOf(seq, index, delivery, waits[index], webhook.source)),
    ...(onlyNamed ? { onlyNamed } : {}),
    why: whyWebhook(webhook),
  };
};

/** Formats a webhook with timeline, and body unless erased. */
export const wholeOf = (shown: Shown, now: number, withBody: boolean) => {
  const { body } = shown.webhook;
  const gone = shown.webhook.unreadable ? "unreadable" : whyErased(body);
  return {
    ...webhookOf(shown),
    ...(withBody ? { body: gone ? null : body } : {}),
    ...(gone ? { bodyErased: gone } : {}),
    timeline: timelineOf(shown.webhook, shown.waits, now).map(withTimes),
  };
};

export const foundOf = ({ webhook, index, delivery, waiting }: ShownDelivery) => ({
  ...deliveryOf(webhook.seq, index, delivery, waiting, webhook.source),
  webhook: summaryOf(webhook),
});

const summaryOf = ({
  seq,
  source,
  type,
  eventId,
  occurredAt,
}: Pick<Journaled, "seq" | "source" | "type" | "eventId" | "occurredAt">) => ({
  id: webhookIdOf(seq),
  source,
  type,
  eventId,
  acceptedAt: isoOf(acceptedAt(seq)),
  occurredAt: isoOf(occurredAt),
});

/** `next` is null when the search is complete. */
export const reachOf = ({ next, searchedTo }: Reach) => ({
  next: cursorOf(next),
  searchedTo: searchedTo === undefined ? null : isoOf(searchedTo),
});

export const backlogFull = ({ message, retryAfter }: Overload): { refusal: Refusal } => ({
  refusal: { code: "overloaded", message, retryAfter },
});
