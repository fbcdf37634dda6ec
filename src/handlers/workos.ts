import { timedHmac } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type Former = { previous_attributes?: Readonly<Record<string, unknown>> };
/**
 * Former values are in `data` or, in newer events, in `context`.
 * @see https://workos.com/changelog/previous-attributes
 */
type Event<Type extends string, Data> = {
  type: Type;
  id: string;
  event: Type;
  created_at: string;
  data: Data & Former;
  context?: Former;
};
export type WorkosUser = {
  id: string;
  email: string;
  email_verified: boolean;
  first_name: string | null;
  last_name: string | null;
  last_sign_in_at?: string | null;
  created_at: string;
  updated_at: string;
};
export type DirectoryUser = {
  id: string;
  idp_id: string;
  directory_id: string;
  organization_id: string | null;
  email?: string | null;
  emails?: { primary?: boolean; type?: string; value: string }[];
  first_name: string | null;
  last_name: string | null;
  state: string;
};
type Membership = {
  id: string;
  user_id: string;
  organization_id: string;
  organization_name?: string;
  status: "active" | "inactive" | "pending";
  role?: { slug: string };
};
type Invitation = {
  id: string;
  email: string;
  state: "pending" | "accepted" | "expired" | "revoked";
  organization_id: string | null;
  inviter_user_id?: string | null;
  accepted_user_id?: string | null;
  expires_at: string;
};
/** The event does not contain the code or link. */
type Requested = { id: string; user_id: string; email: string; expires_at: string };

type WorkosEvent =
  | Event<"user.created" | "user.updated" | "user.deleted", WorkosUser>
  | Event<"dsync.user.created" | "dsync.user.updated" | "dsync.user.deleted", DirectoryUser>
  | Event<"waitlist_user.created" | "waitlist_user.approved" | "waitlist_user.denied", { id: string; email: string }>
  | Event<"session.created", { id: string; user_id: string }>
  | Event<
      "organization_membership.created" | "organization_membership.updated" | "organization_membership.deleted",
      Membership
    >
  | Event<"invitation.created" | "invitation.accepted", Invitation>
  | Event<
      "password_reset.created" | "password_reset.succeeded" | "magic_auth.created" | "email_verification.created",
      Requested
    >
  | Event<"authentication.email_verification_succeeded", { user_id: string | null; email: string | null }>;

const RANKS: ReadonlyMap<string, number> = new Map([
  ["user.created", 1],
  ["user.updated", 2],
  ["user.deleted", 3],
]);

const TIME = { at: { header: "WorkOS-Signature", separator: ",", name: "t" }, unit: "ms", tolerance: 180 } as const;

/**
 * WorkOS: `t=<Unix ms>, v1=<hex>`, an HMAC-SHA256 of `<t>.<body>`. The time may be 180 s off.
 * @see https://workos.com/docs/events/data-syncing/webhooks
 */
export const workos: Handler<WorkosEvent> = {
  provider: "workos",
  about: {
    title: "WorkOS",
    secret: "WORKOS_WEBHOOK_SECRET",
    setUp: "Developers → Webhooks → endpoint → Signing secret",
  },
  scheme: timedHmac("WorkOS-Signature", "ms", { timestamp: TIME }),
  read: readEvent({ what: "a WorkOS event", id: "id", type: "event", time: [["created_at", "iso"]] }),
  rank: (type) => RANKS.get(type) ?? 0,
};
