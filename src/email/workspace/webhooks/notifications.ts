import { log } from "../../../lib/util/log.ts";
import type { Attempted, OutgoingBatch } from "../../types/notifier-rpc.ts";
import type { Endpoint } from "./endpoints.ts";
import { GIVE_UP_MS, pauseAfterFailure, pauseOf, retryTime } from "./retry-schedule.ts";

const BATCH = 20;
const SHOWN = 20;

type Clock = { sql: SqlStorage; now: number };
type Settling = Clock & { random(): number; team: string };

/** Returns the next batch. A failing endpoint gets one event at a time. */
export const nextBatch = ({ sql, now }: Clock, endpoint: Endpoint): OutgoingBatch | undefined => {
  if (endpoint.disabled_at !== null || endpoint.resume_at > now) return undefined;
  const events = sql
    .exec<{ event: number; id: string; payload: string }>(
      `SELECT d.event, e.id, e.payload FROM webhook_notifications d JOIN webhook_events e ON e.n = d.event
       WHERE d.endpoint = ? AND d.due <= ? ORDER BY d.due, d.event LIMIT ?`,
      endpoint.n,
      now,
      endpoint.failing_since === null ? BATCH : 1,
    )
    .toArray();
  return events.length === 0 ? undefined : { url: endpoint.url, secrets: secretsOf(endpoint, now), events };
};

const secretsOf = ({ secret, previous_secret, previous_until }: Endpoint, now: number): string[] =>
  previous_secret !== null && (previous_until ?? 0) > now ? [secret, previous_secret] : [secret];

/** Returns the next due time in Unix ms, or infinity. */
export const nextDue = (sql: SqlStorage, { n, disabled_at, resume_at }: Endpoint): number => {
  if (disabled_at !== null) return Number.POSITIVE_INFINITY;
  const { at } = sql
    .exec<{ at: number | null }>(
      "SELECT min(due) AS at FROM webhook_notifications WHERE endpoint = ? AND due IS NOT NULL",
      n,
    )
    .one();
  return at === null ? Number.POSITIVE_INFINITY : Math.max(at, resume_at);
};

const isDelivered = (attempted: Attempted): boolean =>
  "status" in attempted && attempted.status >= 200 && attempted.status < 300;

/** Records the attempts of a batch and the endpoint's state. */
export const settleBatch = (clock: Settling, endpoint: Endpoint, attempts: readonly Attempted[]): void => {
  for (const attempted of attempts) settleOne(clock, endpoint, attempted);
  if (attempts.length === 0) return;
  const isGone = attempts.some((attempt) => "status" in attempt && attempt.status === 410);
  if (isGone) disable(clock, endpoint, "gone");
  else if (attempts.some(isDelivered)) noteWorking(clock, endpoint, attempts);
  else noteFailing(clock, endpoint, attempts);
};

const noteWorking = ({ sql, now }: Clock, endpoint: Endpoint, attempts: readonly Attempted[]): void => {
  const pause = pauseOf(attempts);
  if (endpoint.failing_since === null && pause === 0) return;
  sql.exec(
    "UPDATE webhook_endpoints SET failing_since = NULL, failures = 0, resume_at = ? WHERE n = ?",
    now + pause,
    endpoint.n,
  );
};

const noteFailing = (clock: Settling, endpoint: Endpoint, attempts: readonly Attempted[]): void => {
  const { sql, now, random } = clock;
  const since = endpoint.failing_since ?? now;
  const failures = endpoint.failures + 1;
  const pause = pauseAfterFailure(failures, attempts, random());
  sql.exec(
    "UPDATE webhook_endpoints SET failing_since = ?, failures = ?, resume_at = ? WHERE n = ?",
    since,
    failures,
    now + pause,
    endpoint.n,
  );
  if (now - since >= GIVE_UP_MS) disable(clock, endpoint, "failing");
};

const settleOne = ({ sql, now, random }: Settling, endpoint: Endpoint, attempted: Attempted): void => {
  const { event, ...shown } = attempted;
  const key = [endpoint.n, event];
  const row = sql
    .exec<{ attempts: number; queued_at: number; log: string; id: string }>(
      `SELECT d.attempts, d.queued_at, d.log, e.id FROM webhook_notifications d JOIN webhook_events e ON e.n = d.event
       WHERE d.endpoint = ? AND d.event = ? AND d.state = 'waiting'`,
      ...key,
    )
    .toArray()[0];
  if (!row) return;
  const count = row.attempts + 1;
  const end = row.queued_at + GIVE_UP_MS;
  const state = isDelivered(attempted) ? "delivered" : now >= end ? "failed" : "waiting";
  const due = Math.min(end, retryTime(now, count, attempted, random()));
  const lines = [...(JSON.parse(row.log) as object[]), shown].slice(-SHOWN);
  sql.exec(
    "UPDATE webhook_notifications SET state = ?, attempts = ?, due = ?, log = ? WHERE endpoint = ? AND event = ?",
    state,
    count,
    state === "waiting" ? due : null,
    JSON.stringify(lines),
    ...key,
  );
  if (state === "delivered") return;
  const why = "error" in attempted ? { error: attempted.error } : { status: attempted.status };
  log("webhook_attempt_failed", { webhook: endpoint.id, eventId: row.id, attempt: count, state, ...why });
};

/** Waiting events are kept for delivery after the next enabling. */
const disable = ({ sql, now, team }: Settling, { n, id }: Endpoint, reason: "gone" | "failing"): void => {
  sql.exec("UPDATE webhook_endpoints SET disabled_reason = ?, disabled_at = ? WHERE n = ?", reason, now, n);
  log("webhook_disabled", { team, webhook: id, reason });
};
