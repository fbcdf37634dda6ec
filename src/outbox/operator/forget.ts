import { isAbout, type Person } from "../identity/find.ts";
import { type Finder, finderOf, hintsOf, type Names, namesOf, sureNames } from "../identity/names.ts";
import { bodyContaining, parseScanned, readWebhook, type Scanned, scanDown } from "../journal/read.ts";
import { rewriteWebhook } from "../journal/write.ts";
import { acceptedAt, ERASED, isOpen } from "../model/calls.ts";
import type { Interruption } from "../model/interruption.ts";
import { readValue, saveValue } from "../model/kv.ts";
import type { Call, CallRef } from "../model/types.ts";
import type { Alerts } from "../monitor/open-alerts.ts";
import { note } from "./actions.ts";
import { FORGOTTEN } from "./replay.ts";
import { type Reach, SLICE } from "./search.ts";

/** What this request erased. `changed`: the webhooks, for the queue. */
export type Forgotten = Reach & {
  identifiers: number;
  webhooks: number;
  calls: number;
  discarded: number;
  links: number;
  changed: number[];
};

/** Bytes of bodies that one request looks through. */
const BODIES = 16_000_000;

/**
 * Erases a person from a slice of the journal, newest first, and at its end who the person is: until then, each slice
 * has to find the same identifiers. Counts, states and times stay. Runs in the caller's transaction.
 *
 * @param undecided calls of the person that wait, from the queue: the first request ends them all
 * @param before where the request before got to
 * @param underWay true while a call of the person may still land, which would tell of it again: it ends another time
 */
export const forget = (
  sql: SqlStorage,
  person: Person,
  {
    before,
    undecided,
    underWay,
    now,
  }: { before?: number; undecided: readonly CallRef[]; underWay: boolean; now: number },
): Forgotten => {
  const names = namesOf(person);
  const finders = findersOf(names);
  const hints = hintsOf(names);
  const told: Forgotten = { identifiers: person.keys.size, webhooks: 0, calls: 0, discarded: 0, links: 0, changed: [] };
  const eraseOne = (seq: number) => {
    if (told.changed.includes(seq)) return;
    told.changed.push(seq);
    const { calls, discarded } = eraseWebhook(sql, seq, person, finders, now);
    told.webhooks++;
    told.calls += calls;
    told.discarded += discarded;
  };
  for (const { seq } of undecided) eraseOne(seq);

  let bytes = 0;
  let looked = 0;
  let last: number | undefined;
  const found: number[] = [];
  for (const scanned of scanDown(sql, before ?? Number.MAX_SAFE_INTEGER, SLICE)) {
    looked++;
    last = scanned.seq;
    bytes += scanned.size;
    if (
      parseScanned(scanned).calls.some(({ contact }) => isAbout(person, contact)) ||
      isTold(sql, scanned, hints, finders)
    )
      found.push(scanned.seq);
    if (bytes > BODIES) break;
  }
  for (const seq of found) eraseOne(seq);
  if (last !== undefined && (looked === SLICE || bytes > BODIES))
    return { ...told, next: last, searchedTo: acceptedAt(last) };

  // Nothing was accepted before this: the next request finds no webhook, and ends.
  if (underWay) return { ...told, next: 1 };
  told.links = forgetLinks(sql, person, names);
  forgetFacts(sql, finders.others);
  return last === undefined ? told : { ...told, searchedTo: acceptedAt(last) };
};

/** What takes the names out: of what others are told, and of what is the person's own, where a short id is a name too. */
type Finders = { others: Finder; own: Finder; bodies: Finder };

const findersOf = (names: Names): Finders => ({
  // A short id may be any value there: "1" is a count more often than a person.
  others: finderOf(sureNames(names)),
  own: finderOf(names, 1),
  bodies: finderOf(names),
});

/** True where body, calls of others, or what the rules said name the person. */
const isTold = (sql: SqlStorage, row: Scanned, hints: readonly string[], { others, bodies }: Finders) => {
  const { calls, outcomes, unreadable } = parseScanned(row);
  if (unreadable ? others.isIn(row.calls) || others.isIn(row.outcomes) : false) return true;
  if (others.isIn(row.calls) && calls.some((call) => isOther(call, withoutPerson(call, others)))) return true;
  if (outcomes.some(({ message = "" }) => others.outOfText(message) !== message)) return true;
  const body = bodyContaining(sql, row.seq, hints);
  return body !== undefined && bodies.isIn(body);
};

const eraseWebhook = (sql: SqlStorage, seq: number, person: Person, finders: Finders, now: number) => {
  const webhook = readWebhook(sql, seq);
  if (!webhook) return { calls: 0, discarded: 0 };
  let discarded = 0;
  let count = 0;
  const end = (call: Call, message: string) => {
    if (!isOpen(call)) return;
    discarded++;
    note(call, "forget", now);
    Object.assign(call, { state: "dead", message, settledAt: now });
  };
  const calls = webhook.calls.map((call) => {
    if (!isAbout(person, call.contact)) {
      const left = withoutPerson(call, finders.others);
      if (isOther(contentOf(call), contentOf(left)))
        end(left, "Discarded: what it would send names a person who was forgotten.");
      return left;
    }
    count++;
    const erased = eraseCall(call, finders.own);
    end(erased, "Discarded: its person was forgotten.");
    return erased;
  });
  // One-time secrets of calls of others are still found through the body; those calls are undecided, so it goes soon.
  const needed = webhook.secretPaths.length > 0 && calls.some(isOpen);
  const { body, unreadable } = webhook;
  rewriteWebhook(sql, webhook, {
    calls,
    body: needed ? finders.bodies.outOf(body) : body === "" && !unreadable ? "" : FORGOTTEN,
    outcomes: JSON.stringify(
      webhook.outcomes.map((one) =>
        one.message === undefined ? one : { ...one, message: finders.own.outOfText(one.message) },
      ),
    ),
  });
  return { calls: count, discarded };
};

const isOther = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);

/** What a call would send, but for whom it is about. */
const contentOf = (call: Call): unknown =>
  call.action === "contact"
    ? call.properties
    : call.action === "event"
      ? call.eventProperties
      : call.action === "transactional"
        ? call.dataVariables
        : undefined;

/** A call about somebody else without the names in what it says. What it is, its names and its state are ours. */
const withoutPerson = (given: Call, finder: Finder): Call => {
  const call = withoutNames(given, finder);
  const clean = <T>(values: T): T => JSON.parse(finder.outOf(JSON.stringify(values))) as T;
  if (call.result !== undefined) call.result = clean(call.result);
  if (call.action === "contact") call.properties = clean(call.properties);
  if (call.action === "event") call.eventProperties = clean(call.eventProperties);
  if (call.action === "transactional") call.dataVariables = clean(call.dataVariables);
  return call;
};

/** A call without its person: what it was, and when, stays. */
const eraseCall = (given: Call, finder: Finder): Call => {
  const gone = <T extends object>(values: T) => Object.fromEntries(Object.keys(values).map((name) => [name, ERASED]));
  const call = withoutNames(given, finder);
  call.contact = gone(call.contact);
  if (call.result !== undefined) call.result = ERASED;
  if (call.action === "contact") call.properties = gone(call.properties);
  if (call.action === "event") call.eventProperties = gone(call.eventProperties);
  if (call.action === "transactional") call.dataVariables = gone(call.dataVariables);
  return call;
};

/** A copy with the names taken out of what hosts and providers said about it. */
const withoutNames = (call: Call, { outOfText }: Finder): Call => {
  const said = <T extends { message?: string }>(one: T): T =>
    one.message === undefined ? one : { ...one, message: outOfText(one.message) };
  const copy: Call = { ...said(call), attempts: call.attempts.map(said) };
  if (call.acts) copy.acts = call.acts.map(said);
  if (call.asked !== undefined) copy.asked = outOfText(call.asked);
  return copy;
};

/** Forgets who the person is, and what was last written of it: a row for each identifier. */
const forgetLinks = (sql: SqlStorage, { keys }: Person, { emails }: Names): number => {
  const { rowsWritten } = sql.exec(
    "DELETE FROM contacts WHERE key IN (SELECT value FROM json_each(?))",
    JSON.stringify([...keys]),
  );
  // An address that has become another user's stands on the row of the one it was before, too.
  sql.exec(
    "UPDATE contacts SET email = NULL WHERE lower(email) IN (SELECT value FROM json_each(?))",
    JSON.stringify(emails),
  );
  return rowsWritten;
};

/** A host's message that is kept with a pause or an alert may name whom the call was about. Nothing else in a fact is touched. */
const forgetFacts = (sql: SqlStorage, { outOfText }: Finder): void => {
  const interruption = readValue<Interruption>(sql, "interruption");
  if (interruption && outOfText(interruption.message) !== interruption.message)
    saveValue(sql, "interruption", { ...interruption, message: outOfText(interruption.message) });
  const alerts = readValue<Alerts>(sql, "alerts");
  if (!alerts) return;
  const entries = Object.entries(alerts.entries).map(([key, entry]) => [
    key,
    { ...entry, message: outOfText(entry.message) },
  ]);
  // What is on its way is a text of JSON with a message in it.
  const pending = alerts.pending.map((one) => ({ ...one, body: withoutMessages(one.body, outOfText) }));
  const left = { ...alerts, entries: Object.fromEntries(entries), pending };
  if (isOther(alerts, left)) saveValue(sql, "alerts", left);
};

/** A JSON text of our own, with its messages changed. */
const withoutMessages = (json: string, change: (text: string) => string): string =>
  JSON.stringify(
    JSON.parse(json, (key, value: unknown) => (key === "message" && typeof value === "string" ? change(value) : value)),
  );
