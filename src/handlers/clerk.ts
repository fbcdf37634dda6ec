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
  ["subscription.created", 1],
  ["subscription.active", 2],
  ["subscription.updated", 3],
  ["subscription.pastDue", 3],
]);

/**
 * The instances in Clerk's examples ("Send Example"). No customer has them.
 * @see https://clerk.com/docs/guides/development/webhooks/overview#payload-structure
 */
const EXAMPLE_INSTANCES: readonly unknown[] = ["ins_123", "ins_2g7np7Hrk0SN6kj5EDMLDaKNL0S"];

/** Unix ms. Examples of the event catalog have seconds. */
const timeOf = (timestamp: unknown): number | undefined =>
  unixTime(timestamp, typeof timestamp === "number" && timestamp < 1e11 ? 1000 : 1);

/**
 * Paths that may hold a one-time code, link or ticket. Clerk's templates use `otp_code`; other names in `data.data`
 * are unconfirmed.
 */
const SECRET_PATHS: readonly string[] = [
  ...["subject", "body", "body_plain", "message"].map((key) => `data.${key}`),
  ...["otp_code", "code", "verification_code", "otp", "token", "ticket"].map((key) => `data.data.${key}`),
  ...["magic_link", "magic_link_url", "action_url", "verification_url", "url", "link", "invitation_url"].map(
    (key) => `data.data.${key}`,
  ),
  ...["reset_password_url", "revoke_session_url"].map((key) => `data.data.${key}`),
  "data.data.invitation.url",
  "data.data.invitation.ticket",
  "data.url",
  "data.invitation.url",
];

/**
 * Clerk: Svix headers and a `whsec_<base64>` secret. The message id is the event id, because the body has none.
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
    const occurredAt = timeOf(body.timestamp) ?? unixTime(Number(signed.timestamp), 1000) ?? now;
    return {
      id: signed.id,
      type,
      occurredAt,
      body: json as WebhookEvent,
      test: EXAMPLE_INSTANCES.includes(body.instance_id),
    };
  },
  rank: (type) => RANKS.get(type) ?? 0,
};
