import clerk from "./mappings/clerk.ts";
import generic from "./mappings/generic.ts";
import stripe from "./mappings/stripe.ts";
import supabase from "./mappings/supabase.ts";
import type { RuleSet } from "./rules/types.ts";

/** A source: a name in `POST /hooks/:source`, the rules of its provider, and the variable that holds its secret. */
export type Source = {
  rules: RuleSet;
  /** Name of the secret. Several values, separated by spaces or `|`, are all accepted: that is how a secret is rotated. */
  secret: string;
};

/** Every source this deployment accepts webhooks from. One provider may have several, each with its own secret. */
export const sources: Readonly<Record<string, Source>> = {
  stripe: { rules: stripe, secret: "STRIPE_WEBHOOK_SECRET" },
  clerk: { rules: clerk, secret: "CLERK_WEBHOOK_SECRET" },
  supabase: { rules: supabase, secret: "SUPABASE_HOOK_SECRET" },
  generic: { rules: generic, secret: "GENERIC_WEBHOOK_SECRET" },
};
