import type { Refusal } from "../../../lib/contract/errors.ts";
import { DAY_MS, HOUR_MS, isoOf, isoOrNull } from "../../../lib/util/dates.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { type Chore, firstTime } from "../core/chore.ts";
import { type Context, wake } from "../core/context.ts";
import type { AdminHandlers } from "../core/handler.ts";
import { isTeam } from "./team.ts";

/** True for a valid key. The look-up by digest prevents timing leaks. */
export const isKey = (sql: SqlStorage, hash: string): boolean =>
  isTeam(sql) && sql.exec("SELECT 1 FROM api_keys WHERE hash = ? AND revoked_at IS NULL", hash).toArray().length > 0;

/** Records key use at most once an hour to save writes. */
export const noteUse = ({ sql, now }: Pick<Context, "sql" | "now">, hash: string): void => {
  sql.exec(
    "UPDATE api_keys SET last_used_at = ? WHERE hash = ? AND coalesce(last_used_at, 0) <= ?",
    now,
    hash,
    now - HOUR_MS,
  );
};

const MAX_KEYS = 1_000;
/** A revoked key is listed for 90 days. */
const REVOKED_MS = 90 * DAY_MS;

/** Deletes old revoked keys. */
export const chores: readonly Chore[] = [
  {
    next: (sql) => firstTime(sql, "SELECT min(revoked_at) AS at FROM api_keys") + REVOKED_MS,
    run: (sql, now, limit) => {
      sql.exec(
        "DELETE FROM api_keys WHERE hash IN (SELECT hash FROM api_keys WHERE revoked_at <= ? LIMIT ?)",
        now - REVOKED_MS,
        limit,
      );
    },
  },
];

const createKey = (
  { sql, now, id }: Context,
  { hash, prefix, name }: AdminInput<"keys.create">,
): { status: 201; body: unknown } | { refusal: Refusal } => {
  const { count } = sql.exec<{ count: number }>("SELECT count(*) AS count FROM api_keys").one();
  if (count >= MAX_KEYS) {
    const message = `The team has ${MAX_KEYS} API keys, those revoked in the last 90 days included. Use one of them.`;
    return { refusal: { code: "too_many_keys", message } };
  }
  const key = id("key");
  sql.exec(
    "INSERT INTO api_keys (hash, id, prefix, name, created_at) VALUES (?, ?, ?, ?, ?)",
    hash,
    key,
    prefix,
    name,
    now,
  );
  return { status: 201, body: { success: true, id: key } };
};

type Row = {
  id: string;
  prefix: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
};

/** Lists all keys, also revoked, newest first, without hashes. */
const listKeys = ({ sql }: Context) => {
  const rows = sql
    .exec<Row>(
      "SELECT id, prefix, name, created_at, last_used_at, revoked_at FROM api_keys ORDER BY created_at DESC, id",
    )
    .toArray();
  const data = rows.map(({ id, prefix, name, created_at, last_used_at, revoked_at }) => ({
    id,
    prefix,
    name,
    createdAt: isoOf(created_at),
    lastUsedAt: isoOrNull(last_used_at),
    revokedAt: isoOrNull(revoked_at),
  }));
  return { body: { data } };
};

/** Revokes a key from the next request; repetition changes nothing. */
const revokeKey = (
  context: Context,
  { keyId }: AdminInput<"keys.revoke">,
): { body: unknown } | { refusal: Refusal } => {
  const { sql, now } = context;
  wake(context, now + REVOKED_MS);
  const found = sql
    .exec("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? RETURNING id", now, keyId)
    .toArray();
  if (found.length > 0) return { body: { success: true } };
  const message = `There is no API key with the id "${keyId}" in this team. GET /admin/teams/{team}/keys lists them.`;
  return { refusal: { code: "not_found", path: "keyId", message } };
};

export const keys: AdminHandlers<"keys"> = { list: listKeys, create: createKey, revoke: revokeKey };
