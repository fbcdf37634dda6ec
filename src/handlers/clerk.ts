import type { WebhookEvent } from "@clerk/backend/webhooks";
import { readStandardHeaders, standard } from "../lib/signature/schemes.ts";
import { object, text, unixTime } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

const WHAT = "a Clerk event";
const PREFIXES = ["svix", "webhook"] as const;
const RANKS: ReadonlyMap<string, number> = new Map([
  ["user.created", 1],
  ["user.updated", 2],
  ["user.deleted", 3],
]);

/**
 * Where a one-time code or link may stand. Clerk announces each mail and text message it sends (`email.created`,
 * `sms.created`), code and rendered text included; `data.data` holds the template's variables. `otp_code` is what Clerk's
 * own templates use; the other names in `data.data` are unconfirmed, and here to be safe. Invitations carry a ticket in
 * their URL.
 */
const SECRET_PATHS: readonly string[] = [
  ...["subject", "body", "body_plain", "message"].map((key) => `data.${key}`),
  ...["otp_code", "code", "verification_code", "otp", "token", "ticket"].map((key) => `data.data.${key}`),
  ...["magic_link", "magic_link_url", "action_url", "verification_url", "url", "link", "invitation_url"].map(
    (key) => `data.data.${key}`,
  ),
  ...["reset_password_url", "revoke_session_url"].map((key) => `data.data.${key}`),
  ...["data.data.invitation.url", "data.data.invitation.ticket", "data.url", "data.invitation.url"],
];

/**
 * Clerk: sent by Svix, so the headers are `svix-*` (`webhook-*` are taken too), secret `whsec_<base64>` of the
 * endpoint. The event's id is the message id: the body has none of its own.
 * @see https://clerk.com/docs/guides/development/webhooks/overview
 */
export const clerk: Handler<WebhookEvent> = {
  provider: "clerk",
  about: {
    title: "Clerk",
    secret: "CLERK_WEBHOOK_SECRET",
    setUp: "Configure → Webhooks → endpoint → Signing Secret",
  },
  secretPaths: SECRET_PATHS,
  scheme: standard(PREFIXES),
  read: async ({ headers }, json, now) => {
    const body = object(json, WHAT);
    const type = text(body, "type", WHAT);
    object(body.data, `${WHAT} (its data)`);
    const signed = readStandardHeaders(headers, PREFIXES);
    if (!signed?.id) throw new Error(`The request is not ${WHAT}: the header svix-id is missing.`);
    const occurredAt = unixTime(body.timestamp, 1) ?? unixTime(Number(signed.timestamp), 1000) ?? now;
    return { id: signed.id, type, occurredAt, body: json as WebhookEvent };
  },
  rank: (type) => RANKS.get(type) ?? 0,
};
