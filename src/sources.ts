import clerk from "./mappings/clerk.ts";
import generic from "./mappings/generic.ts";
import stripe from "./mappings/stripe.ts";
import supabase from "./mappings/supabase.ts";
import type { RuleSet } from "./rules/types.ts";
import type { Handler } from "./webhook.ts";

/**
 * A source: a name in `POST /hooks/:source`, the rules of its provider, and the variable that holds its secret. With a
 * handler in place of rules, its webhooks are journalled and make no calls.
 */
export type Source = ({ rules: RuleSet; handler?: never } | { handler: Handler; rules?: never }) & {
  /**
   * Name of the secret. Several values, separated by spaces or `|`, are all accepted: that is how a secret is rotated.
   * Where people make up the secret, several are a JSON list: `["old one", "new one"]`.
   */
  secret: string;
  /**
   * `deliver`: test data (`livemode: false` and its like) makes calls as any other. Without it, test data is journalled
   * and shown, and its calls end as `skipped`.
   */
  testData?: "deliver";
  /** Plans and journals and sends nothing: every call ends as `skipped`. For a look at a new source or at new rules. */
  shadow?: true;
  /** Dotted paths of the body whose values are erased from the journal once every call has settled. */
  redact?: readonly string[];
  /** Seconds a signed timestamp may be off, where the provider's usual tolerance does not fit. */
  tolerance?: number;
};

/**
 * Every source this deployment accepts webhooks from. One provider may have several, each with its own secret:
 *
 *     "stripe-eu": { rules: stripe, secret: "STRIPE_EU_WEBHOOK_SECRET" },
 *
 * A provider without rules in `src/mappings` comes with its handler from `src/handlers`:
 *
 *     github: { handler: github, secret: "GITHUB_WEBHOOK_SECRET" },
 *     paddle: { handler: paddle, secret: "PADDLE_WEBHOOK_SECRET", tolerance: 5 },
 */
export const sources: Readonly<Record<string, Source>> = {
  stripe: { rules: stripe, secret: "STRIPE_WEBHOOK_SECRET" },
  clerk: { rules: clerk, secret: "CLERK_WEBHOOK_SECRET" },
  supabase: { rules: supabase, secret: "SUPABASE_HOOK_SECRET" },
  generic: { rules: generic, secret: "GENERIC_WEBHOOK_SECRET" },
};

/** How a source's provider signs and shapes its webhooks. */
export const handlerOf = (source: Source): Handler => source.rules?.handler ?? (source.handler as Handler);
