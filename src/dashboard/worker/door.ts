import { DurableObject } from "cloudflare:workers";
import type { Role } from "../../lib/contract/admin/dashboard.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/util/dates.ts";
import { type Migration, migrate } from "../../lib/util/migrate.ts";

/** How long a session lives, and how long without a request, in ms. */
export const SESSION_MS = 12 * HOUR_MS;
const IDLE_MS = 2 * HOUR_MS;
/** `seen` is written at most this often, in ms: reading pages must not write a row each time. */
const SEEN_MS = 10 * MINUTE_MS;
/** How long after a login acts that cannot be undone are allowed, in ms. */
export const PROOF_MS = 15 * MINUTE_MS;
/** Most attempts of one address to log in, in ms. */
const ATTEMPTS = 10;
const ATTEMPTS_MS = 15 * MINUTE_MS;
const AUDIT_MS = 90 * DAY_MS;
const AUDIT_PAGE = 50;
/** Most saved views. */
export const MAX_VIEWS = 100;

const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: [
      // hash: SHA-256 of the secret in the cookie. proved: when the person last gave the token. Times are Unix ms. Kept until it expires.
      `CREATE TABLE sessions (
        n INTEGER PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        who TEXT NOT NULL,
        role TEXT NOT NULL,
        created INTEGER NOT NULL,
        seen INTEGER NOT NULL,
        proved INTEGER NOT NULL,
        expires INTEGER NOT NULL
      ) STRICT`,
      // Attempts to log in. address: where from. Kept 15 minutes.
      "CREATE TABLE attempts (n INTEGER PRIMARY KEY, address TEXT NOT NULL, at INTEGER NOT NULL) STRICT",
      "CREATE INDEX attempts_address ON attempts (address, at)",
      // SHA-256 of codes that were used. Kept 1 day: a code is good for 10 minutes.
      "CREATE TABLE used_codes (hash TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID",
      // Requests that changed something. ids: JSON. Kept 90 days.
      `CREATE TABLE audit (
        n INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        who TEXT NOT NULL,
        operation TEXT NOT NULL,
        ids TEXT NOT NULL,
        status INTEGER NOT NULL
      ) STRICT`,
      // Pages with their filters, under names. who: who saved it last. at: Unix ms. Kept until a person deletes it.
      `CREATE TABLE views (
        name TEXT PRIMARY KEY,
        path TEXT NOT NULL,
        who TEXT NOT NULL,
        at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    ],
  },
];

/** A session. Times are Unix ms. */
export type Session = {
  n: number;
  hash: string;
  who: string;
  role: Role;
  created: number;
  seen: number;
  proved: number;
  expires: number;
};

/** A request that changed something. `at`: Unix ms. `ids`: parameters of its path. */
export type Entry = { at: number; who: string; operation: string; ids: Record<string, string>; status: number };

/** Entries that are shown. `who`: without regard to the case of ASCII letters. `operation`: its beginning. `since` is included, `until` is not, in Unix ms. `before`: the number of an entry. */
type AuditFilter = Partial<Record<"who" | "operation", string | undefined>> &
  Partial<Record<"since" | "until" | "before", number | undefined>>;

/** A page with its filters, under a name. `at`: when it was saved, in Unix ms. */
export type View = { name: string; path: string; who: string; at: number };

const endOf = ({ seen, expires }: Pick<Session, "seen" | "expires">): number => Math.min(expires, seen + IDLE_MS);

/** Who is logged in, who tried to, who changed what, and the views that people saved. There is one, with the name "main". */
export class Door extends DurableObject {
  readonly #sql = this.ctx.storage.sql;

  constructor(state: DurableObjectState, env: object) {
    super(state, env as never);
    migrate(state.storage, migrations);
  }

  /**
   * Counts an attempt to log in. All count: attempts at the same time must not slip through.
   *
   * @returns how long this address has to wait, in ms; 0 when it may try
   */
  async attempt(address: string, now: number): Promise<number> {
    const recent = this.#sql
      .exec<{ at: number }>(
        "SELECT at FROM attempts WHERE address = ? AND at > ? ORDER BY at DESC LIMIT ?",
        ...[address, now - ATTEMPTS_MS, ATTEMPTS],
      )
      .toArray();
    const oldest = recent[ATTEMPTS - 1];
    if (oldest) return oldest.at + ATTEMPTS_MS - now;
    this.#sql.exec("INSERT INTO attempts (address, at) VALUES (?, ?)", address, now);
    await this.#purgeLater(now);
    return 0;
  }

  /** True for the first use of a code. `hash`: its SHA-256. */
  async takeCode(hash: string, now: number): Promise<boolean> {
    return this.#sql.exec("INSERT OR IGNORE INTO used_codes VALUES (?, ?)", hash, now).rowsWritten > 0;
  }

  /** Opens a session, and forgets the attempts of that address. `proved`: when the person proved who they are. */
  async open(
    { hash, who, role, proved, address }: Pick<Session, "hash" | "who" | "role" | "proved"> & { address: string },
    now: number,
  ) {
    this.#sql.exec("DELETE FROM attempts WHERE address = ?", address);
    const expires = now + SESSION_MS;
    this.#sql.exec(
      "INSERT INTO sessions (hash, who, role, created, seen, proved, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ...[hash, who, role, now, now, proved, expires],
    );
    await this.#purgeLater(now);
    return { who, role, expires };
  }

  /** The session with this hash, unless it is over. */
  async find(hash: string, now: number): Promise<Session | undefined> {
    const [session] = this.#sql.exec<Session>("SELECT * FROM sessions WHERE hash = ?", hash).toArray();
    if (!session) return undefined;
    if (endOf(session) <= now) {
      this.#sql.exec("DELETE FROM sessions WHERE n = ?", session.n);
      return undefined;
    }
    if (now - session.seen >= SEEN_MS) this.#sql.exec("UPDATE sessions SET seen = ? WHERE n = ?", now, session.n);
    return session;
  }

  /** The person of a session has proved once more, at `at`, who they are. */
  async prove(hash: string, address: string, at: number): Promise<void> {
    this.#sql.exec("DELETE FROM attempts WHERE address = ?", address);
    this.#sql.exec("UPDATE sessions SET proved = max(proved, ?) WHERE hash = ?", at, hash);
  }

  /** Ends one session, or all of them. */
  async close(hash: string | undefined): Promise<void> {
    if (hash === undefined) this.#sql.exec("DELETE FROM sessions");
    else this.#sql.exec("DELETE FROM sessions WHERE hash = ?", hash);
  }

  /** Sessions that are not over, newest first. */
  async list(now: number): Promise<Session[]> {
    return this.#sql
      .exec<Session>("SELECT * FROM sessions ORDER BY n DESC LIMIT 200")
      .toArray()
      .filter((session) => endOf(session) > now);
  }

  async note({ at, who, operation, ids, status }: Entry): Promise<void> {
    this.#sql.exec(
      "INSERT INTO audit (at, who, operation, ids, status) VALUES (?, ?, ?, ?, ?)",
      ...[at, who, operation, JSON.stringify(ids), status],
    );
    await this.#purgeLater(at);
  }

  /** Entries of the audit before the one with the number `before`, newest first. `next`: where the next page begins. */
  async audit(
    { who, operation, since = 0, until, before }: AuditFilter,
    now: number,
  ): Promise<{ entries: (Entry & { n: number })[]; next: number | undefined }> {
    const rows = this.#sql
      .exec<Omit<Entry, "ids"> & { n: number; ids: string }>(
        `SELECT * FROM audit WHERE n < ?1 AND at > ?2 AND at >= ?3 AND at < ?4 AND (?5 IS NULL OR who = ?5 COLLATE NOCASE)
           AND (?6 IS NULL OR substr(operation, 1, length(?6)) = ?6) ORDER BY n DESC LIMIT ?7`,
        ...[before ?? Number.MAX_SAFE_INTEGER, now - AUDIT_MS, since, until ?? Number.MAX_SAFE_INTEGER],
        ...[who ?? null, operation ?? null, AUDIT_PAGE + 1],
      )
      .toArray();
    const shown = rows.slice(0, AUDIT_PAGE);
    return {
      entries: shown.map(({ ids, ...rest }) => ({ ...rest, ids: JSON.parse(ids) as Entry["ids"] })),
      next: rows.length > AUDIT_PAGE ? shown.at(-1)?.n : undefined,
    };
  }

  /** The saved views, by name. */
  async views(): Promise<View[]> {
    return this.#sql.exec<View>("SELECT * FROM views ORDER BY name").toArray();
  }

  /** Saves a view, also over one with the same name. False where there are too many. */
  async saveView({ name, path, who, at }: View): Promise<boolean> {
    return (
      this.#sql.exec(
        `INSERT INTO views SELECT ?1, ?2, ?3, ?4
         WHERE (SELECT count(*) FROM views) < ?5 OR EXISTS (SELECT 1 FROM views WHERE name = ?1)
         ON CONFLICT (name) DO UPDATE SET path = excluded.path, who = excluded.who, at = excluded.at`,
        ...[name, path, who, at, MAX_VIEWS],
      ).rowsWritten > 0
    );
  }

  /** False where there is no view with this name. */
  async deleteView(name: string): Promise<boolean> {
    return this.#sql.exec("DELETE FROM views WHERE name = ?", name).rowsWritten > 0;
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#sql.exec("DELETE FROM sessions WHERE expires <= ? OR seen <= ?", now, now - IDLE_MS);
    this.#sql.exec("DELETE FROM attempts WHERE at <= ?", now - ATTEMPTS_MS);
    this.#sql.exec("DELETE FROM audit WHERE at <= ?", now - AUDIT_MS);
    this.#sql.exec("DELETE FROM used_codes WHERE at <= ?", now - DAY_MS);
    const left = this.#sql.exec(
      "SELECT 1 FROM sessions UNION ALL SELECT 1 FROM attempts UNION ALL SELECT 1 FROM audit LIMIT 1",
    );
    if (left.toArray().length > 0) await this.ctx.storage.setAlarm(now + DAY_MS);
  }

  async #purgeLater(now: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + DAY_MS);
  }
}
