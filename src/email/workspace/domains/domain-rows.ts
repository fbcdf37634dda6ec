import { DAY_MS } from "../../../lib/util/dates.ts";
import type { Finding } from "../../mail/dns/finding.ts";
import type { PublishedKey } from "../../mail/dns/records.ts";
import type { Standing } from "./state.ts";

/** Retention of retired key records, in ms: mail may wait for days before a check. */
export const RETIRED_MS = 7 * DAY_MS;

type Row = {
  n: number;
  id: string;
  name: string;
  state: Standing["state"];
  since: number;
  failing_since: number | null;
  is_default: number;
  checked_at: number | null;
  next_check: number | null;
  findings: string;
  created_at: number;
};

export type Domain = Standing & {
  n: number;
  id: string;
  name: string;
  isDefault: boolean;
  checkedAt: number | null;
  nextCheckAt: number | null;
  findings: Readonly<Record<string, Finding>>;
  createdAt: number;
};

export const recordKey = ({ type, host, value }: { type: string; host: string; value: string }): string =>
  `${type} ${host} ${value}`;

const domainOf = (row: Row): Domain => ({
  n: row.n,
  id: row.id,
  name: row.name,
  state: row.state,
  since: row.since,
  failingSince: row.failing_since,
  isDefault: row.is_default === 1,
  checkedAt: row.checked_at,
  nextCheckAt: row.next_check,
  findings: JSON.parse(row.findings) as Domain["findings"],
  createdAt: row.created_at,
});

export const readDomains = (sql: SqlStorage): Domain[] =>
  sql.exec<Row>("SELECT * FROM domains ORDER BY n").toArray().map(domainOf);

export const findDomain = (sql: SqlStorage, id: string): Domain | undefined =>
  sql.exec<Row>("SELECT * FROM domains WHERE id = ?", id).toArray().map(domainOf)[0];

export const defaultDomain = (sql: SqlStorage): Domain | undefined =>
  sql.exec<Row>("SELECT * FROM domains WHERE is_default = 1").toArray().map(domainOf)[0];

export const makeDefault = (sql: SqlStorage, n: number): void => {
  sql.exec("UPDATE domains SET is_default = (n = ?) WHERE is_default <> (n = ?)", n, n);
};

export type Key = PublishedKey & { createdAt: number; retiredAt: number | null };

/** Keys of a domain: signing, next, then retired ones. */
export const keysOf = (sql: SqlStorage, n: number): Key[] =>
  sql
    .exec<{
      selector: string;
      state: Key["state"];
      public_key: string;
      created_at: number;
      retired_at: number | null;
    }>(
      `SELECT selector, state, public_key, created_at, retired_at FROM dkim_keys WHERE domain = ?
       ORDER BY state = 'retired', state = 'next', created_at`,
      n,
    )
    .toArray()
    .map((row) => ({
      selector: row.selector,
      state: row.state,
      publicKey: row.public_key,
      createdAt: row.created_at,
      retiredAt: row.retired_at,
      ...(row.retired_at === null ? {} : { until: row.retired_at + RETIRED_MS }),
    }));

export type NewKey = { selector: string; publicKey: string; sealedKey: string };

export const addKey = (sql: SqlStorage, n: number, state: "next" | "active", key: NewKey, now: number): void => {
  sql.exec(
    "INSERT INTO dkim_keys (domain, selector, state, public_key, sealed_key, created_at) VALUES (?, ?, ?, ?, ?, ?)",
    n,
    key.selector,
    state,
    key.publicKey,
    key.sealedKey,
    now,
  );
};

/** Retires the former key and erases its private part. */
export const promoteKey = (sql: SqlStorage, n: number, selector: string, now: number): void => {
  sql.exec(
    "UPDATE dkim_keys SET state = 'retired', sealed_key = NULL, retired_at = ? WHERE domain = ? AND state = 'active'",
    now,
    n,
  );
  sql.exec("UPDATE dkim_keys SET state = 'active' WHERE domain = ? AND selector = ?", n, selector);
};
