import auth0 from "./mappings/auth0.ts";
import chargebee from "./mappings/chargebee.ts";
import clerk from "./mappings/clerk.ts";
import generic from "./mappings/generic.ts";
import kinde from "./mappings/kinde.ts";
import lemonSqueezy from "./mappings/lemon-squeezy.ts";
import logto from "./mappings/logto.ts";
import paddle from "./mappings/paddle.ts";
import polar from "./mappings/polar.ts";
import revenueCat from "./mappings/revenuecat.ts";
import shopify from "./mappings/shopify.ts";
import stripe from "./mappings/stripe.ts";
import stytch from "./mappings/stytch.ts";
import supabase from "./mappings/supabase.ts";
import supabaseDatabase from "./mappings/supabase-database.ts";
import workos from "./mappings/workos.ts";
import type { SourceSettings } from "./outbox/model/source-settings.ts";
import type { RuleSet } from "./rules/types.ts";
import { duration } from "./rules/values/duration.ts";
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
  /** Seconds from 0 that a signed timestamp may be off, where the provider's usual tolerance does not fit. */
  tolerance?: number;
  /**
   * Ask the provider whose a customer is where no webhook has told it. `key`: the variable with a restricted key that
   * may read customers; while it is empty, nobody is asked. `userId`: the metadata field with your own id of the person,
   * if you keep one there. A variable of the same name with `_URL` for `_KEY` is another address of the API.
   */
  fetchBack?: { key: string; userId?: string };
  /** An alert when no webhook of this source came for so long: `6h`. */
  silentAfter?: string;
};

/**
 * Every source this deployment accepts webhooks from. One provider may have several, each with its own secret:
 *
 *     "stripe-eu": { rules: stripe, secret: "STRIPE_EU_WEBHOOK_SECRET" },
 *
 * A provider without rules in `src/mappings` comes with its handler from `src/handlers`:
 *
 *     github: { handler: github, secret: "GITHUB_WEBHOOK_SECRET" },
 *     linear: { handler: linear, secret: "LINEAR_WEBHOOK_SECRET", tolerance: 30 },
 */
export const sources: Readonly<Record<string, Source>> = {
  stripe: { rules: stripe, secret: "STRIPE_WEBHOOK_SECRET", fetchBack: { key: "STRIPE_API_KEY" } },
  clerk: { rules: clerk, secret: "CLERK_WEBHOOK_SECRET" },
  supabase: { rules: supabase, secret: "SUPABASE_HOOK_SECRET" },
  "supabase-database": { rules: supabaseDatabase, secret: "SUPABASE_DATABASE_WEBHOOK_SECRET" },
  auth0: { rules: auth0, secret: "AUTH0_WEBHOOK_SECRET" },
  workos: { rules: workos, secret: "WORKOS_WEBHOOK_SECRET" },
  kinde: { rules: kinde, secret: "KINDE_DOMAIN" },
  stytch: { rules: stytch, secret: "STYTCH_WEBHOOK_SECRET" },
  logto: { rules: logto, secret: "LOGTO_WEBHOOK_SECRET" },
  paddle: { rules: paddle, secret: "PADDLE_WEBHOOK_SECRET" },
  lemonsqueezy: { rules: lemonSqueezy, secret: "LEMONSQUEEZY_WEBHOOK_SECRET" },
  polar: { rules: polar, secret: "POLAR_WEBHOOK_SECRET" },
  chargebee: { rules: chargebee, secret: "CHARGEBEE_WEBHOOK_SECRET" },
  revenuecat: { rules: revenueCat, secret: "REVENUECAT_WEBHOOK_SECRET" },
  shopify: { rules: shopify, secret: "SHOPIFY_WEBHOOK_SECRET" },
  generic: { rules: generic, secret: "GENERIC_WEBHOOK_SECRET" },
};

/** How a source's provider signs and shapes its webhooks. */
export const handlerOf = (source: Source): Handler => source.rules?.handler ?? (source.handler as Handler);

/** Names of the variables with the key and with another address of the API of a source's provider. */
export const apiVariables = (source: Source): { key: string; url: string } => {
  const key = source.fetchBack?.key ?? `${handlerOf(source).provider.toUpperCase().replaceAll("-", "_")}_API_KEY`;
  return { key, url: key.endsWith("_KEY") ? `${key.slice(0, -"_KEY".length)}_URL` : `${key}_URL` };
};

/** What the Outbox needs to know of the sources. Throws where it cannot be, so that such a deployment never starts. */
export const settingsOf = (all: Readonly<Record<string, Source>>): Readonly<Record<string, SourceSettings>> =>
  Object.fromEntries(
    Object.entries(all).map(([name, source]) => {
      const { fetchBack, silentAfter, tolerance } = source;
      const { api, provider } = handlerOf(source);
      if (fetchBack && !api?.fetchBack) {
        throw new Error(`The source "${name}" has fetchBack, but ${provider} has no way to be asked. Take it out.`);
      }
      if (tolerance !== undefined && !(Number.isFinite(tolerance) && tolerance >= 0)) {
        throw new Error(
          `The tolerance of the source "${name}" has to be a number of seconds from 0, got ${tolerance}.`,
        );
      }
      const settings: SourceSettings = {
        ...(silentAfter === undefined ? {} : { silentAfter: duration(silentAfter) }),
        ...(fetchBack && api?.fetchBack
          ? {
              fetchBack: {
                ...{ with: api.fetchBack, baseUrl: api.baseUrl, ...apiVariables(source) },
                ...(fetchBack.userId === undefined ? {} : { userIdField: fetchBack.userId }),
              },
            }
          : {}),
      };
      return [name, settings];
    }),
  );
