import type { Role } from "../../../lib/contract/access.ts";
import { lookOf } from "../../../lib/contract/admin/dashboard/lookalikes.ts";
import { DAY_MS } from "../../../lib/util/dates.ts";

// Each function is one step without await.

/** Milliseconds. */
export const INVITE_MS = DAY_MS;
export const MAX_PEOPLE = 200;
export const MAX_PASSKEYS = 20;

type Sql = SqlStorage;

/** `by` is the inviter, `seen` the last request. Times are Unix ms. */
export type Person = { id: string; name: string; role: Role; created: number; by: string; seen: number | null };
export type NewPerson = Pick<Person, "id" | "name" | "role" | "by">;

/** `transports` is JSON; `synced` is 1 if a provider has a copy. Times are Unix ms. */
export type Passkey = {
  id: string;
  person: string;
  publicKey: ArrayBuffer;
  counter: number;
  transports: string;
  synced: number;
  name: string;
  created: number;
  used: number | null;
};
export type NewPasskey = Pick<Passkey, "id" | "publicKey" | "counter" | "transports" | "synced"> & {
  name: string | undefined;
};
/** Reasons to refuse a passkey. */
export type NotAdded = "gone" | "known" | "full";

/** `until` is the open link's end, or null. */
export type Listed = Person & {
  passkeys: Pick<Passkey, "id" | "name" | "created" | "used" | "synced">[];
  recoveryCodes: number;
  until: number | null;
};

export type Invited = Person & { invitedBy: string; expires: number; passkeys: Pick<Passkey, "id" | "transports">[] };

/** Names that look the same in NFC and NFD are one. */
const keyOf = (name: string): string => name.normalize("NFKC").toLowerCase();
const PERSON = "p.id, p.name, p.role, p.created, p.by, p.seen";

const one = <T>(rows: Iterable<T>): T | undefined => [...rows][0];
const countOf = (sql: Sql, table: string, where = "1", ...given: string[]): number =>
  sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`, ...given).one().n;

export const find = (sql: Sql, id: string): Person | undefined =>
  one(sql.exec<Person>(`SELECT ${PERSON} FROM people p WHERE id = ?`, id));

/** Finds a person by key. Cloudflare Access addresses must match exactly. */
export const withKey = (sql: Sql, key: string): Person | undefined =>
  one(sql.exec<Person>(`SELECT ${PERSON} FROM people p WHERE key = ?`, key));

export const list = (sql: Sql): Listed[] =>
  sql
    .exec<Person & { until: number | null }>(
      `SELECT ${PERSON}, i.expires AS until FROM people p LEFT JOIN invites i ON i.person = p.id ORDER BY p.key`,
    )
    .toArray()
    .map((person) => ({
      ...person,
      passkeys: passkeysOf(sql, person.id).map(({ id, name, created, used, synced }) => ({
        id,
        name,
        created,
        used,
        synced,
      })),
      recoveryCodes: countOf(sql, "recovery_codes", "person = ?", person.id),
    }));

const isTaken = (sql: Sql, name: string): boolean => {
  if (withKey(sql, keyOf(name))) return true;
  const look = lookOf(name);
  return sql
    .exec<{ name: string }>("SELECT name FROM people")
    .toArray()
    .some((one) => lookOf(one.name) === look);
};

export const add = (sql: Sql, { id, name, role, by }: NewPerson, now: number): "added" | "exists" | "full" => {
  if (isTaken(sql, name)) return "exists";
  if (countOf(sql, "people") >= MAX_PEOPLE) return "full";
  sql.exec(
    "INSERT INTO people (id, name, key, role, created, by) VALUES (?, ?, ?, ?, ?, ?)",
    id,
    name,
    keyOf(name),
    role,
    now,
    by,
  );
  sql.exec("INSERT OR IGNORE INTO first_listed (one, at) VALUES (1, ?)", now);
  return "added";
};

/** True after the first entry, even if empty now. */
export const wasListed = (sql: Sql): boolean => countOf(sql, "first_listed") > 0;

export const seen = (sql: Sql, id: string, now: number): void => {
  sql.exec("UPDATE people SET seen = ? WHERE id = ?", now, id);
};

export const setRole = (sql: Sql, id: string, role: Role): Person | undefined => {
  sql.exec("UPDATE people SET role = ? WHERE id = ?", role, id);
  const person = find(sql, id);
  if (person && role !== "owner") unlinkBy(sql, person);
  return person;
};

/** Removes a person with all access, including links for others. */
export const remove = (sql: Sql, id: string): Person | undefined => {
  const person = find(sql, id);
  if (!person) return undefined;
  for (const table of ["passkeys", "recovery_codes", "invites", "sessions"])
    sql.exec(`DELETE FROM ${table} WHERE person = ?`, id);
  sql.exec("DELETE FROM sessions WHERE via = 'access' AND who = ?", keyOf(person.name));
  unlinkBy(sql, person);
  sql.exec("DELETE FROM people WHERE id = ?", id);
  return person;
};

/** Creates a link; the previous one ends. */
export const link = (sql: Sql, person: string, hash: string, by: string, now: number): void => {
  unlink(sql, person);
  sql.exec("INSERT INTO invites (hash, person, by, expires) VALUES (?, ?, ?, ?)", hash, person, by, now + INVITE_MS);
};

export const unlink = (sql: Sql, person: string): void => {
  sql.exec("DELETE FROM invites WHERE person = ?", person);
};

/** A name belongs to one person and never changes. */
const unlinkBy = (sql: Sql, { name }: Person): void => {
  sql.exec("DELETE FROM invites WHERE by IN (?, ?)", name, keyOf(name));
};

export const invited = (sql: Sql, hash: string, now: number): Invited | undefined => {
  const found = one(
    sql.exec<Omit<Invited, "passkeys">>(
      `SELECT ${PERSON}, i.by AS invitedBy, i.expires FROM invites i JOIN people p ON p.id = i.person
       WHERE i.hash = ? AND i.expires > ?`,
      hash,
      now,
    ),
  );
  return (
    found && {
      ...found,
      passkeys: passkeysOf(sql, found.id).map(({ id, transports }) => ({ id, transports })),
    }
  );
};

export const passkeysOf = (sql: Sql, person: string): Passkey[] =>
  sql.exec<Passkey>("SELECT * FROM passkeys WHERE person = ? ORDER BY created, id", person).toArray();

export const passkey = (sql: Sql, id: string): { passkey: Passkey; person: Person } | undefined => {
  const found = one(sql.exec<Passkey>("SELECT * FROM passkeys WHERE id = ?", id));
  const person = found && find(sql, found.person);
  return person && { passkey: found, person };
};

/** Stores a passkey. Without a name it gets a number. */
export const addPasskey = (sql: Sql, person: string, newPasskey: NewPasskey, now: number): Passkey | NotAdded => {
  if (!find(sql, person)) return "gone";
  if (passkey(sql, newPasskey.id)) return "known";
  const count = countOf(sql, "passkeys", "person = ?", person);
  if (count >= MAX_PASSKEYS) return "full";
  const { id, publicKey, counter, transports, synced, name = `Passkey ${count + 1}` } = newPasskey;
  sql.exec(
    `INSERT INTO passkeys (id, person, publicKey, counter, transports, synced, name, created)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    person,
    publicKey,
    counter,
    transports,
    synced,
    name,
    now,
  );
  return { ...newPasskey, name, person, created: now, used: null };
};

/** Returns false for a stale counter; 0 does not count (WebAuthn, §6.1.1). */
export const usePasskey = (sql: Sql, id: string, counter: number, synced: number, now: number): boolean =>
  sql.exec(
    "UPDATE passkeys SET counter = ?2, synced = ?3, used = ?4 WHERE id = ?1 AND (counter < ?2 OR (counter = 0 AND ?2 = 0))",
    id,
    counter,
    synced,
    now,
  ).rowsWritten > 0;

export const removePasskey = (sql: Sql, id: string, person: string, but: string): void => {
  sql.exec("DELETE FROM passkeys WHERE id = ?", id);
  sql.exec("DELETE FROM sessions WHERE person = ? AND hash <> ?", person, but);
};

/** Ends codes, link and sessions after a passkey loss. */
export const shutOut = (sql: Sql, { id, name }: Person): void => {
  for (const table of ["recovery_codes", "invites", "sessions"]) sql.exec(`DELETE FROM ${table} WHERE person = ?`, id);
  sql.exec("DELETE FROM sessions WHERE via = 'access' AND who = ?", keyOf(name));
};

export const setRecoveryCodes = (sql: Sql, person: string, hashes: readonly string[]): void => {
  sql.exec("DELETE FROM recovery_codes WHERE person = ?", person);
  for (const hash of hashes) sql.exec("INSERT INTO recovery_codes (hash, person) VALUES (?, ?)", hash, person);
};

export const takeRecoveryCode = (sql: Sql, hash: string): Person | undefined => {
  const taken = one(sql.exec<{ person: string }>("DELETE FROM recovery_codes WHERE hash = ? RETURNING person", hash));
  return taken && find(sql, taken.person);
};
