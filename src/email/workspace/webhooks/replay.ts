import type { Refusal } from "../../../lib/contract/errors.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import type { Context } from "../core/context.ts";
import { disabledRefusal } from "./endpoint-handlers.ts";
import { type Endpoint, endpointNotFound, findEndpoint } from "./endpoints.ts";

const MAX_EVENTS = 50_000;

/** Queues events of the last 30 days again: failed ones, or a time span that the endpoint wants. */
export const replayWebhook = (
  { sql, now }: Context,
  { webhookId, since = 0, until = now, failed, dryRun }: AdminInput<"webhooks.replay">,
): { body: unknown } | { refusal: Refusal } => {
  const endpoint = findEndpoint(sql, webhookId);
  if (!endpoint) return endpointNotFound(webhookId);
  if (endpoint.disabled_at !== null) return { refusal: disabledRefusal(webhookId) };
  const query = failed ? FAILED : IN_SPAN;
  const values = failed ? [endpoint.n, since, until] : [endpoint.n, since, until, endpoint.events, endpoint.events];
  const { count } = sql
    .exec<{ count: number }>(`SELECT count(*) AS count FROM (${query} LIMIT ${MAX_EVENTS + 1})`, ...values)
    .one();
  if (count > MAX_EVENTS) {
    const message = `The request is for more than ${MAX_EVENTS} events. Choose a shorter span with since and until.`;
    return { refusal: { code: "too_many_events", path: "since", message } };
  }
  if (!dryRun) queueAgain(sql, now, endpoint, query, values);
  return { body: { success: true, dryRun, events: count } };
};

const STILL = "e.payload IS NOT NULL";

const FAILED = `SELECT e.n FROM webhook_notifications d JOIN webhook_events e ON e.n = d.event
  WHERE d.endpoint = ? AND d.state = 'failed' AND e.created_at BETWEEN ? AND ? AND ${STILL}`;

/** Values: endpoint, from, to, types, types. Row numbers are microseconds, so a span is a range of rows. */
const IN_SPAN = `SELECT e.n FROM webhook_events e
  LEFT JOIN webhook_notifications d ON d.endpoint = ? AND d.event = e.n
  WHERE e.n >= ? * 1000 AND e.created_at <= ? AND ${STILL} AND e.type <> 'testing.testEvent'
    AND d.state IS NOT 'waiting'
    AND (json_array_length(?) = 0 OR e.type IN (SELECT value FROM json_each(?)))`;

const queueAgain = (
  sql: SqlStorage,
  now: number,
  { n }: Endpoint,
  query: string,
  values: readonly (string | number)[],
): void => {
  sql.exec(
    `INSERT INTO webhook_notifications (endpoint, event, state, attempts, due, queued_at, log)
       SELECT ?, n, 'waiting', 0, ?, ?, '[]' FROM (${query}) WHERE true
     ON CONFLICT (endpoint, event) DO UPDATE SET state = 'waiting', due = excluded.due, queued_at = excluded.queued_at`,
    n,
    now,
    now,
    ...values,
  );
};
