import { timedHmac } from "../lib/signature/schemes.ts";
import type { Handler } from "../webhook.ts";
import { readEvent } from "./event.ts";

type Event<Type extends string, Data> = { type: Type; id: string; event: Type; created_at: string; data: Data };
type User = {
  id: string;
  email: string;
  email_verified: boolean;
  first_name: string | null;
  last_name: string | null;
  created_at: string;
  updated_at: string;
};
type DirectoryUser = {
  id: string;
  idp_id: string;
  email?: string;
  first_name: string | null;
  last_name: string | null;
  state: string;
};

/** The events rules are usually on. */
export type WorkosEvent =
  | Event<"user.created" | "user.updated" | "user.deleted", User>
  | Event<"dsync.user.created" | "dsync.user.updated" | "dsync.user.deleted", DirectoryUser>
  | Event<"session.created", { id: string; user_id: string }>
  | Event<"organization_membership.created", { id: string; user_id: string; organization_id: string }>
  | Event<"invitation.created" | "invitation.accepted", { id: string; email: string; organization_id: string | null }>;

const TIME = { at: { header: "WorkOS-Signature", separator: ",", name: "t" }, unit: "ms", tolerance: 180 } as const;

/**
 * WorkOS: `WorkOS-Signature: t=<Unix ms>, v1=<hex>`, an HMAC-SHA256 of `<t>.<body>`; 180 s, as its own library.
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
};
