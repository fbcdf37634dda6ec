import type { Link, PlannedCall, RuleOutcome } from "../../rules/types.ts";
import { learnLinks } from "../identity/links.ts";
import { readWebhook, scanUp } from "../journal/read.ts";
import { reopenCalls } from "../journal/write.ts";
import { acceptedAt, ERASED, isOpen } from "../model/calls.ts";
import { horizonOf, isKeyed } from "../model/policy.ts";
import type { Call, Journalled, KeptOutcome } from "../model/types.ts";
import { hasErased, isSame, note } from "./actions.ts";
import { type Filter, isDiscarded } from "./search.ts";
import { callIdOf } from "./sentences.ts";

/** What rules can be run over again: a webhook as it is kept. Times in Unix ms. */
export type Stored = Pick<Journalled, "seq" | "source" | "eventId" | "type" | "occurredAt" | "test" | "body">;

/** Why the rules cannot be run over a webhook again. */
export type Gone = "purged" | "forgotten" | "unreadable";

/** Some webhooks with their bodies, oldest first, and those that have none any more. */
export type StoredPage = { webhooks: Stored[]; gone: { seq: number; why: Gone }[]; next?: number; searchedTo?: number };

/** Webhooks looked at, handed out, and characters of bodies, for one request. */
const LOOKED = 2_000;
const HANDED_OUT = 200;
const CHARACTERS = 4_000_000;

/** The body of a forgotten person's webhook, in place of what it was. */
export const FORGOTTEN = JSON.stringify(ERASED);

export const whyGone = (body: string): Gone | undefined =>
  body === "" ? "purged" : body === FORGOTTEN ? "forgotten" : undefined;

/** One webhook by its place, as a page. */
export const storedOne = (sql: SqlStorage, seq: number): StoredPage | undefined => {
  const webhook = readWebhook(sql, seq);
  return webhook && pageOf([webhook]);
};

/** The next webhooks that a filter names, after `after`, with their bodies. */
export const stored = (
  sql: SqlStorage,
  filter: Pick<Filter, "source" | "type" | "since" | "until">,
  after: number | undefined,
): StoredPage => {
  const { source, type, since, until } = filter;
  const first = Math.max(after ?? 0, since === undefined ? 0 : since * 1000 - 1);
  const found: Journalled[] = [];
  let looked = 0;
  let characters = 0;
  let last: number | undefined;
  for (const scanned of scanUp(sql, first, LOOKED)) {
    if (until !== undefined && scanned.seq >= until * 1000) return pageOf(found);
    looked++;
    last = scanned.seq;
    if ((source === undefined || scanned.source === source) && (type === undefined || scanned.type === type)) {
      const webhook = readWebhook(sql, scanned.seq);
      if (webhook) found.push(webhook);
      characters += webhook?.body.length ?? 0;
    }
    if (found.length >= HANDED_OUT || characters >= CHARACTERS) return pageOf(found, last);
  }
  return looked < LOOKED ? pageOf(found) : pageOf(found, last);
};

const pageOf = (found: readonly Journalled[], next?: number): StoredPage => {
  const page: StoredPage = { webhooks: [], gone: [] };
  for (const { seq, source, eventId, type, occurredAt, test, body, unreadable } of found) {
    const why = unreadable ? "unreadable" : whyGone(body);
    if (why) page.gone.push({ seq, why });
    else page.webhooks.push({ seq, source, eventId, type, occurredAt, test, body });
  }
  return next === undefined ? page : { ...page, next, searchedTo: acceptedAt(next) };
};

/** What the current rules want done about a stored webhook. */
export type Planned = {
  seq: number;
  calls: (PlannedCall & { key: string })[];
  outcomes: RuleOutcome[];
  links: Link[];
  /** Why none of its calls is to leave. */
  skip?: string;
};

export type Action = Call["action"];

/** Why a planned call is not made. */
export type NotMade =
  | "not asked for"
  | "sent already"
  | "waiting already"
  | "discarded by a person"
  | "may have been sent"
  | "expired"
  | "erased"
  | "test data or shadow"
  | "from a backfill";

/** A call of a replay: what it would do, and why it is not made, where it is not. */
export type Verdict = { seq: number; call: PlannedCall & { key: string }; notMade?: NotMade };

/** What a replay comes to, call by call. Pure but for reading. */
export const judge = (
  webhook: Pick<Journalled, "seq" | "eventId" | "calls">,
  planned: Planned,
  actions: readonly Action[],
  now: number,
): Verdict[] =>
  planned.calls.map((call) => {
    const notMade = whyNotMade(webhook, planned, call, actions, now);
    return { seq: webhook.seq, call, ...(notMade === undefined ? {} : { notMade }) };
  });

const whyNotMade = (
  { eventId, calls }: Pick<Journalled, "eventId" | "calls">,
  { skip }: Planned,
  call: PlannedCall,
  actions: readonly Action[],
  now: number,
): NotMade | undefined => {
  const before = calls.filter((other) => isSame(call, other));
  const keyed = isKeyed(call);
  if (keyed && before.some(wasDone)) return "sent already";
  if (before.some(isOpen)) return "waiting already";
  if (before.some(isDiscarded)) return "discarded by a person";
  const key = keyAgain(before);
  if (keyed && before.some((one) => mayHaveLanded(one, key, now))) return "may have been sent";
  if (isBackfilled(eventId) && !(call.action === "contact" || (call.action === "event" && eventId.endsWith(":events"))))
    return "from a backfill";
  if (call.action === "transactional" && call.expiresAt !== undefined && now >= call.expiresAt) return "expired";
  if (hasErased(call)) return "erased";
  if (skip !== undefined) return "test data or shadow";
  return actions.includes(call.action) ? undefined : "not asked for";
};

/** Now, or before a person had it sent again. */
const wasDone = ({ state, acts = [] }: Call): boolean => state === "done" || acts.some((act) => act.state === "done");

/** True where a try may have landed and this key would not find out: it is another one, or the host forgets it. */
const mayHaveLanded = (call: Call, key: string | undefined, now: number): boolean =>
  (call.unknownSince !== undefined && (call.key !== key || now >= call.unknownSince + horizonOf(call))) ||
  (call.acts ?? []).some((act) => act.unknownSince !== undefined && act.key !== key);

/** The key that what was made of a rule goes by now: the newest one's, which a person may have changed. */
const keyAgain = (before: readonly Call[]): string | undefined => before.at(-1)?.key;

/** What a backfill read never happened now: it makes contact updates, and events only where they were asked for then. */
export const isBackfilled = (eventId: string): boolean => eventId.startsWith("backfill:");

/**
 * Takes the calls of a replay into the row of their webhook, with the links and the outcomes that are new. A webhook to
 * which nothing is new is left as it is. Runs in the caller's transaction.
 *
 * @returns the calls that were made, and the keys of people who may be others now
 */
export const replay = (
  sql: SqlStorage,
  planned: Planned,
  actions: readonly Action[],
  now: number,
): { verdicts: Verdict[]; made: number; relinked: string[] } => {
  const webhook = readWebhook(sql, planned.seq);
  if (!webhook || webhook.unreadable || whyGone(webhook.body)) return { verdicts: [], made: 0, relinked: [] };
  const verdicts = judge(webhook, planned, actions, now);
  const number =
    1 +
    Math.max(0, ...webhook.calls.map(({ replay = 0 }) => replay), ...webhook.outcomes.map(({ replay = 0 }) => replay));
  const made = verdicts.flatMap(({ call, notMade }) => (notMade === undefined ? [call] : []));
  for (const call of made) webhook.calls.push(callOf(webhook, call, number, now));
  const observation = newOutcomes(webhook.outcomes, planned.outcomes).map((one) => ({
    ...one,
    replay: number,
    at: now,
  }));
  if (made.length > 0 || observation.length > 0) {
    reopenCalls(sql, { ...webhook, outcomes: [...webhook.outcomes, ...observation] });
  }
  return { verdicts, made: made.length, relinked: learnLinks(sql, planned.links, webhook.occurredAt, now) };
};

/** A call of a replay: it goes through the lowest lane, and takes the place of one that came to nothing. */
const callOf = (webhook: Journalled, call: PlannedCall & { key: string }, number: number, now: number): Call => {
  const id = callIdOf({ seq: webhook.seq, index: webhook.calls.length });
  const again: Call = {
    ...call,
    ...{ lane: "backfill", state: "waiting", due: now, attempts: [], replay: number, plannedAt: now },
  };
  // Whatever the host did under that key, it does not do twice.
  if (isKeyed(call)) again.key = keyAgain(webhook.calls.filter((before) => isSame(before, call))) ?? call.key;
  for (const before of webhook.calls) {
    if (!isSame(before, call)) continue;
    // The same key, so the same horizon: it may have landed.
    if (isKeyed(call) && before.unknownSince !== undefined) again.unknownSince = before.unknownSince;
    if (before.state !== "dead" && before.state !== "parked") continue;
    note(before, "replay", now);
    Object.assign(before, { state: "superseded", message: `A replay made it again as ${id}.` });
  }
  return again;
};

/** What rules came to that is not what they came to last. */
const newOutcomes = (known: readonly KeptOutcome[], outcomes: readonly RuleOutcome[]): RuleOutcome[] =>
  outcomes.filter((one) => {
    const last = known.findLast(({ rule }) => rule === one.rule);
    return last?.outcome !== one.outcome || last.clause !== one.clause || last.message !== one.message;
  });
