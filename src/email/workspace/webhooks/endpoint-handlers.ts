import type { Refusal } from "../../../lib/contract/errors.ts";
import { pageOf } from "../../../lib/contract/pagination.ts";
import { DAY_MS, isoOrNull } from "../../../lib/util/dates.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import type { Context } from "../core/context.ts";
import type { AdminHandlers } from "../core/handler.ts";
import { emitTo } from "./emit.ts";
import { type Endpoint, endpointNotFound, findEndpoint, readEndpoints } from "./endpoints.ts";
import { GIVE_UP_MS } from "./retry-schedule.ts";

const MAX_ENDPOINTS = 20;
/** Both secrets sign for this time after a rotation. */
const BOTH_SECRETS_MS = DAY_MS;

type Answer = { status?: 201; body: unknown } | { refusal: Refusal };

const shown = (endpoint: Endpoint, now: number) => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  events: JSON.parse(endpoint.events) as string[],
  enabled: endpoint.disabled_at === null,
  disabledReason: endpoint.disabled_reason,
  disabledAt: isoOrNull(endpoint.disabled_at),
  failingSince: isoOrNull(endpoint.failing_since),
  notice: noticeOf(endpoint),
  previousSecretUntil: (endpoint.previous_until ?? 0) > now ? isoOrNull(endpoint.previous_until) : null,
  createdAt: isoOrNull(endpoint.created_at),
});

const ENABLE = "Events that wait are kept. Repair the endpoint, then set enabled: true.";

const noticeOf = ({ disabled_reason, disabled_at, failing_since }: Endpoint): string | null => {
  if (disabled_reason === "gone") return `Disabled at ${isoOrNull(disabled_at)}: the endpoint answered 410. ${ENABLE}`;
  if (disabled_reason === "failing")
    return `Disabled at ${isoOrNull(disabled_at)}: no event was delivered since ${isoOrNull(failing_since)}. ${ENABLE}`;
  if (disabled_reason !== null || failing_since === null) return null;
  return `No event was delivered since ${isoOrNull(failing_since)}. If this goes on, the webhook is disabled at ${isoOrNull(failing_since + GIVE_UP_MS)}.`;
};

const listWebhooks = ({ sql, now }: Context): Answer => ({
  body: { data: readEndpoints(sql).map((endpoint) => shown(endpoint, now)) },
});

const createWebhook = (
  { sql, now, id }: Context,
  { url, description, events, secret, sealedSecret }: AdminInput<"webhooks.create">,
): Answer => {
  if (readEndpoints(sql).length >= MAX_ENDPOINTS) {
    const message = `The team has ${MAX_ENDPOINTS} webhooks, which is the limit. Delete one first.`;
    return { refusal: { code: "too_many_webhooks", message } };
  }
  const endpoint = id("whk");
  sql.exec(
    `INSERT INTO webhook_endpoints (id, url, description, events, secret, failures, resume_at, created_at)
     VALUES (?, ?, ?, ?, ?, 0, 0, ?)`,
    endpoint,
    url,
    description,
    JSON.stringify(events),
    sealedSecret,
    now,
  );
  return { status: 201, body: { ...shown(findEndpoint(sql, endpoint) as Endpoint, now), secret } };
};

type NotificationRow = {
  n: number;
  id: string;
  type: string;
  created_at: number;
  state: string;
  attempts: number;
  due: number | null;
  log: string;
};
type Line = { at: number; ms: number; status?: number; response?: string; error?: string };

/** Returns an endpoint and a page of notifications, newest first. */
const getWebhook = (
  { sql, now, origin }: Context,
  { team, webhookId, ...asked }: AdminInput<"webhooks.get">,
): Answer => {
  const endpoint = findEndpoint(sql, webhookId);
  if (!endpoint) return endpointNotFound(webhookId);
  const count = (where: string, ...values: readonly string[]) =>
    sql
      .exec<{ n: number }>(
        `SELECT count(*) AS n FROM webhook_notifications WHERE endpoint = ? ${where}`,
        endpoint.n,
        ...values,
      )
      .one().n;
  const wanted = asked.state === undefined ? [] : [asked.state];
  const rows = (before: number, limit: number) =>
    sql
      .exec<NotificationRow>(
        `SELECT e.n, e.id, e.type, e.created_at, d.state, d.attempts, d.due, d.log
         FROM webhook_notifications d JOIN webhook_events e ON e.n = d.event
         WHERE d.endpoint = ? AND d.event < ? ${wanted.length > 0 ? "AND d.state = ?" : ""} ORDER BY d.event DESC LIMIT ?`,
        endpoint.n,
        before,
        ...wanted,
        limit,
      )
      .toArray();
  const total = wanted.length > 0 ? count("AND state = ?", ...wanted) : count("");
  const path = `${origin}/admin/teams/${team}/webhooks/${webhookId}`;
  const found = pageOf(
    path,
    asked,
    total,
    rows,
    (row) => ({
      eventId: row.id,
      type: row.type,
      createdAt: isoOrNull(row.created_at),
      state: row.state,
      attempts: row.attempts,
      nextAttemptAt: row.due === null ? null : isoOrNull(Math.max(row.due, endpoint.resume_at)),
      lastAttempts: (JSON.parse(row.log) as Line[]).map(({ at, ms, status, response, error }) => ({
        at: isoOrNull(at),
        ms,
        status,
        response,
        error,
      })),
    }),
    asked.state === undefined ? {} : { state: asked.state },
  );
  if (found.refusal) return { refusal: found.refusal };
  return { body: { ...found.body, webhook: { ...shown(endpoint, now), waiting: count("AND due IS NOT NULL") } } };
};

const updateWebhook = (
  { sql, now }: Context,
  { webhookId, enabled, rotateSecret, secret, sealedSecret, ...changes }: AdminInput<"webhooks.update">,
): Answer => {
  const endpoint = findEndpoint(sql, webhookId);
  if (!endpoint) return endpointNotFound(webhookId);
  const { url = endpoint.url, description = endpoint.description } = changes;
  const events = changes.events === undefined ? endpoint.events : JSON.stringify(changes.events);
  sql.exec(
    "UPDATE webhook_endpoints SET url = ?, description = ?, events = ? WHERE n = ?",
    url,
    description,
    events,
    endpoint.n,
  );
  if (rotateSecret) {
    sql.exec(
      "UPDATE webhook_endpoints SET secret = ?, previous_secret = ?, previous_until = ? WHERE n = ?",
      sealedSecret,
      endpoint.secret,
      now + BOTH_SECRETS_MS,
      endpoint.n,
    );
  }
  if (enabled === false && endpoint.disabled_at === null) {
    sql.exec("UPDATE webhook_endpoints SET disabled_reason = 'manual', disabled_at = ? WHERE n = ?", now, endpoint.n);
  }
  if (enabled === true) startAfresh({ sql, now }, endpoint);
  const body = shown(findEndpoint(sql, webhookId) as Endpoint, now);
  return { body: rotateSecret ? { ...body, secret } : body };
};

const startAfresh = ({ sql, now }: Pick<Context, "sql" | "now">, { n }: Endpoint): void => {
  sql.exec(
    `UPDATE webhook_endpoints SET disabled_reason = NULL, disabled_at = NULL, failing_since = NULL, failures = 0,
       resume_at = 0 WHERE n = ?`,
    n,
  );
  sql.exec(
    "UPDATE webhook_notifications SET due = ?, queued_at = ? WHERE endpoint = ? AND due IS NOT NULL",
    now,
    now,
    n,
  );
};

/** Deletes an endpoint; a chore deletes its notifications. */
const removeWebhook = ({ sql, now }: Context, { webhookId }: AdminInput<"webhooks.remove">): Answer => {
  const endpoint = findEndpoint(sql, webhookId);
  if (!endpoint) return endpointNotFound(webhookId);
  sql.exec(
    "UPDATE webhook_endpoints SET deleted_at = ?, secret = '', previous_secret = NULL WHERE n = ?",
    now,
    endpoint.n,
  );
  return { body: { success: true } };
};

/** Posts a test event, regardless of the endpoint's types. */
const testWebhook = ({ sql, now }: Context, { webhookId }: AdminInput<"webhooks.test">): Answer => {
  const endpoint = findEndpoint(sql, webhookId);
  if (!endpoint) return endpointNotFound(webhookId);
  if (endpoint.disabled_at !== null) return { refusal: disabledRefusal(webhookId) };
  return {
    body: { success: true, eventId: emitTo({ sql, now }, endpoint.n, "testing.testEvent", { message: "test" }) },
  };
};

export const disabledRefusal = (id: string): Refusal => ({
  code: "webhook_disabled",
  path: "webhookId",
  message: `The webhook "${id}" is disabled. Enable it first: POST /admin/teams/{team}/webhooks/{webhookId} with enabled: true.`,
});

export const webhooks: Omit<AdminHandlers<"webhooks">, "replay"> = {
  list: listWebhooks,
  create: createWebhook,
  get: getWebhook,
  update: updateWebhook,
  remove: removeWebhook,
  test: testWebhook,
};
