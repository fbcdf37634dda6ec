import type { Alerts } from "../../lib/alerts/open-alerts.ts";
import { ERASED, encodedHintsOf, type Finder, finderOf, type Names, sureNames } from "../../lib/names/finder.ts";
import { readValue, saveValue } from "../../lib/util/kv.ts";
import { namesOf, splitKey } from "../identity/identifier-keys.ts";
import { concerns, isAbout, type Person } from "../identity/person-search.ts";
import { latestOf } from "../identity/watermarks.ts";
import { parseScanned, readBody, readWebhook, type Scanned, scanDown } from "../journal/read.ts";
import { rewriteWebhook } from "../journal/write.ts";
import { acceptedAt, isOpen } from "../model/delivery-state.ts";
import type { Interruption } from "../model/interruption.ts";
import type { Delivery, DeliveryRef } from "../model/journal-types.ts";
import { reasons } from "../model/reasons.ts";
import { note } from "./actions.ts";
import { noteRequest } from "./note-request.ts";
import { ERASED_BODY } from "./replay.ts";
import type { Reach } from "./search.ts";

/** Counts of one erasure request. `changed`: webhooks for the queue to reload. */
export type Erased = Reach & {
  reached: Reached[];
  webhooks: number;
  deliveries: number;
  discarded: number;
  links: number;
  changed: number[];
  /** Everything but the identity links is erased. */
  linksKept?: true;
  /** Sentences about identifiers that share an address and stay. */
  apart: string[];
  /** Unix ms until an earlier request may arrive. Another erasure must follow. */
  late?: number;
};

/** `earlier`: from an earlier account with the person's address. */
type Reached = ({ userId: string } | { email: string } | { ref: string }) & { earlier?: true };

const reachedBy = ({ keys, earlier }: Person): Reached[] =>
  [...keys].map((key) => {
    const [kind, name] = splitKey(key);
    const identifier = kind === "user" ? { userId: name } : kind === "email" ? { email: name } : { ref: name };
    return { ...identifier, ...(earlier.has(key) ? { earlier: true } : {}) };
  });

/** Delivery waits during the search. */
const SLICE = 500;
/** Bytes. */
const BODIES = 16_000_000;

/**
 * Erases a person from a slice, in the caller's transaction. The last request deletes the links.
 *
 * @param open the person's open deliveries, discarded first
 * @param inFlight true requires another request
 * @param keepLinks true until the email service erased the person
 * @param thin number of webhooks that wait for their data
 * @param waits false skips the wait for late requests
 */
export const erase = (
  sql: SqlStorage,
  person: Person,
  {
    before,
    open,
    inFlight,
    keepLinks,
    thin,
    waits,
    now,
  }: {
    before?: number;
    open: readonly DeliveryRef[];
    inFlight: boolean;
    keepLinks: boolean;
    thin: number;
    waits: boolean;
    now: number;
  },
): Erased => {
  const names = namesOf(person);
  const finders = findersOf(names);
  const hints = encodedHintsOf(names);
  const erased: Erased = {
    reached: reachedBy(person),
    webhooks: 0,
    deliveries: 0,
    discarded: 0,
    links: 0,
    changed: [],
    apart: before === undefined ? [...sentencesOf(person), ...sentenceOfThin(thin)] : [],
  };
  const users = new Set<string>();
  const eraseOne = (seq: number) => {
    if (erased.changed.includes(seq)) return;
    erased.changed.push(seq);
    const { deliveries, discarded, isNew } = eraseWebhook(sql, seq, person, finders, now);
    if (isNew) erased.webhooks++;
    erased.deliveries += deliveries;
    erased.discarded += discarded;
  };
  for (const { seq } of open) eraseOne(seq);

  let bytes = 0;
  let looked = 0;
  let last: number | undefined;
  const found: number[] = [];
  for (const scanned of scanDown(sql, before ?? Number.MAX_SAFE_INTEGER, SLICE, hints)) {
    looked++;
    last = scanned.seq;
    bytes += scanned.size;
    const own = parseScanned(scanned).deliveries.filter((delivery) => concerns(person, delivery));
    for (const { contact } of own) if (contact.userId && contact.email) users.add(contact.userId);
    if (own.length > 0 || namesPerson(sql, scanned, finders)) found.push(scanned.seq);
    if (bytes > BODIES) break;
  }
  for (const seq of found) eraseOne(seq);
  for (const userId of users) if (isOther(person, userId)) erased.apart.push(sentenceOfUser(userId));
  if (last !== undefined && (looked === SLICE || bytes > BODIES))
    return { ...erased, next: last, searchedTo: acceptedAt(last) };

  const late = waits ? latestOf(sql, person.keys, now) : undefined;
  // No webhook is older than 1: the next request finds none, and finishes.
  if (late !== undefined) return { ...erased, next: 1, late };
  if (inFlight || keepLinks) return { ...erased, next: 1, ...(keepLinks ? { linksKept: true } : {}) };
  erased.links = eraseLinks(sql, person, names);
  eraseMessages(sql, finders.others);
  return last === undefined ? erased : { ...erased, searchedTo: acceptedAt(last) };
};

const isOther = ({ keys, apart }: Person, userId: string): boolean =>
  userId !== ERASED && !keys.has(`user:${userId}`) && !apart.has(`user:${userId}`);

const ONLY_ADDRESS =
  "What has the address is erased; what has only the user id stays until you erase that user id too.";

const sentenceOfUser = (userId: string): string =>
  `User ${userId} had the address in webhooks, and no identity link ties the two now. ${ONLY_ADDRESS}`;

const sentencesOf = ({ apart }: Person): string[] =>
  [...apart].map(([key, reason]) => {
    const [, name] = splitKey(key);
    return reason.why === "purchase"
      ? `User ${name} has the address from a purchase, not from its account. ${ONLY_ADDRESS}`
      : `${name} was an address of this person and belongs to user ${splitKey(reason.by)[1]} now. What has only the address stays until you erase the address.`;
  });

/** Names thin events: their person is known when they have their data. */
const sentenceOfThin = (count: number): string[] =>
  count === 0
    ? []
    : [
        `Thin events: ${count === 1 ? "1 webhook waits for its data" : `${count} webhooks wait for their data`}. What names this person is erased with the person; of the others nothing is known. Erase the person again once none waits.`,
      ];

type Finders = { others: Finder; own: Finder; bodies: Finder };

const findersOf = (names: Names): Finders => ({
  // Short ids are left out: in another person's delivery, "1" is probably a count.
  others: finderOf(sureNames(names)),
  // In the person's own delivery, even a short id is a name.
  own: finderOf(names, 1),
  bodies: finderOf(names),
});

const namesPerson = (sql: SqlStorage, row: Scanned, { others, bodies }: Finders) => {
  const { deliveries, outcomes, unreadable } = parseScanned(row);
  if (unreadable ? others.isIn(row.deliveries) || others.isIn(row.outcomes) : false) return true;
  if (others.isIn(row.deliveries) && deliveries.some((delivery) => differ(delivery, withoutNames(delivery, others))))
    return true;
  if (outcomes.some(({ message = "" }) => others.outOfText(message) !== message)) return true;
  return row.hinted === 1 && bodies.isIn(readBody(sql, row.seq));
};

const eraseWebhook = (sql: SqlStorage, seq: number, person: Person, finders: Finders, now: number) => {
  const webhook = readWebhook(sql, seq);
  if (!webhook) return { deliveries: 0, discarded: 0, isNew: false };
  let discarded = 0;
  let count = 0;
  const discard = (delivery: Delivery, message: string) => {
    if (!isOpen(delivery)) return;
    discarded++;
    note(delivery, "erase", now);
    Object.assign(delivery, { state: "failed", message, settledAt: now });
  };
  const deliveries = webhook.deliveries.map((delivery, index) => {
    const isTheirs = isAbout(person, delivery.contact);
    // An open delivery goes to the person that its ref belongs to by now.
    if (!isTheirs && (isOpen(delivery) || !concerns(person, delivery))) {
      const left = withoutNames(delivery, finders.others);
      if (differ(contentOf(delivery), contentOf(left)))
        discard(left, "Discarded: its content names a person who was erased.");
      return left;
    }
    count++;
    noteRequest(sql, { seq, index }, delivery, now);
    const erased = withoutPerson(delivery, finders.own);
    discard(erased, "Discarded: its person was erased.");
    return erased;
  });
  // A delivery in flight is met again by every slice.
  const isNew = ![ERASED_BODY, ""].includes(webhook.body) || differ(webhook.deliveries, deliveries);
  // Other open deliveries still need secrets from the body.
  const needed = webhook.secretPaths.length > 0 && deliveries.some(isOpen);
  const isThin = deliveries.some((delivery) => delivery.action === "fetch" && isOpen(delivery));
  const { body, unreadable } = webhook;
  rewriteWebhook(sql, webhook, {
    deliveries,
    body: isThin ? body : needed ? finders.bodies.outOf(body) : body === "" && !unreadable ? "" : ERASED_BODY,
    outcomes: JSON.stringify(
      webhook.outcomes.map((one) =>
        one.message === undefined ? one : { ...one, message: finders.own.outOfText(one.message) },
      ),
    ),
  });
  return { deliveries: count, discarded, isNew };
};

const differ = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);

const contentOf = (delivery: Delivery): unknown =>
  delivery.action === "contact"
    ? [delivery.properties, delivery.former]
    : delivery.action === "event"
      ? delivery.eventProperties
      : delivery.action === "transactional"
        ? delivery.dataVariables
        : delivery.action === "fetch"
          ? delivery.object
          : undefined;

const withoutNames = (given: Delivery, finder: Finder): Delivery => {
  const delivery = withoutNamesInMessages(given, finder);
  const clean = <T>(values: T): T => JSON.parse(finder.outOf(JSON.stringify(values))) as T;
  if (delivery.result !== undefined) delivery.result = clean(delivery.result);
  if (delivery.sentTo && differ(delivery.sentTo, clean(delivery.sentTo))) delete delivery.sentTo;
  if (delivery.byPlan) delivery.byPlan = clean(delivery.byPlan);
  if (delivery.action === "contact") delivery.properties = clean(delivery.properties);
  // A former contact cannot be found without its address, so its values go too.
  if (delivery.former && differ(delivery.former, clean(delivery.former))) delete delivery.former;
  if (delivery.action === "event") delivery.eventProperties = clean(delivery.eventProperties);
  if (delivery.action === "transactional") delivery.dataVariables = clean(delivery.dataVariables);
  if (delivery.action === "fetch") delivery.object = finder.outOfText(delivery.object);
  return delivery;
};

const withoutPerson = (given: Delivery, finder: Finder): Delivery => {
  const erase = <T extends object>(values: T) => Object.fromEntries(Object.keys(values).map((name) => [name, ERASED]));
  const delivery = withoutNamesInMessages(given, finder);
  delivery.contact = erase(delivery.contact);
  delete delivery.former;
  delete delivery.sentTo;
  delete delivery.byPlan;
  if (delivery.result !== undefined) delivery.result = ERASED;
  if (delivery.action === "contact") {
    delivery.properties = erase(delivery.properties);
    delete delivery.customer;
    if (delivery.subscription) delivery.subscription = { id: ERASED, properties: delivery.subscription.properties };
    if (delivery.message?.startsWith(reasons.showsOther)) delete delivery.message;
  }
  if (delivery.action === "event") delivery.eventProperties = erase(delivery.eventProperties);
  if (delivery.action === "transactional") delivery.dataVariables = erase(delivery.dataVariables);
  return delivery;
};

const withoutNamesInMessages = (delivery: Delivery, { outOfText }: Finder): Delivery => {
  const clean = <T extends { message?: string }>(one: T): T =>
    one.message === undefined ? one : { ...one, message: outOfText(one.message) };
  const copy: Delivery = { ...clean(delivery), attempts: delivery.attempts.map(clean) };
  if (delivery.acts) copy.acts = delivery.acts.map(clean);
  if (delivery.asked !== undefined) copy.asked = outOfText(delivery.asked);
  return copy;
};

const eraseLinks = (sql: SqlStorage, { keys }: Person, { emails }: Names): number => {
  const { rowsWritten } = sql.exec(
    "DELETE FROM contacts WHERE key IN (SELECT value FROM json_each(?))",
    JSON.stringify([...keys]),
  );
  // An address of another user may remain in its earlier user's row.
  sql.exec(
    "UPDATE contacts SET email = NULL WHERE lower(email) IN (SELECT value FROM json_each(?))",
    JSON.stringify(emails),
  );
  return rowsWritten;
};

const eraseMessages = (sql: SqlStorage, { outOfText }: Finder): void => {
  const interruption = readValue<Interruption>(sql, "interruption");
  if (interruption && outOfText(interruption.message) !== interruption.message)
    saveValue(sql, "interruption", { ...interruption, message: outOfText(interruption.message) });
  const alerts = readValue<Alerts>(sql, "alerts");
  if (!alerts) return;
  const entries = Object.entries(alerts.entries).map(([key, entry]) => [
    key,
    { ...entry, message: outOfText(entry.message) },
  ]);
  // A pending notice's body is JSON with a message.
  const pending = alerts.pending.map((one) => ({ ...one, body: changeMessages(one.body, outOfText) }));
  const left = { ...alerts, entries: Object.fromEntries(entries), pending };
  if (differ(alerts, left)) saveValue(sql, "alerts", left);
};

const changeMessages = (json: string, change: (text: string) => string): string =>
  JSON.stringify(
    JSON.parse(json, (key, value: unknown) => (key === "message" && typeof value === "string" ? change(value) : value)),
  );
