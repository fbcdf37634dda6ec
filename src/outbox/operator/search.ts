import { finderOf, hintsOf } from "../../lib/names/finder.ts";
import { namesOf } from "../identity/identifier-keys.ts";
import { concerns, type Person, type PersonQuery } from "../identity/person-search.ts";
import { parseScanned, readBody, type Scanned, scanAttention, scanDown } from "../journal/read.ts";
import { acceptedAt, needsAttention } from "../model/delivery-state.ts";
import type { Delivery, DeliveryState, Journaled } from "../model/journal-types.ts";
import { causeOf } from "./cause.ts";

/** `attention`: failed or undecided, and not discarded. */
type SearchState = DeliveryState | "attention";

/** All conditions apply. Unix ms; `until` is exclusive. */
export type Filter = {
  who?: PersonQuery;
  source?: string;
  type?: string;
  states?: readonly SearchState[];
  rule?: string;
  action?: Delivery["action"];
  /** As in `Cause`. */
  cause?: string;
  since?: number;
  until?: number;
};

/** Progress of a search. `next`: absent at the end. `searchedTo`: Unix ms. */
export type Reach = { next?: number; searchedTo?: number };

/** A long search takes several requests, because there is no index. */
export const SLICE = 2_000;
/** Bytes. */
const BODIES = 16_000_000;

/** Only the queue knows that a delivery is `sending`. */
export type StateOf = (seq: number, index: number, delivery: Delivery) => DeliveryState;

const isWanted = (delivery: Delivery, state: DeliveryState, wanted: readonly SearchState[] | undefined): boolean =>
  wanted === undefined || wanted.includes(state) || (wanted.includes("attention") && needsAttention(delivery));

export type SearchOptions = { before?: number; limit: number; stateOf: StateOf; person?: Person | undefined };

/** Finds webhooks, newest first, without bodies. A person matches by delivery or body. */
export const searchWebhooks = (
  sql: SqlStorage,
  filter: Filter,
  { before, limit, stateOf, person }: SearchOptions,
): Reach & { webhooks: Journaled[] } => {
  const webhooks: Journaled[] = [];
  const reach = scan(sql, filter, before, person, (webhook, isTheirs) => {
    const { seq, deliveries } = webhook;
    const fits = deliveries.some((delivery, index) => fitsDelivery(filter, delivery, stateOf(seq, index, delivery)));
    if (isTheirs && (fits || !hasDeliveryConditions(filter))) webhooks.push(webhook);
    return webhooks.length < limit;
  });
  return { webhooks, ...reach };
};

type FoundDelivery = { webhook: Journaled; index: number };

/** Finds deliveries, newest webhook first. Webhooks stay whole, so `limit` may be exceeded slightly. */
export const searchDeliveries = (
  sql: SqlStorage,
  filter: Filter,
  { before, limit, stateOf, person }: SearchOptions,
): Reach & { deliveries: FoundDelivery[] } => {
  const deliveries: FoundDelivery[] = [];
  const reach = scan(sql, filter, before, person, (webhook) => {
    webhook.deliveries.forEach((delivery, index) => {
      if (person && !concerns(person, delivery)) return;
      if (fitsDelivery(filter, delivery, stateOf(webhook.seq, index, delivery))) deliveries.push({ webhook, index });
    });
    return deliveries.length < limit;
  });
  return { deliveries, ...reach };
};

const hasDeliveryConditions = ({ states, rule, action, cause }: Filter): boolean =>
  states !== undefined || rule !== undefined || action !== undefined || cause !== undefined;

const fitsDelivery = ({ states, rule, action, cause }: Filter, delivery: Delivery, state: DeliveryState): boolean =>
  (cause === undefined || causeOf(delivery) === cause) &&
  (rule === undefined || delivery.rule === rule) &&
  (action === undefined || delivery.action === action) &&
  isWanted(delivery, state, states);

const scan = (
  sql: SqlStorage,
  filter: Filter,
  before: number | undefined,
  person: Person | undefined,
  visit: (webhook: Journaled, isTheirs: boolean) => boolean,
): Reach => {
  const { source, type, since, until, states } = filter;
  const rows = states?.every((state) => state === "attention") ? scanAttention : scanDown;
  const matcher = person && matcherFor(sql, person);
  const first = Math.min(
    before ?? Number.MAX_SAFE_INTEGER,
    until === undefined ? Number.MAX_SAFE_INTEGER : until * 1000,
  );
  let looked = 0;
  let last: number | undefined;
  let end = false;
  for (const scanned of rows(sql, first, SLICE, matcher?.hints)) {
    if (since !== undefined && scanned.seq < since * 1000) {
      end = true;
      break;
    }
    looked++;
    last = scanned.seq;
    if ((source !== undefined && scanned.source !== source) || (type !== undefined && scanned.type !== type)) continue;
    const webhook = parseScanned(scanned);
    const isTheirs = matcher === undefined || matcher.isTheirs(webhook, scanned);
    if (!visit(webhook, isTheirs) || matcher?.isExhausted()) return { next: last, searchedTo: acceptedAt(last) };
  }
  if (end || looked < SLICE || last === undefined) {
    const to = since ?? (last === undefined ? undefined : acceptedAt(last));
    return to === undefined ? {} : { searchedTo: to };
  }
  return { next: last, searchedTo: acceptedAt(last) };
};

const matcherFor = (sql: SqlStorage, person: Person) => {
  const names = namesOf(person);
  const { isIn } = finderOf(names);
  const hints = hintsOf(names);
  let bytes = 0;
  return {
    hints,
    isExhausted: () => bytes > BODIES,
    isTheirs: ({ seq, deliveries }: Journaled, { size, hinted }: Scanned): boolean => {
      bytes += size;
      return deliveries.some((delivery) => concerns(person, delivery)) || (hinted === 1 && isIn(readBody(sql, seq)));
    },
  };
};
