import type { PlannedLink, Strength } from "../../rules/types.ts";
import { customerOf } from "./customers.ts";
import { type ContactRow, isRef, keysOf, personOf, REF, type Rows, rowsOneByOne } from "./identity-rows.ts";
import { give } from "./state.ts";
import { knownOf, namesIn, ofCustomer, readKnown } from "./subscriptions.ts";
import { MOVED, saveWatermarks } from "./watermarks.ts";

/**
 * Saves a webhook's identity links. Writes only changed rows.
 *
 * @returns keys with a possibly changed person
 */
export const learnLinks = (
  sql: SqlStorage,
  links: readonly PlannedLink[],
  happenedAt: number,
  now: number,
  rows: Rows = rowsOneByOne(sql),
): string[] =>
  links.flatMap((link) => {
    const [top, ...below] = keysOf(link);
    if (!top) return [];
    const { to, ref } = link;
    const said = saidBy(link, happenedAt);
    const { email: address } = said;
    if (to && ref) return point(sql, rows, REF + ref, REF + to, said, now) ? [REF + ref] : [];
    const changed: string[] = [];
    if (link.strength === "unverified")
      return link.userId && address && point(sql, rows, top, null, said, now) ? [top] : [];
    // Mail can then reach a contact with only a user id.
    if (link.userId && address && point(sql, rows, top, null, said, now)) changed.push(top);
    below.forEach((key, step) => {
      const above = step === 0 ? top : (below[step - 1] ?? top);
      if (point(sql, rows, key, above, said, now)) changed.push(key);
    });
    return changed;
  });

const STRENGTHS: Readonly<Record<Strength, number>> = { unverified: -1, document: 0, purchase: 1, account: 2 };

type Said = {
  email: string | null;
  /** Unix ms. */
  happenedAt: number;
  strength: number;
  /** Unix ms; null without an end. */
  until: number | null;
};

export const saidBy = ({ email, strength, until }: PlannedLink, happenedAt: number): Said => ({
  email: email ?? null,
  happenedAt,
  strength: STRENGTHS[strength ?? "account"],
  until: until ?? null,
});

/** A row's link stays if it is stronger, equal and newer, or the same. */
export const stands = (row: ContactRow, above: string | null, { email, happenedAt, strength }: Said): boolean => {
  if (row.next_key === null && row.email === null) return false;
  if (row.strength !== strength) return row.strength > strength;
  const isSame = row.next_key === above;
  // A webhook without the address takes nothing back, whichever comes first.
  if (isSame && isRef(row.key) && row.email === null && email !== null) return false;
  return row.learned_at > happenedAt || (isSame && (row.email === email || email === null));
};

const point = (sql: SqlStorage, rows: Rows, key: string, above: string | null, said: Said, now: number): boolean => {
  const row = rows.read(key);
  if (row && stands(row, above, said)) return false;
  const person = row && above ? personOf(sql, above) : undefined;
  const gives = row && person && hasState(row);
  if (gives) give(sql, person, knownOf(row), now);
  const former = isRef(key) && row?.next_key ? personOf(sql, row.next_key) : undefined;
  const moves = former && person && former !== person && !isRef(person);
  if (moves) moveCustomer(sql, key.slice(REF.length), { from: former, to: person, happenedAt: said.happenedAt }, now);
  const { watermarks = null, subscriptions = null, customers = null } = (!above && row) || {};
  sql.exec(
    `INSERT INTO contacts (key, next_key, email, learned_at, watermarks, seen_at, strength, subscriptions, ends_at, customers)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
     ON CONFLICT (key) DO UPDATE SET next_key = ?2, email = ?3, learned_at = ?4, watermarks = ?5, seen_at = ?6, strength = ?7,
       subscriptions = ?8, ends_at = ?9, customers = ?10`,
    key,
    above,
    said.email,
    Math.max(said.happenedAt, row?.next_key === above ? row.learned_at : 0),
    watermarks,
    now,
    said.strength,
    subscriptions,
    said.until,
    customers,
  );
  if (gives || moves) rows.written();
  else rows.written(key);
  return true;
};

const hasState = ({ watermarks, subscriptions, customers }: ContactRow): boolean =>
  (watermarks ?? subscriptions ?? customers) !== null;

const moveCustomer = (
  sql: SqlStorage,
  customer: string,
  { from, to, happenedAt }: { from: string; to: string; happenedAt: number },
  now: number,
): void => {
  const known = readKnown(sql, from);
  const subscriptions = ofCustomer(known.subscriptions, customer);
  const customers = customerOf(known.customers, customer);
  const own = { subscriptions: subscriptions.own, customers: customers.own };
  if (namesIn(own).length === 0) return;
  const left = { subscriptions: subscriptions.others, customers: customers.others };
  saveWatermarks(sql, from, known.watermarks, { [MOVED]: [happenedAt, 0] }, now, left);
  give(sql, to, { watermarks: {}, ...own }, now);
};
