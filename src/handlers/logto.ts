import { hmacOfBody } from "../lib/signature/schemes.ts";
import type { Handler } from "../webhook.ts";
import { readEvent } from "./event.ts";

type User = { id: string; primaryEmail: string | null; name: string | null; username: string | null };
type Event<Type extends string, Fields> = { type: Type; event: Type; hookId: string; createdAt: string } & Fields;

/** The events rules are usually on. */
export type LogtoEvent =
  | Event<"PostRegister" | "PostSignIn" | "PostResetPassword", { userId?: string; user?: User; userIp?: string }>
  | Event<"User.Created" | "User.Data.Updated" | "User.SuspensionStatus.Updated", { data: User | null }>
  | Event<"User.Deleted", { data: User | null; params?: Readonly<Record<string, string>> }>;

/**
 * Logto: `logto-signature-sha-256`, an HMAC-SHA256 of the body in hex. Events have no id (`hookId` is the webhook's),
 * and a retry is the same text: a digest.
 * @see https://docs.logto.io/developers/webhooks/secure-webhooks
 */
export const logto: Handler<LogtoEvent> = {
  provider: "logto",
  about: { title: "Logto", secret: "LOGTO_WEBHOOK_SECRET", setUp: "Webhooks → webhook → Signing key" },
  scheme: hmacOfBody("logto-signature-sha-256"),
  read: readEvent({ what: "a Logto event", type: "event", time: [["createdAt", "iso"]] }),
};
