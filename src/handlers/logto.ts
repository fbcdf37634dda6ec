import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { textAt } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

/** @see https://docs.logto.io/developers/webhooks/webhooks-request */
export type LogtoUser = {
  id: string;
  primaryEmail: string | null;
  name: string | null;
  username: string | null;
  profile?: { givenName?: string; familyName?: string };
  isSuspended?: boolean;
};
type Event<Type extends string, Fields> = { type: Type; event: Type; hookId: string; createdAt: string } & Fields;
type Interaction = { interactionEvent?: string; userId?: string; user?: LogtoUser; userIp?: string };
/** `params`: path parameters of the causing Management API request. */
export type LogtoMutation = { data?: LogtoUser | null; params?: Readonly<Record<string, string>> };

type LogtoEvent =
  | Event<"PostRegister" | "PostSignIn" | "PostResetPassword", Interaction>
  | Event<"User.Created" | "User.Data.Updated" | "User.SuspensionStatus.Updated" | "User.Deleted", LogtoMutation>;

/** A sign-up causes two events that may have the same time. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ["User.Created", 1],
  ["PostRegister", 1],
  ["User.Data.Updated", 2],
  ["User.Deleted", 3],
]);

const TEST_USER = "fake-id";

/**
 * Logto: hex HMAC-SHA256 in `logto-signature-sha-256`. The body's digest is the event id (`hookId` is the webhook's).
 * @see https://docs.logto.io/developers/webhooks/secure-webhooks
 */
export const logto: Handler<LogtoEvent> = {
  provider: "logto",
  about: { title: "Logto", secret: "LOGTO_WEBHOOK_SECRET", setUp: "Webhooks → webhook → Signing key" },
  scheme: hmacOfBody("logto-signature-sha-256"),
  read: readEvent({
    what: "a Logto event",
    type: "event",
    time: [["createdAt", "iso"]],
    test: (body) => textAt(body, "userId") === TEST_USER || textAt(body, "params.id") === TEST_USER,
  }),
  rank: (type) => RANKS.get(type) ?? 0,
};
