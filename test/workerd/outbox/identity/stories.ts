import auth0 from "../../../../src/mappings/auth0.ts";
import betterAuth from "../../../../src/mappings/better-auth.ts";
import chargebee from "../../../../src/mappings/chargebee.ts";
import clerk from "../../../../src/mappings/clerk.ts";
import dodo from "../../../../src/mappings/dodo.ts";
import generic from "../../../../src/mappings/generic.ts";
import { kindeRules } from "../../../../src/mappings/kinde.ts";
import lemonSqueezy from "../../../../src/mappings/lemon-squeezy.ts";
import logto from "../../../../src/mappings/logto.ts";
import mollie from "../../../../src/mappings/mollie.ts";
import paddle from "../../../../src/mappings/paddle.ts";
import payPal from "../../../../src/mappings/paypal.ts";
import polar from "../../../../src/mappings/polar.ts";
import razorpay from "../../../../src/mappings/razorpay.ts";
import revenueCat from "../../../../src/mappings/revenuecat.ts";
import shopify from "../../../../src/mappings/shopify.ts";
import square from "../../../../src/mappings/square.ts";
import stripe from "../../../../src/mappings/stripe.ts";
import stytch from "../../../../src/mappings/stytch.ts";
import supabaseDatabase from "../../../../src/mappings/supabase-database.ts";
import whop from "../../../../src/mappings/whop.ts";
import wooCommerce from "../../../../src/mappings/woocommerce.ts";
import workos from "../../../../src/mappings/workos.ts";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { toPlannedWebhook } from "../../../../src/routes/plan-deliveries.ts";
import type { PlannedDelivery, RuleSet } from "../../../../src/rules/types.ts";
import { requestOf } from "../../../unit/signed.ts";

const files = (import.meta as unknown as Vite).glob("../../../fixtures/*/*.json", {
  eager: true,
  query: "?raw",
  import: "default",
});

type Vite = { glob(pattern: string, options: object): Readonly<Record<string, string>> };

/** The address of sign-up and payment. The account later has another one. */
export const ADA = "ada@example.com";
const NEW = "ada.king@example.com";
const USER = "user_of_ada";

type Story = { ruleSet: RuleSet; webhooks: readonly (string | Moved)[]; ids?: readonly string[] };
type Moved = { moved: string };
const moved = (name: string): Moved => ({ moved: name });

/** Sign-up, invitation, change of the address, deletion. `ids`: the user ids in the fixtures. */
export const accounts: Readonly<Record<string, Story>> = {
  Clerk: {
    ruleSet: clerk,
    ids: ["user_35Lm8QzXcVbNmAsDfGhJkLpOiUy", "user_35NhYnUjMkIoLpQaZwSxEdCrFvT"],
    webhooks: [
      "organizationInvitation.created",
      "user.created",
      "organizationInvitation.accepted",
      "organizationMembership.created",
      moved("user.updated"),
      "organizationMembership.deleted",
      "user.deleted",
    ],
  },
  WorkOS: {
    ruleSet: workos,
    ids: ["user_01K9VXQZ4T6Y8B1D3F5H7K9M2P", "user_01K9VXQZ4T6Y8B1D3F5H7K9M2Q", "user_01K9VXQZ4T6Y8B1D3F5H7K9M2R"],
    webhooks: [
      "invitation.created",
      "user.created.unverified",
      "organization_membership.created",
      "authentication.email_verification_succeeded",
      "invitation.accepted",
      moved("user.updated"),
      "organization_membership.deleted",
      moved("user.deleted"),
    ],
  },
  Auth0: {
    ruleSet: auth0,
    ids: ["auth0|691474e1c1a2b3d4e5f60718"],
    webhooks: [
      "user.created",
      "user.updated.email-confirmed",
      "organization.member.added",
      "user.updated.email-changed",
      "organization.member.deleted",
      moved("user.deleted"),
    ],
  },
  Kinde: {
    ruleSet: kindeRules(true),
    ids: ["kp_5f1c0a9be7d84c6a9d3e2b1a0f9e8d7c"],
    webhooks: ["subscriber.created", "user.created", moved("user.updated"), "user.deleted"],
  },
  Logto: {
    ruleSet: logto,
    ids: ["q7w2e9r4t6y1"],
    webhooks: ["PostRegister", "User.Created", moved("User.Data.Updated"), moved("User.Deleted")],
  },
  Stytch: {
    ruleSet: stytch,
    ids: ["user-live-fde03dd1-fff7-4b3c-9b31-ead3fbc224de"],
    webhooks: ["direct.user.create", moved("direct.user.update"), "direct.user.delete"],
  },
  "Supabase database": {
    ruleSet: supabaseDatabase,
    ids: ["8484b834-f29e-4af2-bf42-80644d154f76"],
    webhooks: [
      "auth.users.INSERT",
      "auth.users.UPDATE.email-confirmed",
      "auth.users.UPDATE.email-changed",
      moved("auth.users.DELETE"),
    ],
  },
  "Better Auth": {
    ruleSet: betterAuth,
    ids: ["k9Vq2LxT7ZbR4mNcYwHs0PdFgJ6aE1uQ", "m3Xw8RfB5TyK1pQdLzJv7ChNsG2eU9oA"],
    webhooks: ["user.created", "user.verified", moved("user.updated"), moved("user.deleted")],
  },
  generic: {
    ruleSet: generic,
    ids: ["usr_1042"],
    webhooks: ["user.created", moved("user.updated"), moved("user.deleted")],
  },
};

/** Purchase and end of a subscription, with the address of the sign-up. */
export const purchases: Readonly<Record<string, Story>> = {
  Stripe: {
    ruleSet: stripe,
    webhooks: [
      "customer.created",
      "checkout.session.completed",
      "customer.subscription.created",
      "invoice.paid.first",
      "customer.subscription.deleted",
    ],
  },
  Paddle: {
    ruleSet: paddle,
    webhooks: ["customer.created", "subscription.created", "transaction.completed", "subscription.canceled"],
  },
  Polar: {
    ruleSet: polar,
    webhooks: ["customer.created", "subscription.created", "order.paid", "subscription.revoked"],
  },
  "Lemon Squeezy": {
    ruleSet: lemonSqueezy,
    webhooks: ["order_created", "subscription_created", "subscription_payment_success", "subscription_expired"],
  },
  Chargebee: {
    ruleSet: chargebee,
    webhooks: ["customer_created", "subscription_created", "payment_succeeded", "subscription_cancelled"],
  },
  PayPal: {
    ruleSet: payPal,
    webhooks: [
      "BILLING.SUBSCRIPTION.ACTIVATED",
      "PAYMENT.SALE.COMPLETED",
      "CHECKOUT.ORDER.COMPLETED",
      "PAYMENT.CAPTURE.REFUNDED",
      "BILLING.SUBSCRIPTION.CANCELLED",
    ],
  },
  Square: {
    ruleSet: square,
    webhooks: [
      "customer.created",
      "subscription.created",
      "payment.updated",
      "refund.updated",
      "subscription.updated.canceled",
    ],
  },
  Dodo: {
    ruleSet: dodo,
    webhooks: [
      "subscription.active",
      "subscription.renewed.first",
      "payment.succeeded.subscription",
      "license_key.created",
      "subscription.cancelled",
    ],
  },
  Whop: {
    ruleSet: whop,
    webhooks: [
      "membership.activated",
      "payment.succeeded",
      "refund.updated",
      "membership.cancel_at_period_end_changed",
      "membership.deactivated",
    ],
  },
  WooCommerce: {
    ruleSet: wooCommerce,
    webhooks: [
      "customer.created",
      "order.updated",
      "subscription.created",
      "order.updated.refunded-part",
      "subscription.updated.cancelled",
    ],
  },
  Mollie: { ruleSet: mollie, webhooks: ["sales-invoice.created", "sales-invoice.issued", "sales-invoice.paid"] },
  Razorpay: {
    ruleSet: razorpay,
    webhooks: ["subscription.activated", "subscription.charged", "payment.captured.invoice", "subscription.cancelled"],
  },
  RevenueCat: { ruleSet: revenueCat, ids: ["42"], webhooks: ["INITIAL_PURCHASE", "CANCELLATION", "EXPIRATION"] },
  Shopify: { ruleSet: shopify, webhooks: ["customers.create", "orders.paid", "orders.fulfilled", "refunds.create"] },
};

const SECOND = 1_000;

/** The planned webhooks of a story, from `start` (Unix ms) on, `apart` ms apart. The only template is "receipt". */
export const webhooksOf = (
  { ruleSet, ids = [], webhooks }: Story,
  start: number,
  apart = SECOND,
): Promise<PlannedWebhook[]> =>
  Promise.all(
    webhooks.map(async (step, place) => {
      const [name, address] = typeof step === "string" ? [step, ADA] : [step.moved, NEW];
      const { provider } = ruleSet.handler;
      const textOf = (ending: string) => files[`../../../fixtures/${provider}/${name}${ending}`];
      const body = JSON.parse(textOf(".json") ?? "null", (_, value) =>
        ids.includes(value) ? USER : PEOPLE.includes(value) ? address : value,
      );
      const headers = new Headers({ "svix-id": `${provider} ${place}`, "webhook-id": `${provider} ${place}` });
      for (const [key, value] of Object.entries(JSON.parse(textOf(".headers.json") ?? "{}")))
        headers.set(key, String(value));
      const occurredAt = start + place * apart;
      const envelope = await ruleSet.handler.read(requestOf({ headers, raw: "" }), body, occurredAt);
      const own = { ...envelope, id: `${provider} ${place}`, occurredAt, test: false };
      const source = { rules: ruleSet, secrets: [] };
      const planned = await toPlannedWebhook(provider, source as never, "{}", own, 1, occurredAt);
      return { ...planned, deliveries: planned.deliveries.map((delivery) => ({ ...delivery, ...template(delivery) })) };
    }),
  );

const PEOPLE: readonly unknown[] = [ADA, "grace@example.com", "linus@example.com"];

const template = ({ action }: PlannedDelivery) => (action === "transactional" ? { template: "receipt" } : {});
