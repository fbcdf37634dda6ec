import type { Accepted, Call, Journalled, Lane } from "./types.ts";

type Row = {
  seq: number;
  source: string;
  event_id: string;
  type: string;
  occurred_at: number;
  rank: number;
  test: number;
  body: string;
  secret_paths: string | null;
  outcomes: string;
  calls: string;
};

const parse = (row: Row): Journalled => ({
  seq: row.seq,
  source: row.source,
  eventId: row.event_id,
  type: row.type,
  occurredAt: row.occurred_at,
  rank: row.rank,
  test: row.test === 1,
  body: row.body,
  secretPaths: JSON.parse(row.secret_paths ?? "[]") as string[],
  outcomes: JSON.parse(row.outcomes) as Journalled["outcomes"],
  calls: JSON.parse(row.calls) as Call[],
});

/** The id of a webhook as it is shown: `wh_` and its `seq` in base 36. */
export const idOf = (seq: number): string => `wh_${seq.toString(36)}`;
export const seqOf = (id: string): number | undefined => {
  const match = /^wh_([0-9a-z]{1,11})$/.exec(id);
  const seq = match?.[1] ? Number.parseInt(match[1], 36) : Number.NaN;
  return Number.isSafeInteger(seq) ? seq : undefined;
};
/** When a webhook was accepted, Unix ms. */
export const acceptedAt = (seq: number): number => Math.floor(seq / 1000);

export const laneOf = (call: Pick<Call, "action"> & { urgent?: boolean }): Lane =>
  call.action === "transactional" ? (call.urgent ? "urgent" : "transactional") : call.action;

export const isOpen = (call: Pick<Call, "state">): boolean => call.state === "waiting" || call.state === "sending";

export const read = (sql: SqlStorage, seq: number): Journalled | undefined => {
  const row = sql.exec<Row>("SELECT * FROM webhooks WHERE seq = ?", seq).toArray()[0];
  return row && parse(row);
};

/** The webhook of an event, if it was accepted before. */
export const find = (sql: SqlStorage, source: string, eventId: string): Journalled | undefined => {
  const row = sql.exec<Row>("SELECT * FROM webhooks WHERE source = ? AND event_id = ?", source, eventId).toArray()[0];
  return row && parse(row);
};

/** Webhooks newest first, before `before` (exclusive), without their bodies: many large ones would be too much at once. */
export const list = (sql: SqlStorage, before: number, limit: number): Journalled[] =>
  sql
    .exec<Row>(
      `SELECT seq, source, event_id, type, occurred_at, rank, test, '' AS body, secret_paths, outcomes, calls
       FROM webhooks WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
      before,
      limit,
    )
    .toArray()
    .map(parse);

/** Every webhook with an undecided call, oldest first, as few columns as the queue needs. */
export const open = (sql: SqlStorage): { seq: number; calls: Call[] }[] =>
  sql
    .exec<{ seq: number; calls: string }>(
      "SELECT seq, calls FROM webhooks INDEXED BY webhooks_open WHERE open = 1 ORDER BY seq",
    )
    .toArray()
    .map((row) => ({ seq: row.seq, calls: JSON.parse(row.calls) as Call[] }));

export const newest = (sql: SqlStorage): number =>
  sql.exec<{ seq: number | null }>("SELECT max(seq) AS seq FROM webhooks").one().seq ?? 0;
export const oldest = (sql: SqlStorage): number | undefined =>
  sql.exec<{ seq: number | null }>("SELECT min(seq) AS seq FROM webhooks").one().seq ?? undefined;

export const insert = (sql: SqlStorage, seq: number, webhook: Accepted, calls: Call[]): void => {
  const open = calls.some(isOpen);
  // One-time secrets stay only as long as a call may need them: a webhook that nobody has a rule for keeps none.
  const { body, kept } =
    open || webhook.secretPaths.length === 0
      ? { body: webhook.raw, kept: webhook.secretPaths }
      : { body: withoutSecrets(webhook.raw, webhook.secretPaths), kept: [] };
  sql.exec(
    `INSERT INTO webhooks (seq, source, event_id, type, occurred_at, rank, test, body, secret_paths, outcomes, calls, open)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[seq, webhook.source, webhook.eventId, webhook.type, webhook.occurredAt, webhook.rank, webhook.test ? 1 : 0],
    ...[body, kept.length > 0 ? JSON.stringify(kept) : null],
    ...[JSON.stringify(webhook.outcomes), JSON.stringify(calls), open ? 1 : 0],
  );
};

/** A digest that is older than its 24 h gives its place up: the same text is a new event then. */
export const retireDigest = (sql: SqlStorage, seq: number, eventId: string): void => {
  sql.exec("UPDATE webhooks SET event_id = ? WHERE seq = ?", `${eventId}@${seq}`, seq);
};

/** Writes the calls of a webhook back: one row. One-time secrets are erased with the write that settles the last call. */
export const save = (sql: SqlStorage, webhook: Journalled): void => {
  if (webhook.calls.some(isOpen)) {
    // `open` is left alone: naming it here would write its index too, one more row for every try.
    sql.exec("UPDATE webhooks SET calls = ? WHERE seq = ?", JSON.stringify(webhook.calls), webhook.seq);
    return;
  }
  if (webhook.secretPaths.length === 0) {
    sql.exec("UPDATE webhooks SET calls = ?, open = 0 WHERE seq = ?", JSON.stringify(webhook.calls), webhook.seq);
    return;
  }
  const body: unknown = JSON.parse(webhook.body);
  const secrets = secretsAt(body, webhook.secretPaths);
  const calls = webhook.calls.map((call) => ({
    ...erase(call, secrets),
    // A short code may by chance stand in these too, and they must stay what they are.
    ...{ key: call.key, rule: call.rule, action: call.action, state: call.state },
  }));
  sql.exec(
    "UPDATE webhooks SET calls = ?, body = ?, secret_paths = NULL, open = 0 WHERE seq = ?",
    ...[JSON.stringify(calls), JSON.stringify(erase(body, secrets)), webhook.seq],
  );
};

/** The strings at dotted paths, plain and as they stand in a URL, longest first. */
const secretsAt = (body: unknown, paths: readonly string[]): string[] => {
  const at = (path: string) =>
    path.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], body);
  const values = paths.map(at).filter((value) => typeof value === "string" && value !== "") as string[];
  return [...new Set(values.flatMap((value) => [value, encodeURIComponent(value)]))].sort(
    (a, b) => b.length - a.length,
  );
};

const withoutSecrets = (raw: string, paths: readonly string[]): string => {
  const body: unknown = JSON.parse(raw);
  return JSON.stringify(erase(body, secretsAt(body, paths)));
};

/** The same value with every secret in every string replaced. */
const erase = <T>(value: T, secrets: readonly string[]): T =>
  JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === "string" ? secrets.reduce((text, secret) => text.replaceAll(secret, "[erased]"), part) : part,
    ),
  ) as T;

/** Deletes decided webhooks accepted before `before` (Unix ms), at most `limit`: one row each. Undecided ones stay. */
export const purge = (sql: SqlStorage, before: number, limit: number): number =>
  sql.exec(
    "DELETE FROM webhooks WHERE seq IN (SELECT seq FROM webhooks WHERE seq < ? AND open = 0 ORDER BY seq LIMIT ?)",
    ...[before * 1000, limit],
  ).rowsWritten;
