import { DAY_MS } from "../../../lib/util/dates.ts";
import { type Breaker, readGuard } from "./breaker.ts";
import type { Ceiling } from "./ceiling.ts";
import type { Warmup } from "./warmup.ts";

/** `kind`: an account at a mail provider, or a recipient domain. */
export type CeilingName = { mailClass: string; kind: "account" | "domain"; destination: string };

export type OpenBreaker = Breaker & { uses: readonly string[] };

const nameOf = ({ mailClass, kind, destination }: CeilingName): string => `ceiling ${mailClass} ${kind} ${destination}`;
const breakerName = (route: string): string => `breaker ${route}`;

const write = (sql: SqlStorage, name: string, state: object, keptUntil: number): void => {
  sql.exec(
    "INSERT OR REPLACE INTO limits (name, state, kept_until) VALUES (?, ?, ?)",
    name,
    JSON.stringify(state),
    keptUntil,
  );
};

const erase = (sql: SqlStorage, name: string): void => {
  sql.exec("DELETE FROM limits WHERE name = ?", name);
};

export const writeCeiling = (sql: SqlStorage, name: CeilingName, state: Ceiling, keptUntil: number): void =>
  write(sql, nameOf(name), state, keptUntil);
export const eraseCeiling = (sql: SqlStorage, name: CeilingName): void => erase(sql, nameOf(name));

/** An unused breaker is deleted after a week or a day, because no mail waits longer. */
const KEPT_MS = { sender: 7 * DAY_MS, settings: DAY_MS };
export const writeBreaker = (sql: SqlStorage, name: string, state: OpenBreaker, now: number): void =>
  write(sql, breakerName(name), state, now + KEPT_MS[readGuard(name).domain === undefined ? "sender" : "settings"]);
export const eraseBreaker = (sql: SqlStorage, route: string): void => erase(sql, breakerName(route));

const rowsOf = (sql: SqlStorage, kind: string, now: number): { name: string; state: string }[] =>
  sql
    .exec<{ name: string; state: string }>(
      "SELECT name, state FROM limits WHERE name > ? AND name < ? AND kept_until > ? ORDER BY name",
      `${kind} `,
      `${kind}!`,
      now,
    )
    .toArray();

export const readCeilings = (sql: SqlStorage, now: number): { name: CeilingName; ceiling: Ceiling }[] =>
  rowsOf(sql, "ceiling", now).map(({ name, state }) => {
    const [, mailClass = "", kind, ...destination] = name.split(" ");
    const ceiling = JSON.parse(state) as Ceiling;
    return {
      name: { mailClass, kind: kind === "domain" ? kind : "account", destination: destination.join(" ") },
      ceiling,
    };
  });

export const readBreakers = (sql: SqlStorage, now: number): { route: string; breaker: OpenBreaker }[] =>
  rowsOf(sql, "breaker", now).map(({ name, state }) => ({
    route: name.slice("breaker ".length),
    breaker: JSON.parse(state) as OpenBreaker,
  }));

/** Row numbers of mails to recheck; rows before `next` are done. */
export type Recheck = { next: number; last: number };

const recheckName = (domain: string): string => `recheck ${domain}`;
export const writeRecheck = (sql: SqlStorage, domain: string, state: Recheck, keptUntil: number): void =>
  write(sql, recheckName(domain), state, keptUntil);
export const eraseRecheck = (sql: SqlStorage, domain: string): void => erase(sql, recheckName(domain));
export const readRechecks = (sql: SqlStorage, now: number): { domain: string; recheck: Recheck }[] =>
  rowsOf(sql, "recheck", now).map(({ name, state }) => ({
    domain: name.slice(recheckName("").length),
    recheck: JSON.parse(state) as Recheck,
  }));

type WarmupRow = {
  name: string;
  step: number;
  day: number;
  marketing: number;
  transactional: number;
  caps_transactional: number;
};

/** Returns warm-ups by sending domain. A domain without a warm-up is warm. */
export const readWarmups = (sql: SqlStorage): Map<string, Warmup> =>
  new Map(
    sql
      .exec<WarmupRow>("SELECT * FROM warmups")
      .toArray()
      .map(({ name, caps_transactional, ...counts }) => [
        name,
        { ...counts, capsTransactional: caps_transactional === 1 },
      ]),
  );

export const writeWarmup = (sql: SqlStorage, name: string, warmup: Warmup): void => {
  const { step, day, marketing, transactional, capsTransactional } = warmup;
  sql.exec(
    `INSERT OR REPLACE INTO warmups (name, step, day, marketing, transactional, caps_transactional)
     VALUES (?, ?, ?, ?, ?, ?)`,
    name,
    step,
    day,
    marketing,
    transactional,
    capsTransactional ? 1 : 0,
  );
};

export const eraseWarmup = (sql: SqlStorage, name: string): void => {
  sql.exec("DELETE FROM warmups WHERE name = ?", name);
};
