import { standard } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { textAt } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

export type WhopUser = { id: string; email?: string | null; name?: string | null; username?: string };
export type WhopMembership = {
  id: string;
  status:
    | "trialing"
    | "active"
    | "past_due"
    | "completed"
    | "canceled"
    | "expired"
    | "unresolved"
    | "drafted"
    | "canceling";
  user: WhopUser | null;
  plan: { id: string };
  product: { id: string; title: string };
  created_at: string;
  renewal_period_end: string | null;
  cancel_at_period_end: boolean;
  cancel_option?: string | null;
  cancellation_reason?: string | null;
};
export type WhopPayment = {
  id: string;
  user: WhopUser | null;
  membership?: { id: string } | null;
  product?: { id: string; title: string } | null;
  billing_reason?: string | null;
  total: number | null;
  currency: string;
  created_at: string;
  paid_at?: string | null;
  failure_message?: string | null;
  payments_failed?: number | null;
  next_payment_attempt?: string | null;
};
type OfPayment = { payment: { id: string; user?: WhopUser | null } | null };
export type WhopRefund = OfPayment & { id: string; amount: number; currency: string; status: string };
export type WhopDispute = OfPayment & {
  id: string;
  amount: number;
  currency: string;
  status: string;
  reason?: string | null;
};
export type WhopInvoice = {
  id: string;
  number: string;
  status: string;
  email_address?: string | null;
  due_date?: string | null;
};

type Event<Type extends string, Data> = {
  type: Type;
  id: string;
  api_version: "v1";
  timestamp: string;
  company_id?: string | null;
  data: Data;
};

/** Amounts are in major units. `timestamp` is the time of sending. */
export type WhopEvent =
  | Event<
      | "membership.activated"
      | "membership.deactivated"
      | "membership.cancel_at_period_end_changed"
      | "membership.trial_ending_soon",
      WhopMembership
    >
  | Event<"payment.created" | "payment.pending" | "payment.succeeded" | "payment.failed", WhopPayment>
  | Event<"refund.created" | "refund.updated", WhopRefund>
  | Event<"dispute.created" | "dispute.updated", WhopDispute>
  | Event<"invoice.created" | "invoice.paid" | "invoice.past_due" | "invoice.voided", WhopInvoice>;

const RANKS: ReadonlyMap<string, number> = new Map([
  ["membership.activated", 1],
  ["membership.cancel_at_period_end_changed", 2],
  ["membership.trial_ending_soon", 2],
  ["membership.deactivated", 3],
]);

const read = readEvent<WhopEvent>({
  what: "a Whop event",
  id: { header: "webhook-id" },
  type: "type",
  time: [
    ["data.updated_at", "iso"],
    ["timestamp", "iso"],
  ],
});

/** A refund or dispute is told again with each change. A status of it is one webhook. */
const statusId = (type: string, body: unknown): string | undefined =>
  /^(refund|dispute)\.updated$|^refund\.created$/.test(type)
    ? `${textAt(body, "data.id")}:${textAt(body, "data.status")}`
    : undefined;

/**
 * Whop: Standard Webhooks. The whole secret (`ws_…`) is the key.
 * @see https://docs.whop.com/developer/guides/webhooks
 */
export const whop: Handler<WhopEvent> = {
  provider: "whop",
  about: { title: "Whop", secret: "WHOP_WEBHOOK_SECRET", setUp: "Developer → Webhooks → webhook → Secret" },
  scheme: standard(["webhook"], ["text", "base64"]),
  read: async (request, content, now) => {
    const envelope = await read(request, content, now);
    return { ...envelope, id: statusId(envelope.type, content) ?? envelope.id };
  },
  rank: (type) => RANKS.get(type) ?? 0,
};
