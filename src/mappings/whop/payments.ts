import { type WhopDispute, type WhopPayment, type WhopRefund, type WhopUser, whop } from "../../handlers/whop.ts";
import { decimal, moneyOf } from "../../rules/billing/decimal.ts";
import { customer, isKnown } from "../../rules/people/customer.ts";
import { firstName, lastName } from "../../rules/people/name.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";
import { iso } from "../../rules/values/iso.ts";

type Payment = { data: WhopPayment };
type Amount = { data: { amount: number; currency: string } };
type OfPayment = { data: Pick<WhopRefund | WhopDispute, "payment"> };

export const personOf = (user: WhopUser | null | undefined): Contact =>
  user?.email ? { email: user.email } : customer(user?.id);

const person = ({ data }: Payment) => personOf(data.user);
const payer = ({ data }: OfPayment) => personOf(data.payment?.user);

const payment = {
  amount: ({ data }: Payment) => moneyOf(data.total ?? 0, data.currency),
  amountValue: ({ data }: Payment) => decimal(data.total ?? 0),
  currency: ({ data }: Payment) => data.currency,
};
const amount = {
  amount: ({ data }: Amount) => moneyOf(data.amount, data.currency),
  amountValue: ({ data }: Amount) => decimal(data.amount),
  currency: ({ data }: Amount) => data.currency,
};
const product = ({ data }: Payment) => clip(data.product?.title);

const isPurchase = (e: Payment) => (e.data.total ?? 0) > 0 && isKnown(person(e));
const isCheckout = ({ data }: Payment) => ["one_time", "subscription_create"].includes(data.billing_reason ?? "");

export default rules(whop, [
  {
    name: "purchase",
    on: "payment.succeeded",
    when: isPurchase,
    contact: person,
    update: {
      whopUserId: (e) => e.data.user?.id,
      firstName: { guess: (e) => clip(firstName(e.data.user?.name)), from: "purchase" },
      lastName: { guess: (e) => clip(lastName(e.data.user?.name)), from: "purchase" },
      lastPurchaseAt: (e) => iso(e.data.paid_at ?? e.data.created_at),
      lastPurchaseAmount: payment.amountValue,
    },
  },
  {
    name: "checkout completed",
    on: "payment.succeeded",
    when: (e) => isCheckout(e) && isKnown(person(e)),
    contact: person,
    event: {
      name: "checkoutCompleted",
      properties: {
        ...payment,
        mode: (e) => (e.data.billing_reason === "one_time" ? "payment" : "subscription"),
        product,
      },
    },
  },
  {
    name: "subscription renewed",
    on: "payment.succeeded",
    when: (e) => e.data.billing_reason === "subscription_cycle" && isPurchase(e),
    contact: person,
    event: { name: "subscriptionRenewed", properties: { ...payment, plan: product, planName: product } },
  },
  {
    name: "payment failed",
    on: "payment.failed",
    when: (e) => isKnown(person(e)),
    contact: person,
    event: {
      name: "paymentFailed",
      properties: {
        ...payment,
        reason: (e) => clip(e.data.failure_message),
        attempt: (e) => e.data.payments_failed ?? undefined,
        nextAttemptAt: (e) => iso(e.data.next_payment_attempt),
      },
    },
  },
  {
    name: "refunded",
    on: ["refund.created", "refund.updated"],
    when: (e) => e.data.status === "succeeded" && isKnown(payer(e)),
    contact: payer,
    event: { name: "refunded", properties: amount },
  },
  {
    name: "refund failed",
    on: ["refund.created", "refund.updated"],
    when: (e) => e.data.status === "failed" && isKnown(payer(e)),
    contact: payer,
    event: { name: "refundFailed", properties: amount },
  },
  {
    name: "dispute created",
    on: "dispute.created",
    when: (e) => isKnown(payer(e)),
    contact: payer,
    event: { name: "disputeCreated", properties: { ...amount, reason: (e) => clip(e.data.reason) } },
  },
  {
    name: "dispute closed",
    on: "dispute.updated",
    when: (e) => ["won", "lost", "closed", "warning_closed"].includes(e.data.status) && isKnown(payer(e)),
    contact: payer,
    event: { name: "disputeClosed", properties: { ...amount, status: (e) => e.data.status } },
  },
  {
    name: "invoice overdue",
    on: "invoice.past_due",
    when: (e) => Boolean(e.data.email_address),
    contact: { email: (e) => e.data.email_address },
    event: {
      name: "invoiceOverdue",
      properties: { number: (e) => e.data.number, dueAt: (e) => iso(e.data.due_date) },
    },
  },
]);
