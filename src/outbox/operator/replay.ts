import { ERASED } from "../../lib/names/finder.ts";
import type { ObjectName, PlannedDelivery, PlannedLink, RuleOutcome } from "../../rules/types.ts";
import { learn } from "../identity/learn.ts";
import { fillNames } from "../identity/object-names.ts";
import { withStored } from "../identity/stored-state.ts";
import { readWebhook, scanUp } from "../journal/read.ts";
import { reopenDeliveries } from "../journal/write.ts";
import { horizonOf, isKeyed } from "../model/delivery-deadlines.ts";
import { acceptedAt, isDiscarded, isOpen, isTooOld } from "../model/delivery-state.ts";
import type { Delivery, Journaled, KeptOutcome } from "../model/journal-types.ts";
import { hasErased, isSame, note } from "./actions.ts";
import type { Filter } from "./search.ts";
import { deliveryIdOf } from "./sentences.ts";

/** A stored webhook with the input of rules. Unix ms. */
export type StoredWebhook = Pick<Journaled, "seq" | "source" | "eventId" | "type" | "occurredAt" | "test" | "body">;

/** The reason of a missing body. */
export type BodyErased = "purged" | "erased" | "unreadable";

/** A page, oldest first. `gone`: webhooks without body. */
export type StoredPage = {
  webhooks: StoredWebhook[];
  gone: { seq: number; why: BodyErased }[];
  next?: number;
  searchedTo?: number;
};

const MAX_READ = 2_000;
const MAX_PAGE = 200;
const MAX_CHARACTERS = 4_000_000;

/** Replaces the body of an erased person's webhook. */
export const ERASED_BODY = JSON.stringify(ERASED);

export const whyErased = (body: string): BodyErased | undefined =>
  body === "" ? "purged" : body === ERASED_BODY ? "erased" : undefined;

export const storedOne = (sql: SqlStorage, seq: number): StoredPage | undefined => {
  const webhook = readWebhook(sql, seq);
  return webhook && pageOf([webhook]);
};

/** Returns the next page of matching webhooks after `after`. */
export const stored = (
  sql: SqlStorage,
  filter: Pick<Filter, "source" | "type" | "since" | "until">,
  after: number | undefined,
): StoredPage => {
  const { source, type, since, until } = filter;
  const first = Math.max(after ?? 0, since === undefined ? 0 : since * 1000 - 1);
  const found: Journaled[] = [];
  let read = 0;
  let characters = 0;
  let last: number | undefined;
  for (const scanned of scanUp(sql, first, MAX_READ)) {
    if (until !== undefined && scanned.seq >= until * 1000) return pageOf(found);
    read++;
    last = scanned.seq;
    if ((source === undefined || scanned.source === source) && (type === undefined || scanned.type === type)) {
      const webhook = readWebhook(sql, scanned.seq);
      if (webhook) found.push(webhook);
      characters += webhook?.body.length ?? 0;
    }
    if (found.length >= MAX_PAGE || characters >= MAX_CHARACTERS) return pageOf(found, last);
  }
  return read < MAX_READ ? pageOf(found) : pageOf(found, last);
};

const pageOf = (found: readonly Journaled[], next?: number): StoredPage => {
  const page: StoredPage = { webhooks: [], gone: [] };
  for (const { seq, source, eventId, type, occurredAt, test, body, unreadable } of found) {
    const why = unreadable ? "unreadable" : whyErased(body);
    if (why) page.gone.push({ seq, why });
    else page.webhooks.push({ seq, source, eventId, type, occurredAt, test, body });
  }
  return next === undefined ? page : { ...page, next, searchedTo: acceptedAt(next) };
};

export type ReplayPlan = {
  seq: number;
  deliveries: (PlannedDelivery & { key: string })[];
  outcomes: RuleOutcome[];
  links: PlannedLink[];
  names?: readonly ObjectName[];
  skip?: string;
};

export type Action = Delivery["action"];

export type NotMade =
  | "not asked for"
  | "sent already"
  | "waiting already"
  | "discarded by a person"
  | "may have been sent"
  | "expired"
  | "too old"
  | "erased"
  | "test data or plan only"
  | "from a backfill";

export type ReplayDelivery = { seq: number; delivery: PlannedDelivery & { key: string }; notMade?: NotMade };

/** Decides which planned deliveries a replay makes. Changes nothing. */
export const checkDeliveries = (
  webhook: Pick<Journaled, "seq" | "eventId" | "deliveries">,
  plan: ReplayPlan,
  actions: readonly Action[],
  now: number,
): ReplayDelivery[] =>
  plan.deliveries.map((delivery) => {
    const notMade = whyNotMade(webhook, plan, delivery, actions, now);
    return { seq: webhook.seq, delivery, ...(notMade === undefined ? {} : { notMade }) };
  });

const whyNotMade = (
  { eventId, deliveries }: Pick<Journaled, "eventId" | "deliveries">,
  { skip }: ReplayPlan,
  delivery: PlannedDelivery,
  actions: readonly Action[],
  now: number,
): NotMade | undefined => {
  const before = deliveries.filter((other) => isSame(delivery, other));
  const keyed = isKeyed(delivery);
  if (keyed && before.some(wasDone)) return "sent already";
  if (before.some(isOpen)) return "waiting already";
  if (before.some(isDiscarded)) return "discarded by a person";
  if (before.some(isTooOld)) return "too old";
  const key = newestKey(before);
  if (keyed && before.some((one) => mayHaveLanded(one, key, now))) return "may have been sent";
  if (
    isBackfilled(eventId) &&
    !(delivery.action === "contact" || (delivery.action === "event" && eventId.endsWith(":events")))
  )
    return "from a backfill";
  if (delivery.action === "transactional" && delivery.expiresAt !== undefined && now >= delivery.expiresAt)
    return "expired";
  if (hasErased(delivery)) return "erased";
  if (skip !== undefined) return "test data or plan only";
  return actions.includes(delivery.action) ? undefined : "not asked for";
};

const wasDone = ({ state, acts = [] }: Delivery): boolean =>
  state === "done" || acts.some((act) => act.state === "done");

/** The attempt had another key, or the email service has dropped it. */
const mayHaveLanded = (delivery: Delivery, key: string | undefined, now: number): boolean =>
  (delivery.unknownSince !== undefined &&
    (delivery.key !== key || now >= delivery.unknownSince + horizonOf(delivery))) ||
  (delivery.acts ?? []).some((act) => act.unknownSince !== undefined && act.key !== key);

/** An operator may have changed the key with "send again". */
const newestKey = (before: readonly Delivery[]): string | undefined => before.at(-1)?.key;

/** True for a backfill's webhook. */
export const isBackfilled = (eventId: string): boolean => eventId.startsWith("backfill:");

/** Adds a replay's deliveries, links and outcomes, in the caller's transaction. */
export const replay = (
  sql: SqlStorage,
  plan: ReplayPlan,
  actions: readonly Action[],
  now: number,
  by?: string,
): { deliveries: ReplayDelivery[]; made: number; relinked: string[] } => {
  const webhook = readWebhook(sql, plan.seq);
  if (!webhook || webhook.unreadable || whyErased(webhook.body)) return { deliveries: [], made: 0, relinked: [] };
  const deliveries = checkDeliveries(webhook, plan, actions, now);
  const number =
    1 +
    Math.max(
      0,
      ...webhook.deliveries.map(({ replay = 0 }) => replay),
      ...webhook.outcomes.map(({ replay = 0 }) => replay),
    );
  const made = deliveries.flatMap(({ delivery, notMade }) => (notMade === undefined ? [delivery] : []));
  const { occurredAt, rank } = webhook;
  const { relinked } = learn(sql, { ...plan, occurredAt, rank, deliveries: made }, now);
  for (const delivery of fillNames(sql, made))
    webhook.deliveries.push(deliveryOf(webhook, delivery, { number, now, by }));
  const outcomes = newOutcomes(webhook.outcomes, plan.outcomes).map((one) => ({ ...one, replay: number, at: now }));
  if (made.length > 0 || outcomes.length > 0) {
    reopenDeliveries(sql, webhook, [...webhook.outcomes, ...outcomes]);
  }
  return { deliveries, made: made.length, relinked };
};

const deliveryOf = (
  webhook: Journaled,
  delivery: PlannedDelivery & { key: string },
  { number, now, by }: { number: number; now: number; by: string | undefined },
): Delivery => {
  const id = deliveryIdOf({ seq: webhook.seq, index: webhook.deliveries.length });
  const again: Delivery = {
    ...delivery,
    lane: "backfill",
    state: "waiting",
    due: now,
    attempts: [],
    replay: number,
    plannedAt: now,
  };
  // The email service acts once per key, so the earlier key is reused.
  if (isKeyed(delivery))
    again.key = newestKey(webhook.deliveries.filter((before) => isSame(before, delivery))) ?? delivery.key;
  const had = webhook.deliveries.findLast((before) => isSame(before, delivery) && before.had)?.had;
  // The stored state has advanced since the decision.
  if (had) Object.assign(again, withStored(again, had), { had });
  for (const before of webhook.deliveries) {
    if (!isSame(before, delivery)) continue;
    // With the same key, an earlier unknown outcome still limits the retries.
    if (isKeyed(delivery) && before.unknownSince !== undefined) again.unknownSince = before.unknownSince;
    if (before.state !== "failed" && before.state !== "undecided") continue;
    note(before, "replay", now, by);
    Object.assign(before, { state: "replaced", message: `A replay made it again as ${id}.` });
  }
  return again;
};

const newOutcomes = (known: readonly KeptOutcome[], outcomes: readonly RuleOutcome[]): RuleOutcome[] =>
  outcomes.filter((one) => {
    const last = known.findLast(({ rule }) => rule === one.rule);
    return last?.outcome !== one.outcome || last.clause !== one.clause || last.message !== one.message;
  });
