import { note } from "./actions.ts";
import * as journal from "./journal.ts";
import { ERASED, hintsOf, isAbout, isNamedIn, type Names, namesOf, type Person, withoutNames } from "./person.ts";
import { FORGOTTEN } from "./replay.ts";
import { type Reach, SLICE } from "./search.ts";
import type { Call, Ref } from "./types.ts";

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
  { before, undecided, underWay, now }: { before?: number; undecided: readonly Ref[]; underWay: boolean; now: number },
): Forgotten => {
  const names = namesOf(person);
  const hints = hintsOf(names);
  const told: Forgotten = { identifiers: person.keys.size, webhooks: 0, calls: 0, discarded: 0, links: 0, changed: [] };
  const eraseOne = (seq: number) => {
    if (told.changed.includes(seq)) return;
    told.changed.push(seq);
    const { calls, discarded } = eraseWebhook(sql, seq, person, names, now);
    told.webhooks++;
    told.calls += calls;
    told.discarded += discarded;
  };
  for (const { seq } of undecided) eraseOne(seq);

  let bytes = 0;
  let looked = 0;
  let last: number | undefined;
  const found: number[] = [];
  for (const scanned of journal.scan(sql, before ?? Number.MAX_SAFE_INTEGER, SLICE)) {
    looked++;
    last = scanned.seq;
    bytes += scanned.size;
    if (
      journal.parsed(scanned).calls.some(({ contact }) => isAbout(person, contact)) ||
      isTold(sql, scanned, hints, names)
    )
      found.push(scanned.seq);
    if (bytes > BODIES) break;
  }
  for (const seq of found) eraseOne(seq);
  if (last !== undefined && (looked === SLICE || bytes > BODIES))
    return { ...told, next: last, searchedTo: journal.acceptedAt(last) };

  // Nothing was accepted before this: the next request finds no webhook, and ends.
  if (underWay) return { ...told, next: 1 };
  told.links = forgetLinks(sql, person, names);
  forgetFacts(sql, names);
  return last === undefined ? told : { ...told, searchedTo: journal.acceptedAt(last) };
};

/** True where body, calls of others, or what the rules said name the person. */
const isTold = (sql: SqlStorage, { seq, calls, outcomes }: journal.Scanned, hints: readonly string[], names: Names) => {
  if (isNamedIn(calls, names) || names.emails.some((email) => outcomes.toLowerCase().includes(email))) return true;
  const body = journal.bodyWith(sql, seq, hints);
  return body !== undefined && isNamedIn(body, names);
};

const eraseWebhook = (sql: SqlStorage, seq: number, person: Person, names: Names, now: number) => {
  const webhook = journal.read(sql, seq);
  if (!webhook) return { calls: 0, discarded: 0 };
  let discarded = 0;
  let count = 0;
  const calls = webhook.calls.map((call) => {
    if (!isAbout(person, call.contact)) return JSON.parse(withoutNames(JSON.stringify(call), names)) as Call;
    count++;
    if (journal.isOpen(call)) {
      discarded++;
      note(call, "forget", now);
      Object.assign(call, { state: "dead", message: "Discarded: its person was forgotten.", settledAt: now });
    }
    return eraseCall(call, names);
  });
  // One-time secrets of calls of others are still found through the body; those calls are undecided, so it goes soon.
  const needed = webhook.secretPaths.length > 0 && calls.some(journal.isOpen);
  journal.rewrite(sql, {
    seq,
    calls,
    body: needed ? withoutNames(webhook.body, names) : webhook.body === "" ? "" : FORGOTTEN,
    outcomes: withoutNames(JSON.stringify(webhook.outcomes), names),
  });
  return { calls: count, discarded };
};

/** A call without its person: what it was, and when, stays. */
const eraseCall = (call: Call, names: Names): Call => {
  const gone = <T extends object>(values: T) => Object.fromEntries(Object.keys(values).map((name) => [name, ERASED]));
  const erased = JSON.parse(withoutNames(JSON.stringify(call), names)) as Call;
  erased.contact = gone(erased.contact);
  if (erased.result !== undefined) erased.result = ERASED;
  if (erased.action === "contact") erased.properties = gone(erased.properties);
  if (erased.action === "event") erased.eventProperties = gone(erased.eventProperties);
  if (erased.action === "transactional") erased.dataVariables = gone(erased.dataVariables);
  return { ...erased, key: call.key };
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

/** A host's message that is kept with a pause or an alert may name whom the call was about. */
const forgetFacts = (sql: SqlStorage, names: Names): void => {
  const facts = sql.exec<{ name: string; value: string }>("SELECT name, value FROM delivery").toArray();
  for (const { name, value } of facts) {
    const left = withoutNames(value, names);
    if (left !== value) sql.exec("UPDATE delivery SET value = ? WHERE name = ?", left, name);
  }
};
