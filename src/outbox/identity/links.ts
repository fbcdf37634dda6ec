import type { PlannedLink, Strength } from "../../rules/types.ts";
import { type ContactRow, keysOf, personOf, REF, type Rows, rowsOneByOne } from "./identity-rows.ts";
import { knownOf, merged, moved, ofCustomer, readKnown, type Subscriptions, stored } from "./subscriptions.ts";
import { saveWatermarks, type Watermarks } from "./watermarks.ts";

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
    const { to, ref, until = null } = link;
    const address = link.email ?? null;
    const said = { email: address, happenedAt, strength: STRENGTHS[link.strength ?? "account"], until };
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

/** A row's link stays if it is stronger, equal and newer, or the same. */
const stands = (row: ContactRow, above: string | null, { email, happenedAt, strength }: Said): boolean => {
  if (row.next_key === null && row.email === null) return false;
  if (row.strength !== strength) return row.strength > strength;
  // A webhook without the address takes nothing back.
  return row.learned_at > happenedAt || (row.next_key === above && (row.email === email || email === null));
};

const point = (sql: SqlStorage, rows: Rows, key: string, above: string | null, said: Said, now: number): boolean => {
  const row = rows.read(key);
  if (row && stands(row, above, said)) return false;
  const { watermarks = null, subscriptions = null } = row ?? {};
  const person = above && personOf(sql, above);
  if (row && person && (watermarks || subscriptions)) moveTo(sql, person, row, now);
  const former = key.startsWith(REF) && row?.next_key ? personOf(sql, row.next_key) : undefined;
  if (former && person) moveCustomer(sql, key.slice(REF.length), former, person, now);
  sql.exec(
    `INSERT INTO contacts (key, next_key, email, learned_at, watermarks, seen_at, strength, subscriptions, ends_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
     ON CONFLICT (key) DO UPDATE SET next_key = ?2, email = ?3, learned_at = ?4, watermarks = ?5, seen_at = ?6, strength = ?7,
       subscriptions = ?8, ends_at = ?9`,
    key,
    above,
    said.email,
    said.happenedAt,
    above ? null : watermarks,
    now,
    said.strength,
    above ? null : subscriptions,
    said.until,
  );
  rows.written();
  return true;
};

const moveTo = (sql: SqlStorage, person: string, row: ContactRow, now: number): void => {
  const { watermarks, subscriptions } = knownOf(row);
  addTo(sql, person, watermarks, subscriptions, now);
};

const moveCustomer = (sql: SqlStorage, customer: string, from: string, to: string, now: number): void => {
  const known = readKnown(sql, from);
  const { own, others } = ofCustomer(known.subscriptions, customer);
  if (from === to || Object.keys(own).length === 0) return;
  saveWatermarks(sql, from, known.watermarks, {}, now, others);
  addTo(sql, to, {}, own, now);
};

const addTo = (sql: SqlStorage, person: string, watermarks: Watermarks, added: Subscriptions, now: number): void => {
  const known = readKnown(sql, person);
  const hasAny = Object.keys(added).length > 0;
  const subscriptions = hasAny ? stored(merged(known.subscriptions, moved(added))) : undefined;
  saveWatermarks(sql, person, known.watermarks, watermarks, now, subscriptions);
};
