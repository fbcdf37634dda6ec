import {
  type BetterAuthEvent,
  type BetterAuthSubscription,
  type BetterAuthUser,
  betterAuth,
} from "../handlers/better-auth.ts";
import { type Account, contactOf, formerContactOf, isOwn, linksOf } from "../rules/people/account.ts";
import { firstName, lastName } from "../rules/people/name.ts";
import { rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { iso } from "../rules/values/iso.ts";

const account = ({ id, email, emailVerified }: BetterAuthUser): Account => ({
  userId: id,
  email,
  verified: emailVerified,
});

type Subscription = { data: BetterAuthSubscription };

const payer = { userId: (e: Subscription) => e.data.userId };
const plan = ({ data }: Subscription) => clip(data.plan);
const named = { plan, planName: plan };
const id = ({ data }: Subscription) => data.id;
const isRunning = ({ data }: Subscription) => data.status === "active";
const isEnding = ({ data }: Subscription) => data.cancelAtPeriodEnd === true || Boolean(data.cancelAt);
const endsAt = ({ data }: Subscription) => iso(data.cancelAt ?? data.periodEnd);

// Subscriptions come from the plugin @better-auth/stripe. With the source "stripe", leave its hooks out: Stripe's own
// webhooks say more, and the same subscription would be told twice.
export default rules(
  betterAuth,
  [
    {
      name: "user profile",
      on: ["user.created", "user.updated", "user.verified"],
      when: (e) => isOwn(account(e.data)),
      contact: (e) => contactOf(account(e.data)),
      update: {
        firstName: { guess: (e) => firstName(clip(e.data.name)), from: "account" },
        lastName: { guess: (e) => lastName(clip(e.data.name)), from: "account" },
      },
    },
    {
      name: "signed up",
      on: "user.created",
      contact: (e) => contactOf(account(e.data)),
      event: { name: "signedUp", properties: { emailVerified: (e) => e.data.emailVerified } },
    },
    {
      name: "email confirmed",
      on: "user.verified",
      when: (e) => isOwn(account(e.data)),
      contact: (e) => contactOf(account(e.data)),
      event: { name: "emailConfirmed" },
    },
    {
      // Keeps the contact and its unsubscription.
      name: "account deleted",
      on: "user.deleted",
      contact: (e) => formerContactOf(account(e.data)),
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
    {
      name: "subscription state",
      on: ["subscription.created", "subscription.updated", "subscription.canceled", "subscription.deleted"],
      contact: payer,
      subscription: {
        id,
        status: (e) => e.data.status,
        startedAt: (e) => iso(e.data.trialStart ?? e.data.periodStart),
        update: {
          plan,
          subscriptionStatus: (e) => e.data.status,
          currentPeriodEnd: (e) => iso(e.data.periodEnd),
          cancelAtPeriodEnd: isEnding,
          trialEndsAt: (e) => iso(e.data.trialEnd),
        },
      },
    },
    {
      name: "subscription started",
      on: "subscription.created",
      when: (e) => e.data.status === "active" || e.data.status === "trialing",
      contact: payer,
      event: {
        name: "subscriptionStarted",
        properties: { ...named, status: (e) => e.data.status, interval: (e) => e.data.billingInterval },
      },
    },
    {
      name: "plan changed",
      on: "subscription.updated",
      when: isRunning,
      ifStored: { id, changed: { plan } },
      contact: payer,
      event: { name: "planChanged", properties: { ...named, previousPlan: { stored: "plan" } } },
    },
    {
      name: "reactivated",
      on: "subscription.updated",
      when: (e) => isRunning(e) && !isEnding(e),
      ifStored: { id, is: { cancelAtPeriodEnd: true } },
      contact: payer,
      event: { name: "reactivated", properties: { ...named, renewsAt: (e) => iso(e.data.periodEnd) } },
    },
    {
      name: "past due",
      on: "subscription.updated",
      when: (e) => e.data.status === "past_due",
      ifStored: { id, isNot: { subscriptionStatus: "past_due" } },
      contact: payer,
      event: { name: "pastDue", properties: { ...named, status: (e) => e.data.status } },
    },
    {
      name: "recovered",
      on: "subscription.updated",
      when: isRunning,
      ifStored: { id, is: { subscriptionStatus: "past_due" } },
      contact: payer,
      event: { name: "recovered", properties: named },
    },
    {
      name: "cancel scheduled",
      on: "subscription.canceled",
      contact: payer,
      event: {
        name: "cancelScheduled",
        properties: { ...named, endsAt, feedback: (e) => e.data.feedback, comment: (e) => clip(e.data.comment) },
      },
    },
    {
      name: "subscription canceled",
      on: "subscription.deleted",
      contact: payer,
      event: { name: "subscriptionCanceled", properties: named },
    },
  ],
  (e: BetterAuthEvent) => {
    switch (e.type) {
      case "user.created":
      case "user.updated":
      case "user.verified":
        return linksOf(account(e.data), e.type === "user.created");
      default:
        return [];
    }
  },
  ["user.created", "user.updated", "user.verified"],
);
