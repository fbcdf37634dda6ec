import type { Refusal } from "../../lib/contract/errors.ts";
import { isoOf } from "../../lib/util/dates.ts";
import { acceptedAt, webhookIdOf } from "../../outbox/model/calls.ts";
import type { Call, Journalled, Overload } from "../../outbox/model/types.ts";
import type { Shown, ShownCall } from "../../outbox/operator/operator.ts";
import { whyErased } from "../../outbox/operator/replay.ts";
import type { Reach } from "../../outbox/operator/search.ts";
import { callIdOf, whyCall, whyRule, whyWebhook } from "../../outbox/operator/sentences.ts";
import { timelineOf } from "../../outbox/operator/timeline.ts";
import type { WaitsFor } from "../../outbox/operator/waiting.ts";
import { cursorOf } from "./filter.ts";

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
]);

const INNER = new Set(["tries"]);

/** Never use it for values from rules: their names are the team's. */
const withTimes = <T extends object>(value: T): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      INNER.has(name) ? [] : [[name, TIMES.has(name) && typeof part === "number" ? isoOf(part) : part]],
    ),
  );

/** Formats a delivery with id, wait reason and state reason. */
export const callOf = (seq: number, index: number, call: Call, waiting: WaitsFor | undefined, source?: string) => ({
  id: callIdOf({ seq, index }),
  ...withTimes(call),
  contact: waiting?.for === "identity" && source !== undefined ? awaited(call, source) : call.contact,
  attempts: call.attempts.map(withTimes),
  ...(call.repeats === undefined ? {} : { repeats: callIdOf({ seq, index: call.repeats.index }) }),
  ...(call.acts ? { acts: call.acts.map(withTimes) } : {}),
  ...(call.refusals ? { refusals: withTimes(call.refusals) } : {}),
  ...(waiting ? { waitingFor: waitingOf(waiting) } : {}),
  why: whyCall(call, waiting),
});

const awaited = ({ contact, waitsForTie }: Call, source: string): Call["contact"] =>
  waitsForTie && contact.userId !== undefined ? { ...contact, ref: `${source}:${contact.userId}` } : contact;

const waitingOf = (waiting: WaitsFor) =>
  waiting.for === "turn" ? { for: waiting.for, behind: callIdOf(waiting.behind) } : withTimes(waiting);

/** Formats a webhook without its body. */
export const webhookOf = ({ webhook, waits, onlyNamed }: Shown) => {
  const { seq, rank: _rank, secretPaths: _paths, body: _body, calls, outcomes, ...rest } = webhook;
  return {
    id: webhookIdOf(seq),
    acceptedAt: isoOf(acceptedAt(seq)),
    ...rest,
    occurredAt: isoOf(webhook.occurredAt),
    outcomes: outcomes.map((one) => ({ ...withTimes(one), why: whyRule(one) })),
    calls: calls.map((call, index) => callOf(seq, index, call, waits[index], webhook.source)),
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

export const foundOf = ({ webhook, index, call, waiting }: ShownCall) => ({
  ...callOf(webhook.seq, index, call, waiting, webhook.source),
  webhook: summaryOf(webhook),
});

const summaryOf = ({
  seq,
  source,
  type,
  eventId,
  occurredAt,
}: Pick<Journalled, "seq" | "source" | "type" | "eventId" | "occurredAt">) => ({
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
