import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

export type PayPalAmount = { value: string; currency_code: string };
/** Amounts of sales have older names. */
export type PayPalSaleAmount = { total: string; currency: string };
export type PayPalPerson = {
  email_address?: string;
  payer_id?: string;
  name?: { given_name?: string; surname?: string };
};
export type PayPalSubscription = {
  id: string;
  plan_id: string;
  status: "APPROVAL_PENDING" | "APPROVED" | "ACTIVE" | "SUSPENDED" | "CANCELLED" | "EXPIRED";
  status_change_note?: string;
  subscriber?: PayPalPerson;
  start_time?: string;
  create_time?: string;
  billing_info?: {
    next_billing_time?: string;
    cycle_executions?: { tenure_type: string; cycles_completed: number }[];
    failed_payments_count?: number;
    last_failed_payment?: { amount: PayPalAmount; reason_code?: string; next_payment_retry_time?: string };
  };
};
export type PayPalSale = {
  id: string;
  state: string;
  amount: PayPalSaleAmount;
  billing_agreement_id?: string;
  create_time: string;
};
export type PayPalSaleRefund = {
  id: string;
  sale_id: string;
  state: string;
  amount: PayPalSaleAmount;
  total_refunded_amount?: { value: string; currency: string };
};
export type PayPalCapture = {
  id: string;
  status: string;
  amount: PayPalAmount;
  supplementary_data?: { related_ids?: { order_id?: string } };
  create_time: string;
};
export type PayPalRefund = {
  id: string;
  status: string;
  amount: PayPalAmount;
  seller_payable_breakdown?: { total_refunded_amount?: PayPalAmount };
  links?: { rel: string; href: string }[];
};
export type PayPalOrder = {
  id: string;
  status: string;
  payer?: PayPalPerson;
  purchase_units?: { payments?: { captures?: { id: string }[] } }[];
};
export type PayPalDispute = {
  dispute_id: string;
  disputed_transactions?: { seller_transaction_id?: string }[];
  reason: string;
  status: string;
  dispute_amount: PayPalAmount;
  dispute_outcome?: { outcome_code?: string };
};
type Plan = { id: string; name?: string };

type Event<Type extends string, Resource> = {
  type: Type;
  id: string;
  event_type: Type;
  create_time: string;
  resource: Resource;
};

/** Amounts are in major units. */
export type PayPalEvent =
  | Event<
      | "BILLING.SUBSCRIPTION.CREATED"
      | "BILLING.SUBSCRIPTION.ACTIVATED"
      | "BILLING.SUBSCRIPTION.UPDATED"
      | "BILLING.SUBSCRIPTION.SUSPENDED"
      | "BILLING.SUBSCRIPTION.CANCELLED"
      | "BILLING.SUBSCRIPTION.EXPIRED"
      | "BILLING.SUBSCRIPTION.PAYMENT.FAILED",
      PayPalSubscription
    >
  | Event<"BILLING.PLAN.CREATED" | "BILLING.PLAN.UPDATED", Plan>
  | Event<"PAYMENT.SALE.COMPLETED", PayPalSale>
  | Event<"PAYMENT.SALE.REFUNDED", PayPalSaleRefund>
  | Event<"CHECKOUT.ORDER.APPROVED" | "CHECKOUT.ORDER.COMPLETED", PayPalOrder>
  | Event<"PAYMENT.CAPTURE.COMPLETED" | "PAYMENT.CAPTURE.DENIED" | "PAYMENT.CAPTURE.PENDING", PayPalCapture>
  | Event<"PAYMENT.CAPTURE.REFUNDED", PayPalRefund>
  | Event<"CUSTOMER.DISPUTE.CREATED" | "CUSTOMER.DISPUTE.UPDATED" | "CUSTOMER.DISPUTE.RESOLVED", PayPalDispute>;

const RANKS: ReadonlyMap<string, number> = new Map([
  ["BILLING.SUBSCRIPTION.CREATED", 1],
  ["BILLING.SUBSCRIPTION.ACTIVATED", 2],
  ["BILLING.SUBSCRIPTION.UPDATED", 2],
  ["BILLING.SUBSCRIPTION.SUSPENDED", 3],
  ["BILLING.SUBSCRIPTION.CANCELLED", 4],
  ["BILLING.SUBSCRIPTION.EXPIRED", 4],
]);

const read = readEvent<PayPalEvent>({
  what: "a PayPal event",
  id: "id",
  type: "event_type",
  time: [["create_time", "iso"]],
});

/**
 * PayPal: RSA with a certificate of PayPal, which the bridge fetches and keeps for an hour. The sandbox has
 * certificates of its own.
 * @see https://developer.paypal.com/api/rest/webhooks/rest/
 */
export const payPal: Handler<PayPalEvent> = {
  provider: "paypal",
  about: {
    title: "PayPal",
    secret: "PAYPAL_WEBHOOK_ID",
    setUp: "Apps & Credentials → app → Webhooks → webhook → Webhook ID",
  },
  scheme: { kind: "paypal" },
  read: async (request, content, now) => ({
    ...(await read(request, content, now)),
    test: /^https:\/\/api(-m)?\.sandbox\./.test(request.headers.get("PayPal-Cert-Url") ?? ""),
  }),
  rank: (type) => RANKS.get(type) ?? 0,
};
