import { fold, hasWords } from "../../../lib/names/fold.ts";
import { emailKey, isAscii } from "../../../lib/util/email-key.ts";
import type { Chore } from "../core/chore.ts";

/**
 * Contacts of one row of about 7 kB, written with the last of them. Search reads the newest contacts, and those of a
 * missing row, themselves.
 */
export const BLOCK = 128;
/** A line begins with a private character, which no text has: char(57344 + n % BLOCK). */
const FIRST_TAG = 0xe000;
const TAG = /[\ue000-\ue07f]/;
const EVERY_TAG = new RegExp(TAG, "g");
const LINES = /([\ue000-\ue07f])([^\ue000-\ue07f]*)/g;
/** Characters of a field, and of all folded fields, that can be found, so that a row stays below 1 MB. */
const MOST_FIELD = 300;
const MOST_TEXT = 5 * MOST_FIELD;
/** Missing blocks that the chore makes at once, and blocks that it looks at. */
export const MADE = 16;
const LOOKED_AT = 512;

type Named = {
  n: number;
  email: string | null;
  userId: string | null;
  data: { firstName: string | null; lastName: string | null };
};

const utf8 = new TextEncoder();

const blockOf = (n: number): number => Math.floor(n / BLOCK);
const tagOf = (n: number): string => String.fromCharCode(FIRST_TAG + (n % BLOCK));

/** Folds all fields at once, because a call costs more than its characters. The address is never cut. */
const textOf = ({ email, userId, data: { firstName, lastName } }: Named): string => {
  const address = email === null || isAscii(email) ? null : emailKey(email);
  const fields = [email, address, userId, firstName, lastName].flatMap((field) => field?.slice(0, MOST_FIELD) || []);
  return fold(fields.join(" ").replaceAll(EVERY_TAG, " ")).slice(0, MOST_TEXT).toWellFormed();
};

const lineOf = (contact: Named): string => tagOf(contact.n) + textOf(contact);

type Row = {
  n: number;
  email: string | null;
  userId: string | null;
  firstName: string | null;
  lastName: string | null;
};

/** Reads contacts of the numbers from `first` to below `end`, newest first. */
function* namedIn(sql: SqlStorage, first: number, end: number): Generator<Named> {
  const rows = sql.exec<Row>(
    `SELECT n, email, user_id AS userId, data ->> '$.firstName' AS firstName, data ->> '$.lastName' AS lastName
     FROM contacts WHERE n >= ? AND n < ? ORDER BY n DESC`,
    first,
    end,
  );
  for (const { n, email, userId, firstName, lastName } of rows)
    yield { n, email, userId, data: { firstName, lastName } };
}

type Fields = [number, string | null, string | null, string | null, string | null];

/** Reads the contacts of a block as one row, which is faster than 128. */
const linesFromContacts = (sql: SqlStorage, block: number): string => {
  const { contacts } = sql
    .exec<{ contacts: string }>(
      `SELECT json_group_array(json_array(n, email, user_id, data ->> '$.firstName', data ->> '$.lastName')) AS contacts
       FROM (SELECT n, email, user_id, data FROM contacts WHERE n >= ? AND n < ? ORDER BY n)`,
      block * BLOCK,
      (block + 1) * BLOCK,
    )
    .one();
  return (JSON.parse(contacts) as Fields[])
    .map(([n, email, userId, firstName, lastName]) => lineOf({ n, email, userId, data: { firstName, lastName } }))
    .join("");
};

const readLines = (sql: SqlStorage, block: number): string | undefined =>
  sql.exec<{ lines: string }>("SELECT lines FROM contact_blocks WHERE block = ?", block).toArray()[0]?.lines;

const isMade = (sql: SqlStorage, block: number): boolean =>
  sql.exec("SELECT 1 FROM contact_blocks WHERE block = ?", block).toArray().length > 0;

const split = (lines: string, n: number): { before: string; line: string; rest: string } => {
  const at = lines.indexOf(tagOf(n));
  if (at < 0) return { before: lines, line: "", rest: "" };
  const length = lines.slice(at + 1).search(TAG);
  const end = length < 0 ? lines.length : at + 1 + length;
  return { before: lines.slice(0, at), line: lines.slice(at, end), rest: lines.slice(end) };
};

const write = (sql: SqlStorage, block: number, at: number, lines: string): void => {
  sql.exec(
    `INSERT INTO contact_blocks (block, at, lines) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET at = excluded.at, lines = excluded.lines`,
    block,
    at,
    lines,
  );
};

/**
 * Writes the words of each block that new contacts complete. It comes before their rows, and `noteRenamed` before the
 * changed one: triggers delete a block without the time of the change, because older code writes no words.
 */
export const noteAdded = (sql: SqlStorage, contacts: readonly (Named & { updatedAt: number })[]): void => {
  for (const [block, members] of Map.groupBy(contacts, ({ n }) => blockOf(n))) {
    const last = members.at(-1);
    if (last?.n !== (block + 1) * BLOCK - 1) continue;
    write(sql, block, last.updatedAt, linesFromContacts(sql, block) + members.map(lineOf).join(""));
  }
};

/** Writes the words of a renamed contact, if its block is complete. */
export const noteRenamed = (sql: SqlStorage, contact: Named & { updatedAt: number }): void => {
  const block = blockOf(contact.n);
  const lines = readLines(sql, block);
  if (lines === undefined) return;
  const { before, rest } = split(lines, contact.n);
  write(sql, block, contact.updatedAt, before + lineOf(contact) + rest);
};

/** Erases the words of a contact, before its row is deleted. Equally long blanks need no room in a full database. */
export const eraseNames = (sql: SqlStorage, n: number): void => {
  const block = blockOf(n);
  const { before, line, rest } = split(readLines(sql, block) ?? "", n);
  if (line === "") return;
  const left = before + " ".repeat(utf8.encode(line).length) + rest;
  if (TAG.test(left)) sql.exec("UPDATE contact_blocks SET lines = ? WHERE block = ?", left, block);
  else sql.exec("DELETE FROM contact_blocks WHERE block = ?", block);
};

/** Number of the newest contact below `end`; 0 if there is none. */
const newestOf = (sql: SqlStorage, end = Number.MAX_SAFE_INTEGER): number =>
  sql.exec<{ n: number | null }>("SELECT max(n) AS n FROM contacts WHERE n < ?", end).one().n ?? 0;

/** Cost of a block, beside 1 for a contact of a block that is missing. */
export const BLOCK_COST = 10;

/** `found`: numbers, newest first. `to`: the smallest number that was looked at. */
type Looked = { found: { n: number; text: string }[]; to: number; cost: number };

/** Finds contacts below the number `before` that have all words, newest first. */
export function* contactsWith(sql: SqlStorage, words: readonly string[], before: number): Generator<Looked> {
  const [longest] = words.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return;
  const end = Math.min(before, newestOf(sql) + 1);
  let next = blockOf(end - 1);
  const rows = sql.exec<{ block: number; lines: string | null }>(
    `SELECT block, iif(instr(lines, ?) > 0, lines, NULL) AS lines FROM contact_blocks
     WHERE block <= ? ORDER BY block DESC`,
    longest,
    next,
  );
  for (const { block, lines } of rows) {
    if (block < next) yield* inMissing(sql, words, (block + 1) * BLOCK, Math.min(end, (next + 1) * BLOCK));
    const found = lines === null ? [] : inLines(lines, block, words).filter(({ n }) => n < end);
    yield { found, to: block * BLOCK, cost: BLOCK_COST };
    next = block - 1;
  }
  if (next >= 0) yield* inMissing(sql, words, 0, Math.min(end, (next + 1) * BLOCK));
}

const inLines = (lines: string, block: number, words: readonly string[]) => {
  const found: { n: number; text: string }[] = [];
  for (const [, tag = "", text = ""] of lines.matchAll(LINES))
    if (hasWords(text, words)) found.push({ n: block * BLOCK + tag.charCodeAt(0) - FIRST_TAG, text });
  return found.sort((a, b) => b.n - a.n);
};

function* inMissing(sql: SqlStorage, words: readonly string[], first: number, end: number): Generator<Looked> {
  for (const contact of namedIn(sql, first, end)) {
    const text = textOf(contact);
    yield { found: hasWords(text, words) ? [{ n: contact.n, text }] : [], to: contact.n, cost: 1 };
  }
}

/** Makes the blocks of contacts that older code wrote, newest first. */
export const chores: readonly Chore[] = [
  {
    next: (sql) => (dueOf(sql) > 0 ? 0 : Number.POSITIVE_INFINITY),
    run: (sql) => {
      let block = Math.min(dueOf(sql), blockOf(newestOf(sql) + 1));
      for (let looked = 0, made = 0; block > 0 && looked < LOOKED_AT && made < MADE; looked += 1) {
        // Numbers of deleted contacts are skipped at once.
        const newest = newestOf(sql, block * BLOCK);
        block = blockOf(newest);
        if (newest === 0 || isMade(sql, block)) continue;
        write(sql, block, 0, linesFromContacts(sql, block));
        made += 1;
      }
      sql.exec("UPDATE team SET blocks_due = ?", block);
    },
  },
];

const dueOf = (sql: SqlStorage): number =>
  sql.exec<{ due: number }>("SELECT blocks_due AS due FROM team").toArray()[0]?.due ?? 0;
