import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { textAt } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

export type SquareMoney = { amount: number; currency: string };
export type SquareCustomer = {
  id: string;
  given_name?: string | null;
  family_name?: string | null;
  email_address?: string | null;
};
export type SquarePayment = {
  id: string;
  status: "APPROVED" | "PENDING" | "COMPLETED" | "CANCELED" | "FAILED";
  amount_money: SquareMoney;
  total_money?: SquareMoney;
  refunded_money?: SquareMoney;
  customer_id?: string;
  buyer_email_address?: string;
  receipt_url?: string;
  created_at: string;
};
export type SquareRefund = {
  id: string;
  status: "PENDING" | "COMPLETED" | "REJECTED" | "FAILED";
  amount_money: SquareMoney;
  payment_id?: string;
  reason?: string;
};
export type SquareSubscription = {
  id: string;
  customer_id: string;
  plan_variation_id?: string;
  status: "PENDING" | "ACTIVE" | "CANCELED" | "DEACTIVATED" | "PAUSED" | "COMPLETED";
  start_date?: string;
  charged_through_date?: string;
  canceled_date?: string | null;
  created_at?: string;
};
export type SquareInvoice = {
  id: string;
  invoice_number?: string;
  status: string;
  subscription_id?: string;
  public_url?: string;
  primary_recipient?: { customer_id?: string; given_name?: string; family_name?: string; email_address?: string };
  payment_requests?: { computed_amount_money?: SquareMoney; total_completed_amount_money?: SquareMoney }[];
};
export type SquareDispute = {
  id: string;
  state: string;
  reason: string;
  amount_money: SquareMoney;
  disputed_payment?: { payment_id?: string };
};

type Event<Type extends string, Name extends string, T> = {
  type: Type;
  merchant_id: string;
  event_id: string;
  created_at: string;
  data: { type: string; id: string; deleted?: boolean; object: { [Key in Name]: T } };
};

/** Amounts are minor units. */
export type SquareEvent =
  | (Event<"customer.created" | "customer.updated" | "customer.deleted", "customer", SquareCustomer> & {
      data: { object: { event_context?: { merge?: { from_customer_ids?: string[]; to_customer_id?: string } } } };
    })
  | Event<"payment.created" | "payment.updated", "payment", SquarePayment>
  | Event<"refund.created" | "refund.updated", "refund", SquareRefund>
  | Event<"subscription.created" | "subscription.updated", "subscription", SquareSubscription>
  | Event<
      "invoice.payment_made" | "invoice.scheduled_charge_failed" | "invoice.published" | "invoice.canceled",
      "invoice",
      SquareInvoice
    >
  | Event<"dispute.created" | "dispute.state.updated", "dispute", SquareDispute>;

const RANKS: ReadonlyMap<string, number> = new Map([
  ["created", 1],
  ["updated", 2],
  ["deleted", 3],
]);

const FINAL = ["COMPLETED", "CANCELED", "FAILED", "REJECTED"];

/** Objects are told again when a fee or a receipt is added. Their final status is one webhook. */
const finalId = (body: unknown): string | undefined => {
  const at = ["payment", "refund", "subscription"]
    .map((name) => `data.object.${name}`)
    .find((path) => textAt(body, `${path}.id`));
  const status = at && textAt(body, `${at}.status`);
  return status && FINAL.includes(status) ? `${textAt(body, `${at}.id`)}:${status}` : undefined;
};

const read = readEvent<SquareEvent>({
  what: "a Square event",
  id: "event_id",
  type: "type",
  time: [["created_at", "iso"]],
});

/**
 * Square: base64 HMAC-SHA256 of the webhook's URL and body. `Square-Environment` is unsigned.
 * @see https://developer.squareup.com/docs/webhooks/step3validate
 */
export const square: Handler<SquareEvent> = {
  provider: "square",
  about: {
    title: "Square",
    secret: "SQUARE_WEBHOOK_SIGNATURE_KEY",
    setUp: "Developer Console → application → Webhooks → subscription → Signature key",
  },
  scheme: hmacOfBody("X-Square-HmacSha256-Signature", {
    encoding: "base64",
    content: ["{url}{body}", "{urlWithoutPort}{body}", "{urlWithPort}{body}"],
  }),
  read: async (request, content, now) => {
    const envelope = await read(request, content, now);
    return {
      ...envelope,
      id: finalId(content) ?? envelope.id,
      test: request.headers.get("Square-Environment")?.toLowerCase() === "sandbox",
    };
  },
  rank: (type) => (/^(customer|subscription)\./.test(type) ? (RANKS.get(type.split(".")[1] ?? "") ?? 0) : 0),
};
