import { readingSql } from "../../lib/counted-sql.ts";
import { splitKey } from "./identifier-keys.ts";
import { chainOf, REF, readRow } from "./identity-rows.ts";

const MOST = 5;
const MOST_SOURCES = 100;
/** The upper bound of a range of texts with one beginning. */
const LAST = "\u{10FFFF}";

/** An identifier that was found, and the address and user id of its person, where known. */
export type FoundPerson = {
  kind: "email" | "userId" | "ref";
  value: string;
  source?: string;
  email: string | null;
  userId: string | null;
};

/** Finds people by the beginning of an address, user id or provider id. Reads a bounded number of rows, by the primary key. */
export const findPeople = (all: SqlStorage, q: string): { people: FoundPerson[]; rowsRead: number } => {
  const { sql, rowsRead } = readingSql(all);
  const beginnings = [
    `email:${q.toLowerCase()}`,
    `user:${q}`,
    ...sourcesOf(sql).map((source) => `${REF}${source}:${q}`),
    ...(q.includes(":") ? [REF + q] : []),
  ];
  const byPerson = new Map<string, FoundPerson>();
  for (const key of beginnings.flatMap((beginning) => keysWith(sql, beginning))) {
    if (byPerson.size === MOST) break;
    const chain = chainOf(sql, key);
    const person = chain.at(-1) ?? key;
    if (!byPerson.has(person)) byPerson.set(person, foundPerson(sql, key, chain));
  }
  return { people: [...byPerson.values()], rowsRead: rowsRead() };
};

const keysWith = (sql: SqlStorage, beginning: string): string[] =>
  sql
    .exec<{ key: string }>(
      `SELECT key FROM contacts WHERE key >= ? AND key < ? ORDER BY key LIMIT ${MOST}`,
      beginning,
      beginning + LAST,
    )
    .toArray()
    .map(({ key }) => key);

/** Returns the sources of refs: each takes one row, because ";" follows ":". */
const sourcesOf = (sql: SqlStorage): string[] => {
  const sources: string[] = [];
  for (let from = REF; sources.length < MOST_SOURCES; ) {
    const [row] = sql
      .exec<{ key: string }>("SELECT key FROM contacts WHERE key >= ? AND key < 'ref;' ORDER BY key LIMIT 1", from)
      .toArray();
    if (!row) break;
    const source = row.key.split(":")[1] ?? "";
    sources.push(source);
    from = `${REF}${source};`;
  }
  return sources;
};

const foundPerson = (sql: SqlStorage, key: string, chain: readonly string[]): FoundPerson => {
  const [kind, name] = splitKey(key);
  const named = (wanted: string) => chain.find((one) => one.startsWith(wanted))?.slice(wanted.length);
  const stored = readRow(sql, chain.at(-1) ?? key)?.email;
  const person = { email: stored ?? named("email:") ?? null, userId: named("user:") ?? null };
  if (kind !== "ref") return { kind: kind === "user" ? "userId" : "email", value: name, ...person };
  const at = name.indexOf(":");
  return { kind: "ref", value: name.slice(at + 1), source: name.slice(0, at), ...person };
};
