import { log } from "../../lib/util/log.ts";
import { idOf, isOpen } from "../model/calls.ts";
import { type Call, type Journalled, lanes, type PlannedWebhook } from "../model/types.ts";
import { erase, eraseBody, eraseCall, secretsAt } from "./secrets.ts";

type Row = {
  seq: number;
  source: string;
  event_id: string;
  type: string;
  occurred_at: number;
  rank: number;
  test: number;
  secret_paths: string | null;
  calls: string;
  /** Absent where it was not asked for: bodies are large. */
  body?: string;
  outcomes?: string;
};

const WITHOUT_BODY = "seq, source, event_id, type, occurred_at, rank, test, secret_paths, calls";

/** A row whose JSON is damaged is no reason to stop: it has no calls and no body then, and says so. */
const parse = (row: Row): Journalled => {
  const { seq, source, event_id: eventId, type, occurred_at: occurredAt, rank } = row;
  const whose = { seq, source, eventId, type, occurredAt, rank, test: row.test === 1 };
  const secretPaths = listIn(row.secret_paths ?? "[]") as string[] | undefined;
  const outcomes = listIn(row.outcomes ?? "[]") as Journalled["outcomes"] | undefined;
  const calls = callsIn(row.calls);
  return secretPaths && outcomes && calls
    ? { ...whose, body: row.body ?? "", secretPaths, outcomes, calls }
    : { ...whose, body: "", secretPaths: [], outcomes: [], calls: [], unreadable: true };
};

const listIn = (json: string): unknown[] | undefined => {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
};

const callsIn = (json: string): Call[] | undefined => {
  const list = listIn(json);
  return list?.every(isCall) ? (list as Call[]) : undefined;
};

const STATES = new Set<unknown>(["waiting", "sending", "done", "superseded", "skipped", "dead", "parked"]);
const ACTIONS = new Set<unknown>(["contact", "event", "transactional", "delete"]);
const LANES = new Set<unknown>([undefined, ...lanes]);

/** True for what has all that delivery goes by. */
const isCall = (value: unknown): boolean => {
  const call = (value ?? {}) as Record<string, unknown>;
  const { contact, action, state, lane, due, attempts, key } = call;
  const content = { contact: call.properties, event: call.eventProperties, transactional: call.dataVariables };
  const needed = action === "delete" ? {} : content[action as keyof typeof content];
  return (
    typeof contact === "object" &&
    contact !== null &&
    Object.values(contact).every((id) => id === null || typeof id === "string") &&
    ACTIONS.has(action) &&
    STATES.has(state) &&
    LANES.has(lane) &&
    typeof due === "number" &&
    typeof key === "string" &&
    Array.isArray(attempts) &&
    attempts.every((attempt) => typeof attempt === "object" && attempt !== null) &&
    typeof needed === "object" &&
    needed !== null
  );
};

export const read = (sql: SqlStorage, seq: number): Journalled | undefined => {
  const row = sql.exec<Row>("SELECT * FROM webhooks WHERE seq = ?", seq).toArray()[0];
  return row && parse(row);
};

/** What delivery needs of a webhook: all but its body. */
export type WebhookCalls = Omit<Journalled, "body" | "outcomes">;

export const readCalls = (sql: SqlStorage, seq: number): WebhookCalls | undefined => {
  const row = sql.exec<Row>(`SELECT ${WITHOUT_BODY} FROM webhooks WHERE seq = ?`, seq).toArray()[0];
  return row && parse(row);
};

/** The webhook of an event, if it was accepted before. */
export const find = (sql: SqlStorage, source: string, eventId: string): WebhookCalls | undefined => {
  const row = sql
    .exec<Row>(`SELECT ${WITHOUT_BODY} FROM webhooks WHERE source = ? AND event_id = ?`, source, eventId)
    .toArray()[0];
  return row && parse(row);
};

/** A webhook of a scan, its texts not parsed yet. `size`: bytes of its body, which was not read. */
export type Scanned = Omit<Row, "body"> & { outcomes: string; size: number };

/**
 * Webhooks newest first, before `before` (exclusive), at most `limit`, one at a time and without their bodies. To be
 * used up before anything is awaited.
 */
export const scan = (sql: SqlStorage, before: number, limit: number): Iterable<Scanned> =>
  sql.exec<Scanned>(
    `SELECT ${WITHOUT_BODY}, outcomes, octet_length(body) AS size FROM webhooks WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
    ...[before, limit],
  );

/** The other way: oldest first, after `after` (exclusive). */
export const scanUp = (sql: SqlStorage, after: number, limit: number): Iterable<Scanned> =>
  sql.exec<Scanned>(
    `SELECT ${WITHOUT_BODY}, outcomes, octet_length(body) AS size FROM webhooks WHERE seq > ? ORDER BY seq LIMIT ?`,
    ...[after, limit],
  );

/** A scanned webhook, its body empty. */
export const parsed = (scanned: Scanned): Journalled => parse(scanned);

/** The body of a webhook if it has one of these in it (lower case), whatever the case there. */
export const bodyWith = (sql: SqlStorage, seq: number, hints: readonly string[]): string | undefined =>
  sql
    .exec<{ body: string }>(
      `SELECT body FROM webhooks
       WHERE seq = ?1 AND EXISTS (SELECT 1 FROM json_each(?2) WHERE instr(lower(webhooks.body), value))`,
      ...[seq, JSON.stringify(hints)],
    )
    .toArray()[0]?.body;

/**
 * Every webhook with an undecided call, oldest first, one at a time: together they may be more than memory holds. One
 * whose calls cannot be read is left out, and the log says which.
 */
export function* open(sql: SqlStorage): Generator<{ seq: number; source: string; calls: Call[] }> {
  const rows = sql.exec<{ seq: number; source: string; calls: string }>(
    "SELECT seq, source, calls FROM webhooks INDEXED BY webhooks_open WHERE open = 1 ORDER BY seq",
  );
  for (const { seq, source, calls: json } of rows) {
    const calls = callsIn(json);
    if (calls) yield { seq, source, calls };
    else log("webhook_unreadable", { id: idOf(seq) });
  }
}

/** Webhooks with a call in state `sending`, which schema version 1 wrote down before each try. */
export const withSending = (sql: SqlStorage): number[] =>
  sql
    .exec<{ seq: number }>(
      `SELECT seq FROM webhooks INDEXED BY webhooks_open WHERE open = 1 AND instr(calls, '"state":"sending"')`,
    )
    .toArray()
    .map(({ seq }) => seq);

export const newest = (sql: SqlStorage): number =>
  sql.exec<{ seq: number | null }>("SELECT max(seq) AS seq FROM webhooks").one().seq ?? 0;
export const oldest = (sql: SqlStorage): number | undefined =>
  sql.exec<{ seq: number | null }>("SELECT min(seq) AS seq FROM webhooks").one().seq ?? undefined;

/** Adds a webhook. False where its event is known already: nothing is written then. */
export const insert = (sql: SqlStorage, seq: number, webhook: PlannedWebhook, calls: Call[]): boolean => {
  const open = calls.some(isOpen);
  // One-time secrets stay only as long as a call may need them: a webhook that nobody has a rule for keeps none.
  const { body, kept } =
    open || webhook.secretPaths.length === 0
      ? { body: webhook.raw, kept: webhook.secretPaths }
      : { body: eraseBody(webhook.raw, webhook.secretPaths, secretsAt(webhook.raw, webhook.secretPaths)), kept: [] };
  const { rowsWritten } = sql.exec(
    `INSERT INTO webhooks (seq, source, event_id, type, occurred_at, rank, test, body, secret_paths, outcomes, calls, open)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (source, event_id) DO NOTHING`,
    ...[seq, webhook.source, webhook.eventId, webhook.type, webhook.occurredAt, webhook.rank, webhook.test ? 1 : 0],
    ...[body, kept.length > 0 ? JSON.stringify(kept) : null],
    ...[JSON.stringify(webhook.outcomes), JSON.stringify(calls), open ? 1 : 0],
  );
  // RETURNING would say it too, at about the cost of one of the two indexes.
  return rowsWritten > 0;
};

/** A digest that is older than its 24 h gives its place up: the same text is a new event then. */
export const retireDigest = (sql: SqlStorage, seq: number, eventId: string): void => {
  sql.exec("UPDATE webhooks SET event_id = ? WHERE seq = ?", `${eventId}@${seq}`, seq);
};

/**
 * Writes the calls of a webhook back: one row. One-time secrets are erased from each call with the write that settles
 * it, and from the body once no undecided call carries one.
 *
 * @returns the calls as they are kept
 */
export const save = (sql: SqlStorage, webhook: Pick<WebhookCalls, "seq" | "calls" | "secretPaths">): Call[] => {
  const open = webhook.calls.some(isOpen);
  if (webhook.secretPaths.length === 0) return write(sql, webhook.seq, webhook.calls, open);

  const { body = "", outcomes = [] } = read(sql, webhook.seq) ?? {};
  const secrets = secretsAt(body, webhook.secretPaths);
  const calls = webhook.calls.map((call) => (isOpen(call) ? call : eraseCall(call, secrets)));
  const stillNeeded = calls.some(
    (call) => isOpen(call) && erase(JSON.stringify(call), secrets) !== JSON.stringify(call),
  );
  if (stillNeeded) return write(sql, webhook.seq, calls, open);
  sql.exec(
    `UPDATE webhooks SET calls = ?, body = ?, outcomes = ?, secret_paths = NULL${open ? "" : ", open = 0"} WHERE seq = ?`,
    ...[
      JSON.stringify(calls),
      eraseBody(body, webhook.secretPaths, secrets),
      erase(JSON.stringify(outcomes), secrets),
      webhook.seq,
    ],
  );
  return calls;
};

const write = (sql: SqlStorage, seq: number, calls: Call[], open: boolean): Call[] => {
  // While open, `open` is left alone: naming it would write its index too, one more row for every try.
  const set = open ? "calls = ?" : "calls = ?, open = 0";
  sql.exec(`UPDATE webhooks SET ${set} WHERE seq = ?`, JSON.stringify(calls), seq);
  return calls;
};

/** Writes the calls of a webhook back where a decided one may be undecided again: two rows, one of the index. */
export const reopen = (
  sql: SqlStorage,
  { seq, calls, outcomes }: Pick<Journalled, "seq" | "calls"> & Partial<Journalled>,
): void => {
  const open = calls.some(isOpen) ? 1 : 0;
  sql.exec("UPDATE webhooks SET calls = ?, open = ? WHERE seq = ?", JSON.stringify(calls), open, seq);
  if (outcomes) sql.exec("UPDATE webhooks SET outcomes = ? WHERE seq = ?", JSON.stringify(outcomes), seq);
};

/** Writes all of a webhook back that tells of people: two rows, one of the index. */
export const rewrite = (
  sql: SqlStorage,
  given: Journalled,
  { calls, body, outcomes }: { calls: readonly Call[]; body: string; outcomes: string },
): void => {
  const secrets = secretsAt(given.body, given.secretPaths);
  const open = calls.some(isOpen);
  const clean = calls.map((call) => (isOpen(call) ? call : eraseCall(call, secrets)));
  sql.exec(
    `UPDATE webhooks SET calls = ?, body = ?, outcomes = ?, open = ?${open ? "" : ", secret_paths = NULL"} WHERE seq = ?`,
    ...[JSON.stringify(clean), body, open ? outcomes : erase(outcomes, secrets), open ? 1 : 0, given.seq],
  );
};

/**
 * Empties the bodies of the oldest decided webhooks after `after`, at most `limit`: one row each. What became of their
 * calls stays.
 *
 * @returns the `seq` of each
 */
export const purgeBodies = (sql: SqlStorage, after: number, limit: number): number[] =>
  sql
    .exec<{ seq: number }>(
      `UPDATE webhooks SET body = '' WHERE seq IN
         (SELECT seq FROM webhooks WHERE seq > ? AND open = 0 AND body <> '' ORDER BY seq LIMIT ?) RETURNING seq`,
      ...[after, limit],
    )
    .toArray()
    .map(({ seq }) => seq);

/** Deletes decided webhooks accepted before `before` (Unix ms), at most `limit`: one row each. Undecided ones stay. */
export const purge = (sql: SqlStorage, before: number, limit: number): number =>
  sql.exec(
    "DELETE FROM webhooks WHERE seq IN (SELECT seq FROM webhooks WHERE seq < ? AND open = 0 ORDER BY seq LIMIT ?)",
    ...[before * 1000, limit],
  ).rowsWritten;
