import { DurableObject } from "cloudflare:workers";
import {
  type AuditFilter,
  type AuditPage,
  type Entry,
  noteOnce,
  purgeAudit,
  readAudit,
} from "../../lib/audit/entries.ts";
import type { Role } from "../../lib/contract/access.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/util/dates.ts";
import { migrate, schemaVersion } from "../../lib/util/migrate.ts";
import { ATTEMPTS_MS, attempt, type Counted } from "./logins/attempts.ts";
import * as people from "./logins/people.ts";
import { addRefused, type RefusedLogin } from "./logins/refused.ts";
import { schema } from "./logins/schema.ts";

/** Total and idle lifetimes in ms. */
export const SESSION_MS = 12 * HOUR_MS;
const IDLE_MS = 2 * HOUR_MS;
/** Milliseconds; reads must not write a row each time. */
const SEEN_MS = 10 * MINUTE_MS;
/** Validity of a proof in ms. */
export const PROOF_MS = 15 * MINUTE_MS;
/** Entries of the audit that one alarm deletes. */
const PURGED = 5_000;
const MORE_MS = 1_000;
export const MAX_VIEWS = 100;

/** A session. `person` is null without list entry; times are Unix ms. */
export type Session = {
  n: number;
  hash: string;
  who: string;
  role: Role;
  person: string | null;
  via: Via;
  created: number;
  seen: number;
  proved: number;
  expires: number;
};

export type Via = "token" | "code" | "access" | "passkey" | "recovery";

/** The current role applies. A new entry applies to Cloudflare Access sessions by address. */
const SESSIONS = `SELECT s.n, s.hash, s.who, coalesce(p.role, s.role) AS role, p.id AS person, s.via, s.created, s.seen, s.proved, s.expires
  FROM sessions s LEFT JOIN people p ON p.id = s.person OR (s.via = 'access' AND p.key = s.who)
  WHERE (s.person IS NULL OR p.id IS NOT NULL)`;

/** A saved page; `at` is Unix ms. */
export type View = { name: string; path: string; who: string; at: number };

const endOf = ({ seen, expires }: Pick<Session, "seen" | "expires">): number => Math.min(expires, seen + IDLE_MS);

/** Stores logins, audit, people and views in one object, "main". */
export class Logins extends DurableObject {
  readonly #sql = this.ctx.storage.sql;

  constructor(state: DurableObjectState, env: object) {
    super(state, env as never);
    migrate(state.storage, schema);
  }

  /** All attempts count at once, so that parallel ones cannot bypass the limit. */
  async attempt(address: string, now: number): Promise<Counted> {
    const counted = attempt(this.#sql, address, now);
    await this.#purgeLater(now);
    return counted;
  }

  /** Removes a successful attempt. Failed ones stay, so that a login permits no further guesses. */
  async dropAttempt(n: number): Promise<void> {
    this.#sql.exec("DELETE FROM attempts WHERE n = ?", n);
  }

  /** True for the first use of a code. `hash` is its SHA-256. */
  async takeCode(hash: string, now: number): Promise<boolean> {
    return this.#sql.exec("INSERT OR IGNORE INTO used_codes (hash, at) VALUES (?, ?)", hash, now).rowsWritten > 0;
  }

  /** True if used in the last day or two. `hash` is SHA-256. */
  async wasUsed(hash: string): Promise<boolean> {
    return this.#sql.exec("SELECT 1 FROM used_codes WHERE hash = ?", hash).toArray().length > 0;
  }

  async open(
    { hash, who, role, proved, via, person }: Pick<Session, "hash" | "who" | "role" | "proved" | "via" | "person">,
    now: number,
  ) {
    const expires = now + SESSION_MS;
    this.#sql.exec(
      `INSERT INTO sessions (hash, who, role, created, seen, proved, expires, person, via)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      hash,
      who,
      role,
      now,
      now,
      proved,
      expires,
      person,
      via,
    );
    if (person !== null) people.seen(this.#sql, person, now);
    await this.#purgeLater(now);
    return { who, role, expires };
  }

  async find(hash: string, now: number): Promise<Session | undefined> {
    const [session] = this.#sql.exec<Session>(`${SESSIONS} AND s.hash = ?`, hash).toArray();
    if (!session) return undefined;
    if (endOf(session) <= now) {
      this.#sql.exec("DELETE FROM sessions WHERE n = ?", session.n);
      return undefined;
    }
    if (now - session.seen >= SEEN_MS) {
      this.#sql.exec("UPDATE sessions SET seen = ? WHERE n = ?", now, session.n);
      if (session.person !== null) people.seen(this.#sql, session.person, now);
    }
    return session;
  }

  async prove(hash: string, at: number): Promise<void> {
    this.#sql.exec("UPDATE sessions SET proved = max(proved, ?) WHERE hash = ?", at, hash);
  }

  /** Ends one session, or all. */
  async close(hash: string | undefined): Promise<void> {
    if (hash === undefined) this.#sql.exec("DELETE FROM sessions");
    else this.#sql.exec("DELETE FROM sessions WHERE hash = ?", hash);
  }

  async closeOf(who: string): Promise<void> {
    this.#sql.exec("DELETE FROM sessions WHERE who = ?", who);
  }

  async list(now: number): Promise<Session[]> {
    return this.#sql
      .exec<Session>(`${SESSIONS} ORDER BY s.n DESC LIMIT 200`)
      .toArray()
      .filter((session) => endOf(session) > now);
  }

  /** `request`: a random id. A repetition changes nothing. */
  async note(entry: Entry, request: string): Promise<void> {
    noteOnce(this.#sql, entry, request);
    await this.#purgeLater(entry.at);
  }

  /** Counts refusals in a bounded number of entries. */
  async noteRefused(login: RefusedLogin): Promise<void> {
    addRefused(this.#sql, login);
    await this.#purgeLater(login.at);
  }

  /** Returns entries before number `before`, newest first. */
  async audit(filter: AuditFilter, now: number): Promise<AuditPage> {
    return readAudit(this.#sql, filter, now);
  }

  async views(): Promise<View[]> {
    return this.#sql.exec<View>("SELECT * FROM views ORDER BY name").toArray();
  }

  /** Saves or overwrites; false if there are too many. */
  async saveView({ name, path, who, at }: View): Promise<boolean> {
    return (
      this.#sql.exec(
        `INSERT INTO views (name, path, who, at) SELECT ?1, ?2, ?3, ?4
         WHERE (SELECT count(*) FROM views) < ?5 OR EXISTS (SELECT 1 FROM views WHERE name = ?1)
         ON CONFLICT (name) DO UPDATE SET path = excluded.path, who = excluded.who, at = excluded.at`,
        name,
        path,
        who,
        at,
        MAX_VIEWS,
      ).rowsWritten > 0
    );
  }

  async deleteView(name: string): Promise<boolean> {
    return this.#sql.exec("DELETE FROM views WHERE name = ?", name).rowsWritten > 0;
  }

  async people(): Promise<people.Listed[]> {
    return people.list(this.#sql);
  }

  /** Expects an address in lower case. */
  async personNamed(address: string): Promise<people.Person | undefined> {
    return people.withKey(this.#sql, address);
  }

  async wasListed(): Promise<boolean> {
    return people.wasListed(this.#sql);
  }

  /** Invites a person. `inviter` also gets an entry. */
  async invite(
    person: people.NewPerson,
    hash: string,
    now: number,
    inviter?: people.NewPerson,
  ): Promise<"added" | "exists" | "full"> {
    const added = people.add(this.#sql, person, now);
    if (added === "added") people.link(this.#sql, person.id, hash, person.by, now);
    if (added === "added" && inviter) people.add(this.#sql, inviter, now);
    await this.#purgeLater(now);
    return added;
  }

  async inviteAgain(id: string, hash: string, by: string, now: number): Promise<people.Person | undefined> {
    const person = people.find(this.#sql, id);
    if (person) people.link(this.#sql, id, hash, by, now);
    await this.#purgeLater(now);
    return person;
  }

  /** Returns undefined if the link was used, replaced or expired. */
  async invited(hash: string, now: number): Promise<people.Invited | undefined> {
    return people.invited(this.#sql, hash, now);
  }

  async accept(hash: string, passkey: people.NewPasskey, now: number): Promise<people.Person | people.NotAdded> {
    const invited = people.invited(this.#sql, hash, now);
    if (!invited) return "gone";
    const added = people.addPasskey(this.#sql, invited.id, passkey, now);
    if (typeof added === "string") return added;
    people.unlink(this.#sql, invited.id);
    this.#sql.exec("INSERT OR IGNORE INTO used_codes (hash, at) VALUES (?, ?)", hash, now);
    return invited;
  }

  async setRole(id: string, role: Role): Promise<people.Person | undefined> {
    return people.setRole(this.#sql, id, role);
  }

  async removePerson(id: string): Promise<people.Person | undefined> {
    return people.remove(this.#sql, id);
  }

  async passkeys(person: string): Promise<people.Passkey[]> {
    return people.passkeysOf(this.#sql, person);
  }

  /** Returns undefined if unknown or revoked. */
  async passkey(id: string): Promise<{ passkey: people.Passkey; person: people.Person } | undefined> {
    return people.passkey(this.#sql, id);
  }

  async addPasskey(person: string, passkey: people.NewPasskey, now: number): Promise<people.Passkey | people.NotAdded> {
    return people.addPasskey(this.#sql, person, passkey, now);
  }

  /** Returns false if the counter did not increase: a copy exists. */
  async usePasskey(id: string, counter: number, synced: number, now: number): Promise<boolean> {
    return people.usePasskey(this.#sql, id, counter, synced, now);
  }

  /** Revokes a passkey and sessions except `but`. If `by` is another person, codes and link end too. */
  async removePasskey(id: string, person: people.Person, but: string, by: string | null): Promise<void> {
    people.removePasskey(this.#sql, id, person.id, but);
    if (person.id !== by) people.shutOut(this.#sql, person);
  }

  /** `hashes` are SHA-256. */
  async setRecoveryCodes(person: string, hashes: readonly string[]): Promise<void> {
    people.setRecoveryCodes(this.#sql, person, hashes);
  }

  async takeRecoveryCode(hash: string): Promise<people.Person | undefined> {
    return people.takeRecoveryCode(this.#sql, hash);
  }

  /** With `write`, sets the alarm again, which is a write. `alarm`: Unix ms. */
  async pulse(now: number, write: boolean): Promise<{ schema: number; bytes: number; alarm: number | null }> {
    const { storage } = this.ctx;
    if (write) {
      await storage.setAlarm((await storage.getAlarm()) ?? now + DAY_MS);
      await storage.sync();
    }
    return { schema: schemaVersion(this.#sql), bytes: this.#sql.databaseSize, alarm: await storage.getAlarm() };
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#sql.exec("DELETE FROM sessions WHERE expires <= ? OR seen <= ?", now, now - IDLE_MS);
    this.#sql.exec("DELETE FROM attempts WHERE at <= ?", now - ATTEMPTS_MS);
    const isMore = purgeAudit(this.#sql, now, PURGED) === PURGED;
    this.#sql.exec("DELETE FROM refused_logins WHERE at <= ?", now - DAY_MS);
    this.#sql.exec("DELETE FROM used_codes WHERE at <= ?", now - DAY_MS);
    this.#sql.exec("DELETE FROM invites WHERE expires <= ?", now);
    const left = this.#sql.exec(
      `SELECT 1 FROM sessions UNION ALL SELECT 1 FROM attempts UNION ALL SELECT 1 FROM audit UNION ALL SELECT 1 FROM invites
       LIMIT 1`,
    );
    if (left.toArray().length > 0) await this.ctx.storage.setAlarm(now + (isMore ? MORE_MS : DAY_MS));
  }

  async #purgeLater(now: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + DAY_MS);
  }
}
