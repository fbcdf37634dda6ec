import { isAbout, type Person, type PersonQuery } from "../identity/find.ts";
import { finderOf, hintsOf, namesOf } from "../identity/names.ts";
import { bodyContaining, parseScanned, scanDown } from "../journal/read.ts";
import { acceptedAt } from "../model/calls.ts";
import type { Call, CallState, Journalled } from "../model/types.ts";

/** States a call may be searched by. `attention`: dead or parked, and nobody has discarded it. */
export type Wanted = CallState | "attention";

/** What webhooks and calls are searched by; all of it has to be true. Times in Unix ms, `until` exclusive. */
export type Filter = {
  who?: PersonQuery;
  source?: string;
  type?: string;
  states?: readonly Wanted[];
  rule?: string;
  action?: Call["action"];
  since?: number;
  until?: number;
};

/** How far a search got: where it goes on, or undefined at the end; and when the oldest it looked at was accepted. */
export type Reach = { next?: number; searchedTo?: number };

/** Webhooks that one request looks at: without an index, a search is as many cheap requests as it needs. */
export const SLICE = 2_000;
/** Bytes of bodies that one request looks through. */
const BODIES = 16_000_000;

/** The state of a call as it is now: `sending` is known to the queue only. */
export type StateOf = (seq: number, index: number, call: Call) => CallState;

const isWanted = (call: Call, state: CallState, wanted: readonly Wanted[] | undefined): boolean =>
  wanted === undefined || wanted.includes(state) || (wanted.includes("attention") && needsAttention(call));

/** True where a person has to decide: a call that came to nothing, and nobody has discarded it. */
export const needsAttention = (call: Call): boolean =>
  (call.state === "dead" || call.state === "parked") && !isDiscarded(call);

export const isDiscarded = ({ state, acts }: Call): boolean => {
  const last = acts?.at(-1)?.act;
  return state === "dead" && (last === "discard" || last === "forget");
};

/** Which part of a search, of whom (where the filter names somebody). */
export type SearchOptions = { before?: number; limit: number; stateOf: StateOf; person?: Person | undefined };

/** Webhooks, newest first, without their bodies. A person's: those with a call about it, or whose body names it. */
export const searchWebhooks = (
  sql: SqlStorage,
  filter: Filter,
  { before, limit, stateOf, person }: SearchOptions,
): Reach & { webhooks: Journalled[] } => {
  const webhooks: Journalled[] = [];
  const reach = look(sql, filter, before, person, (webhook, isTheirs) => {
    const { seq, calls } = webhook;
    const fits = calls.some((call, index) => fitsCall(filter, call, stateOf(seq, index, call)));
    if (isTheirs && (fits || !asksForCalls(filter))) webhooks.push(webhook);
    return webhooks.length < limit;
  });
  return { webhooks, ...reach };
};

/** A call, with its webhook and its place there. */
type FoundCall = { webhook: Journalled; index: number };

/** Calls, newest webhook first. The calls of one webhook are never parted, so there may be a few more than `limit`. */
export const searchCalls = (
  sql: SqlStorage,
  filter: Filter,
  { before, limit, stateOf, person }: SearchOptions,
): Reach & { calls: FoundCall[] } => {
  const calls: FoundCall[] = [];
  const reach = look(sql, filter, before, person, (webhook) => {
    webhook.calls.forEach((call, index) => {
      if (person && !isAbout(person, call.contact)) return;
      if (fitsCall(filter, call, stateOf(webhook.seq, index, call))) calls.push({ webhook, index });
    });
    return calls.length < limit;
  });
  return { calls, ...reach };
};

const asksForCalls = ({ states, rule, action }: Filter): boolean =>
  states !== undefined || rule !== undefined || action !== undefined;

const fitsCall = ({ states, rule, action }: Filter, call: Call, state: CallState): boolean =>
  (rule === undefined || call.rule === rule) &&
  (action === undefined || call.action === action) &&
  isWanted(call, state, states);

/** Goes through a slice, newest first, until `visit` has enough. */
const look = (
  sql: SqlStorage,
  filter: Filter,
  before: number | undefined,
  person: Person | undefined,
  visit: (webhook: Journalled, isTheirs: boolean) => boolean,
): Reach => {
  const { source, type, since, until } = filter;
  const find = person && lookerFor(sql, person);
  const first = Math.min(
    before ?? Number.MAX_SAFE_INTEGER,
    until === undefined ? Number.MAX_SAFE_INTEGER : until * 1000,
  );
  let looked = 0;
  let last: number | undefined;
  let end = false;
  for (const scanned of scanDown(sql, first, SLICE)) {
    if (since !== undefined && scanned.seq < since * 1000) {
      end = true;
      break;
    }
    looked++;
    last = scanned.seq;
    if ((source !== undefined && scanned.source !== source) || (type !== undefined && scanned.type !== type)) continue;
    const webhook = parseScanned(scanned);
    const isTheirs = find === undefined || find.isTheirs(webhook, scanned.size);
    if (!visit(webhook, isTheirs) || find?.isTired()) return { next: last, searchedTo: acceptedAt(last) };
  }
  if (end || looked < SLICE || last === undefined) {
    const to = since ?? (last === undefined ? undefined : acceptedAt(last));
    return to === undefined ? {} : { searchedTo: to };
  }
  return { next: last, searchedTo: acceptedAt(last) };
};

/** Finds a person's webhooks. Where a call is about it, the body is not asked. */
const lookerFor = (sql: SqlStorage, person: Person) => {
  const names = namesOf(person);
  const { isIn } = finderOf(names);
  const hints = hintsOf(names);
  let bytes = 0;
  return {
    isTired: () => bytes > BODIES,
    isTheirs: ({ seq, calls }: Journalled, size: number): boolean => {
      if (calls.some(({ contact }) => isAbout(person, contact))) return true;
      bytes += size;
      const body = bodyContaining(sql, seq, hints);
      return body !== undefined && isIn(body);
    },
  };
};
