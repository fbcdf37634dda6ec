import * as z from "zod";
import { actionNames, stateNames } from "./bridge-fields.ts";

export const time = z.iso.datetime();
export const count = z.int().min(0);

/** `next`: the next `cursor`; null at the end. */
export const reach = { next: z.string().nullable(), searchedTo: time.nullable() };

export const action = z.enum(actionNames);
const state = z.enum(stateNames);
const lane = z.enum(["urgent", "transactional", "event", "contact", "backfill"]);
const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const values = z.record(z.string(), value);

const any = z.json();

const contact = z.strictObject({
  email: z.string().optional(),
  userId: z.string().optional(),
  ref: z.string().optional(),
});

/** Missing fields are unknown. `wait`: ms until the next attempt. */
const attempt = z.strictObject({
  at: time,
  ms: z.number().optional(),
  status: z.int().optional(),
  message: z.string().optional(),
  wait: z.number().optional(),
});

/** An operator's action and the former state. `by`: the named person. */
const act = z.strictObject({
  act: z.enum(["retry", "discard", "send again", "replay", "erase"]),
  at: time,
  by: z.string().optional(),
  state,
  message: z.string().optional(),
  key: z.string().optional(),
  unknownSince: time.optional(),
});

const waitingFor = z.discriminatedUnion("for", [
  z.strictObject({ for: z.literal("answer") }),
  z.strictObject({ for: z.literal("identity"), until: time }),
  z.strictObject({ for: z.literal("paused"), source: z.string().optional(), since: time }),
  z.strictObject({ for: z.literal("blocked"), message: z.string(), since: time, until: time }),
  z.strictObject({
    for: z.literal("outage"),
    message: z.string(),
    since: time,
    until: time,
    lastSuccess: time.optional(),
  }),
  z.strictObject({ for: z.literal("backoff"), message: z.string(), until: time }),
  z.strictObject({ for: z.literal("turn"), behind: z.string() }),
  z.strictObject({ for: z.literal("fetch"), until: time, variable: z.string().optional() }),
  z.strictObject({ for: z.literal("time"), until: time }),
  z.strictObject({ for: z.literal("slot"), ahead: z.number(), at: time.optional() }),
]);

const stored = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
const comparisons = {
  is: stored.optional(),
  isNot: stored.optional(),
  changed: stored.optional(),
  below: stored.optional(),
  above: stored.optional(),
};
const rivals = z.strictObject({ now: z.array(z.string()), before: z.array(z.string()).optional() });
const subscription = z.strictObject({
  id: z.string(),
  customer: z.string().optional(),
  standing: z.number().optional(),
  startedAt: z.string().optional(),
  properties: z.array(z.string()),
  state: stored.optional(),
  active: z.strictObject({ ids: z.array(z.string()), ended: stored }).optional(),
  rivals: rivals.optional(),
});

const planned = {
  rule: z.string(),
  contact,
  waitsForTie: z.literal(true).optional(),
  removes: z.literal(true).optional(),
  mayStayUnknown: z.literal(true).optional(),
  names: z.record(z.string(), z.string()).optional(),
  ifStored: z
    .strictObject({ id: z.string(), ...comparisons, unless: z.array(z.strictObject(comparisons)).optional() })
    .optional(),
  stored: z.record(z.string(), z.string()).optional(),
  had: stored.optional(),
  onlyWithoutOther: z.string().optional(),
  byPlan: z
    .strictObject({ id: z.string(), rivals, plans: z.record(z.string(), z.record(z.string(), any).nullable()) })
    .optional(),
  subscription: subscription.optional(),
};

const contents = {
  contact: {
    action: z.literal("contact"),
    properties: values,
    guesses: z.record(z.string(), z.string()).optional(),
    customer: z.strictObject({ ref: z.string(), as: z.string() }).optional(),
    lists: z.record(z.string(), z.boolean()).optional(),
  },
  event: {
    action: z.literal("event"),
    eventName: z.string(),
    eventProperties: values,
    onlyKnown: z.literal(true).optional(),
    notAfter: time.optional(),
  },
  transactional: {
    action: z.literal("transactional"),
    template: z.string(),
    dataVariables: z.record(z.string(), z.union([z.string(), z.number()])),
    addToAudience: z.boolean(),
    expiresAt: time.optional(),
    notAfter: time.optional(),
    urgent: z.boolean(),
  },
  delete: { action: z.literal("delete") },
  fetch: { action: z.literal("fetch"), object: z.string() },
};

const delivered = {
  id: z.string(),
  key: z.string(),
  lane: lane.optional(),
  state,
  due: time,
  attempts: z.array(attempt),
  only: z.enum(["userId", "email"]).optional(),
  exists: z.literal(true).optional(),
  former: z.record(z.string(), any).optional(),
  restates: z.literal(true).optional(),
  sentTo: contact.optional(),
  repeats: z.string().optional(),
  sentWith: z.string().optional(),
  unknownSince: time.optional(),
  refusals: z.strictObject({ count, since: time }).optional(),
  asked: z.string().optional(),
  message: z.string().optional(),
  result: z.string().optional(),
  settledAt: time.optional(),
  replay: count.optional(),
  plannedAt: time.optional(),
  acts: z.array(act).optional(),
  waitingFor: waitingFor.optional(),
  why: z.string(),
};

const deliveryWith = <More extends z.ZodRawShape>(more: More) =>
  z.discriminatedUnion("action", [
    z.strictObject({ ...planned, ...contents.contact, ...delivered, ...more }),
    z.strictObject({ ...planned, ...contents.event, ...delivered, ...more }),
    z.strictObject({ ...planned, ...contents.transactional, ...delivered, ...more }),
    z.strictObject({ ...planned, ...contents.delete, ...delivered, ...more }),
    z.strictObject({ ...planned, ...contents.fetch, ...delivered, ...more }),
  ]);

export const delivery = deliveryWith({});

export const foundDelivery = deliveryWith({
  webhook: z.strictObject({
    id: z.string(),
    source: z.string(),
    type: z.string(),
    eventId: z.string(),
    acceptedAt: time,
    occurredAt: time,
  }),
});

export const outcome = z.strictObject({
  rule: z.string(),
  outcome: z.enum(["matched", "not matched", "failed"]),
  clause: z.string().optional(),
  message: z.string().optional(),
  replay: count.optional(),
  at: time.optional(),
  why: z.string(),
});

const webhookFields = {
  id: z.string(),
  source: z.string(),
  type: z.string(),
  eventId: z.string(),
  acceptedAt: time,
  occurredAt: time,
  test: z.boolean(),
  outcomes: z.array(outcome),
  deliveries: z.array(delivery),
  onlyNamed: z.literal(true).optional(),
  unreadable: z.literal(true).optional(),
  why: z.string(),
};

export const webhook = z.strictObject(webhookFields);

const step = z.strictObject({
  at: time,
  what: z.enum(["received", "verified", "rule", "delivery", "attempt", "act", "settled", "now"]),
  delivery: z.string().optional(),
  text: z.string(),
});

export const wholeWebhook = z.strictObject({
  ...webhookFields,
  body: z.string().nullable().optional(),
  bodyErased: z.enum(["purged", "erased", "unreadable"]).optional(),
  timeline: z.array(step),
});
