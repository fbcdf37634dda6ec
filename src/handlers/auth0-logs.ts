import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { listOf } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

/** `type`: Auth0's short code, such as `ss` (sign-up) or `s` (sign-in). */
export type Auth0Log = {
  type: string;
  log_id: string;
  data: { date?: string; user_id?: string; user_name?: string; description?: string };
};

/**
 * Auth0 log streams: a shared `Authorization` value. One request has one or many events, as a list or lines.
 * @see https://auth0.com/docs/customize/log-streams/custom-log-streams
 */
export const auth0Logs: Handler<Auth0Log> = {
  provider: "auth0-logs",
  about: {
    title: "Auth0 log streams",
    secret: "AUTH0_LOGS_WEBHOOK_SECRET",
    setUp: "Monitoring → Streams → Custom Webhook → Authorization Token: yours to choose",
  },
  scheme: sharedSecret,
  freeSecret: true,
  format: "json lines",
  items: listOf,
  read: readEvent({
    what: "an Auth0 log event",
    id: "log_id",
    type: "data.type",
    otherwise: "unknown",
    time: [["data.date", "iso"]],
  }),
};
