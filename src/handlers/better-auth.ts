import { standard } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

export type BetterAuthUser = {
  id: string;
  email: string;
  emailVerified: boolean;
  name?: string | null;
  createdAt?: string;
  updatedAt?: string;
};

/** A subscription of Better Auth's Stripe plugin. `referenceId` may be an organization; `userId` is the payer. */
export type BetterAuthSubscription = {
  id: string;
  userId: string;
  referenceId?: string;
  plan: string;
  status: "incomplete" | "incomplete_expired" | "trialing" | "active" | "past_due" | "canceled" | "unpaid" | "paused";
  periodStart?: string | null;
  periodEnd?: string | null;
  trialStart?: string | null;
  trialEnd?: string | null;
  cancelAtPeriodEnd?: boolean | null;
  cancelAt?: string | null;
  seats?: number | null;
  billingInterval?: string | null;
  feedback?: string | null;
  comment?: string | null;
};

type Event<Type extends string, Data> = { type: Type; timestamp: string; test?: boolean; data: Data };

export type BetterAuthEvent =
  | Event<"user.created" | "user.updated" | "user.verified" | "user.deleted", BetterAuthUser>
  | Event<
      "subscription.created" | "subscription.updated" | "subscription.canceled" | "subscription.deleted",
      BetterAuthSubscription
    >;

const RANKS: ReadonlyMap<string, number> = new Map([
  ["created", 1],
  ["updated", 2],
  ["verified", 2],
  ["canceled", 3],
  ["deleted", 4],
]);

/**
 * Better Auth has no webhooks of its own: docs/better-auth.md has the plugin that posts its users and subscriptions as
 * Standard Webhooks.
 * @see https://www.better-auth.com/docs/concepts/database#database-hooks
 */
export const betterAuth: Handler<BetterAuthEvent> = {
  provider: "better-auth",
  about: {
    title: "Better Auth",
    secret: "BETTER_AUTH_WEBHOOK_SECRET",
    setUp: "the plugin of [Better Auth](better-auth.md): `whsec_…`, yours to make",
  },
  scheme: standard(["webhook"]),
  read: readEvent({
    what: "a webhook of the Better Auth plugin",
    id: { header: "webhook-id" },
    type: "type",
    time: [["timestamp", "iso"]],
    test: ({ test }) => test === true,
  }),
  rank: (type) =>
    type.startsWith("user.") || type.startsWith("subscription.")
      ? (RANKS.get(type.slice(type.lastIndexOf(".") + 1)) ?? 0)
      : 0,
};
