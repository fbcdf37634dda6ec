import { type KindeBilling, type KindeUser, kinde } from "../handlers/kinde.ts";
import { type Account, contactOf, linksOf } from "../rules/people/account.ts";
import { joined, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";

/**
 * Kinde's events do not show if an address is confirmed. With `false`, rules link no address and write no name. Set
 * `true` only if all addresses are confirmed.
 * @see https://docs.kinde.com/authenticate/authentication-methods/email-authentication/
 */
const ADDRESSES_ARE_VERIFIED: boolean = false;

type Billing = { data: KindeBilling };

/** An event for an organization's code would create an empty contact. */
const isUsers = ({ data }: Billing): boolean => Boolean(data.user_id);
/** One plan per customer. Unconfirmed: a plan change ends the former agreement. */
const id = (e: Billing) => e.data.customer_id;
const payer = { userId: (e: Billing) => e.data.user_id };
const plan = ({ data: { plan } }: Billing) => clip(plan?.name ?? plan?.code ?? plan?.key);
const named = { plan: plan, planName: (e: Billing) => clip(e.data.plan?.name) };

/**
 * Not mapped: `customer.agreement_created` (sent with `customer.plan_assigned` or `customer.plan_changed`) and
 * `customer.meter_usage_updated`.
 */
const byUserId = rules(kinde, [
  {
    // Keeps the contact and its unsubscription.
    name: "account deleted",
    on: "user.deleted",
    contact: { userId: (e) => e.data.user.id },
    event: { name: "accountDeleted" },
    remove: "unsubscribe",
  },
  {
    name: "subscription state",
    on: ["customer.plan_assigned", "customer.plan_changed"],
    when: isUsers,
    contact: payer,
    subscription: { id, status: "active", update: { plan: plan, subscriptionStatus: "active" } },
  },
  {
    name: "subscription started",
    on: "customer.plan_assigned",
    when: isUsers,
    contact: payer,
    event: { name: "subscriptionStarted", properties: named },
  },
  {
    name: "plan changed",
    on: "customer.plan_changed",
    when: isUsers,
    ifStored: { id, isNot: { plan } },
    contact: payer,
    event: { name: "planChanged", properties: { ...named, previousPlan: { stored: "plan" } } },
  },
  {
    name: "subscription canceled",
    on: "customer.agreement_cancelled",
    when: isUsers,
    contact: payer,
    subscription: { id, status: "canceled", update: { subscriptionStatus: "canceled" } },
    event: { name: "subscriptionCanceled", properties: named },
  },
  {
    name: "payment succeeded",
    on: "customer.payment_succeeded",
    when: isUsers,
    contact: payer,
    event: { name: "paymentSucceeded", properties: named },
  },
  {
    name: "payment failed",
    on: "customer.payment_failed",
    when: isUsers,
    contact: payer,
    event: { name: "paymentFailed", properties: named },
  },
  {
    name: "invoice overdue",
    on: "customer.invoice_overdue",
    when: isUsers,
    contact: payer,
    event: { name: "invoiceOverdue", properties: named },
  },
]);

/**
 * Kinde sends mail itself. Not mapped: `user.authenticated` and `organization.*`. Billing requires linked addresses.
 * Welcome mail for "signed up":
 *
 * transactional: { template: "welcome", variables: { name: (e) => clip(e.data.user.first_name) || "there" } },
 */
export const kindeRules = (verified: boolean) => {
  const account = (user: KindeUser): Account => ({ userId: user.id, email: user.email, verified });
  const people = rules(
    kinde,
    [
      {
        name: "user profile",
        on: ["user.created", "user.updated"],
        when: (e) => Boolean(e.data.user.email) && (verified || e.type === "user.created"),
        contact: (e) => contactOf(account(e.data.user)),
        // Creates a missing contact.
        update: verified
          ? {
              firstName: (e) => clip(e.data.user.first_name) || undefined,
              lastName: (e) => clip(e.data.user.last_name) || undefined,
            }
          : {},
      },
      {
        name: "signed up",
        on: "user.created",
        when: (e) => Boolean(e.data.user.email),
        contact: (e) => contactOf(account(e.data.user)),
        event: { name: "signedUp" },
      },
      // Anyone can enter any address: use the address alone and write no name.
      {
        name: "subscriber created",
        on: "subscriber.created",
        contact: { email: (e) => e.data.subscriber.email },
        event: { name: "subscriberCreated" },
      },
      {
        name: "access requested",
        on: "access_request.created",
        contact: { email: (e) => e.data.access_request.email },
        event: { name: "accessRequested" },
      },
    ],
    (e) =>
      e.type === "user.created" || e.type === "user.updated"
        ? linksOf(account(e.data.user), e.type === "user.created")
        : [],
    verified ? ["user.created", "user.updated"] : [],
  );
  // Without links, rules by user id would create empty contacts. Deletions create none.
  const deletions = { ...byUserId, rules: byUserId.rules.filter(({ remove }) => remove !== undefined) };
  return joined(kinde, [people, verified ? byUserId : deletions]);
};

export default kindeRules(ADDRESSES_ARE_VERIFIED);
