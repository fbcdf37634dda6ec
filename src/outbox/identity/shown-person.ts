import { type ContactRow, readRow } from "./identity-rows.ts";
import { findPerson, type PersonQuery } from "./person-search.ts";
import { LATE, MOVED, WHOLE, watermarksIn } from "./watermarks.ts";

/** One identifier of a person. `learnedAt`: Unix ms of the linking webhook. */
type ShownIdentifier = {
  kind: "email" | "userId" | "ref";
  value: string;
  source?: string;
  learnedAt: number | null;
};

/** Known facts about a person. Unix ms; `written`: by contact property. `leftAt`: a customer moved to another person. */
export type ShownPerson = {
  identifiers: ShownIdentifier[];
  written: Record<string, number>;
  seenAt: number | null;
  leftAt: number | null;
};

const MOST = 200;
const isProperty = (name: string): boolean => /^\w/.test(name) && name !== WHOLE && name !== LATE;

/** Returns a person's identifiers and value times; null if unknown. */
export const showPerson = (sql: SqlStorage, who: PersonQuery): ShownPerson | null => {
  const keys = [...findPerson(sql, who).keys].sort().slice(0, MOST);
  const rows = keys.flatMap((key) => readRow(sql, key) ?? []);
  if (rows.length === 0) return null;
  const written: Record<string, number> = {};
  let leftAt = 0;
  for (const row of rows)
    for (const [name, [at]] of Object.entries(watermarksIn(row))) {
      if (isProperty(name)) written[name] = Math.max(at, written[name] ?? 0);
      if (name === MOVED) leftAt = Math.max(at, leftAt);
    }
  const seenAt = Math.max(...rows.map(({ seen_at }) => seen_at));
  return { identifiers: rows.map(identifierOf), written, seenAt: seenAt > 0 ? seenAt : null, leftAt: leftAt || null };
};

const identifierOf = ({ key, email, learned_at }: ContactRow): ShownIdentifier => {
  const learnedAt = learned_at > 0 ? learned_at : null;
  const value = key.slice(key.indexOf(":") + 1);
  if (key.startsWith("user:")) return { kind: "userId", value, learnedAt };
  if (key.startsWith("email:"))
    return { kind: "email", value: email?.toLowerCase() === value ? email : value, learnedAt };
  const [source = "", ...id] = value.split(":");
  return { kind: "ref", value: id.join(":"), source, learnedAt };
};
