import type { Link, Strength } from "../../rules/types.ts";
import { type ContactRow, keysOf, personOf, type Rows, rowsOneByOne } from "./rows.ts";
import { knownOf, merged, moved, ofCustomer, readKnown, type Subscriptions, stored } from "./subscriptions.ts";
import { saveWatermarks, type Watermarks } from "./watermarks.ts";

/**
 * Saves a webhook's identity links. Writes only changed rows.
 *
 * @returns keys with a possibly changed person
 */
export const learnLinks = (
  sql: SqlStorage,
  links: readonly Link[],
  happenedAt: number,
  now: number,
  rows: Rows = rowsOneByOne(sql),
): string[] =>
  links.flatMap((link) => {
    const [top, ...below] = keysOf(link);
    if (!top) return [];
    const address = link.email ?? null;
    const said = { email: address, happenedAt, strength: STRENGTHS[link.strength ?? "account"] };
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

const REF = "ref:";

const STRENGTHS: Readonly<Record<Strength, number>> = { unverified: -1, document: 0, purchase: 1, account: 2 };

type Said = {
  email: string | null;
  /** Unix ms. */
  happenedAt: number;
  strength: number;
};

/** A row's link stays if it is stronger, equal and newer, or the same. */
const stands = (row: ContactRow, above: string | null, { email, happenedAt, strength }: Said): boolean => {
  if (row.same_as === null && row.email === null) return false;
  if (row.strength !== strength) return row.strength > strength;
  return row.told_at > happenedAt || (row.same_as === above && row.email === email);
};

const point = (sql: SqlStorage, rows: Rows, key: string, above: string | null, said: Said, now: number): boolean => {
  const row = rows.read(key);
  if (row && stands(row, above, said)) return false;
  const { marks = null, subscriptions = null } = row ?? {};
  const person = above && personOf(sql, above);
  if (row && person && (marks || subscriptions)) moveTo(sql, person, row, now);
  const former = key.startsWith(REF) && row?.same_as ? personOf(sql, row.same_as) : undefined;
  if (former && person) moveCustomer(sql, key.slice(REF.length), former, person, now);
  sql.exec(
    `INSERT INTO contacts (key, same_as, email, told_at, marks, seen_at, strength, subscriptions)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
     ON CONFLICT (key) DO UPDATE SET same_as = ?2, email = ?3, told_at = ?4, marks = ?5, seen_at = ?6, strength = ?7,
       subscriptions = ?8`,
    key,
    above,
    said.email,
    said.happenedAt,
    above ? null : marks,
    now,
    said.strength,
    above ? null : subscriptions,
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
