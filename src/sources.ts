import type { Scheme } from "./lib/signature/scheme.ts";
import auth0 from "./mappings/auth0.ts";
import betterAuth from "./mappings/better-auth.ts";
import chargebee from "./mappings/chargebee.ts";
import clerk from "./mappings/clerk.ts";
import dodo from "./mappings/dodo.ts";
import generic from "./mappings/generic.ts";
import kinde from "./mappings/kinde.ts";
import lemonSqueezy from "./mappings/lemon-squeezy.ts";
import logto from "./mappings/logto.ts";
import mollie from "./mappings/mollie.ts";
import paddle from "./mappings/paddle.ts";
import payPal from "./mappings/paypal.ts";
import polar from "./mappings/polar.ts";
import razorpay from "./mappings/razorpay.ts";
import revenueCat from "./mappings/revenuecat.ts";
import shopify from "./mappings/shopify.ts";
import square from "./mappings/square.ts";
import stripe from "./mappings/stripe.ts";
import stytch from "./mappings/stytch.ts";
import supabase from "./mappings/supabase.ts";
import supabaseDatabase from "./mappings/supabase-database.ts";
import whop from "./mappings/whop.ts";
import wooCommerce from "./mappings/woocommerce.ts";
import workos from "./mappings/workos.ts";
import type { SourceSettings } from "./outbox/model/source-settings.ts";
import { templatesOf, wrongTemplate } from "./rules/templates.ts";
import type { RuleSet } from "./rules/types.ts";
import { duration } from "./rules/values/duration.ts";
import type { Handler } from "./webhook.ts";

/** A named endpoint (`POST /hooks/:source`). With a handler instead of rules, webhooks make no deliveries. */
export type Source = ({ rules: RuleSet; handler?: never } | { handler: Handler; rules?: never }) & {
  /** Variable name. Several secrets are separated by spaces or `|`, or a JSON list: `["old one", "new one"]`. */
  secret: string;
  /** Header name of the secret, for unsigned providers such as Postmark: `X-Acme-Token`. */
  header?: string;
  /** `deliver` sends test data (`livemode: false`); otherwise it is `skipped`. */
  testData?: "deliver";
  /** Plan only: all deliveries are `skipped`. */
  planOnly?: true;
  /** Dotted body paths, erased when all deliveries are settled. */
  redact?: readonly string[];
  /** Seconds of allowed timestamp difference; replaces the provider's default. */
  tolerance?: number;
  /**
   * Asks the provider for unlinked customers, and for the data of thin events. `key`: variable with a restricted key; `userId`: metadata field.
   * A variable with `_URL` instead of `_KEY` replaces the base URL.
   */
  fetchBack?: { key: string; userId?: string };
  /** Raises an alert after this time without webhooks, such as `6h`. */
  silentAfter?: string;
};

/**
 * All sources of this deployment. One provider may have several:
 *
 * "stripe-eu": { rules: stripe, secret: "STRIPE_EU_WEBHOOK_SECRET" },
 *
 * A provider without rules uses its handler:
 *
 * github: { handler: github, secret: "GITHUB_WEBHOOK_SECRET" },
 */
export const sources: Readonly<Record<string, Source>> = {
  stripe: { rules: stripe, secret: "STRIPE_WEBHOOK_SECRET", fetchBack: { key: "STRIPE_API_KEY" } },
  clerk: { rules: clerk, secret: "CLERK_WEBHOOK_SECRET" },
  supabase: { rules: supabase, secret: "SUPABASE_HOOK_SECRET" },
  "supabase-database": { rules: supabaseDatabase, secret: "SUPABASE_DATABASE_WEBHOOK_SECRET" },
  auth0: { rules: auth0, secret: "AUTH0_WEBHOOK_SECRET" },
  "better-auth": { rules: betterAuth, secret: "BETTER_AUTH_WEBHOOK_SECRET" },
  workos: { rules: workos, secret: "WORKOS_WEBHOOK_SECRET" },
  kinde: { rules: kinde, secret: "KINDE_DOMAIN" },
  stytch: { rules: stytch, secret: "STYTCH_WEBHOOK_SECRET" },
  logto: { rules: logto, secret: "LOGTO_WEBHOOK_SECRET" },
  paddle: { rules: paddle, secret: "PADDLE_WEBHOOK_SECRET" },
  lemonsqueezy: { rules: lemonSqueezy, secret: "LEMONSQUEEZY_WEBHOOK_SECRET" },
  polar: { rules: polar, secret: "POLAR_WEBHOOK_SECRET" },
  chargebee: { rules: chargebee, secret: "CHARGEBEE_WEBHOOK_SECRET" },
  revenuecat: { rules: revenueCat, secret: "REVENUECAT_WEBHOOK_SECRET" },
  paypal: { rules: payPal, secret: "PAYPAL_WEBHOOK_ID" },
  dodo: { rules: dodo, secret: "DODO_WEBHOOK_SECRET" },
  mollie: { rules: mollie, secret: "MOLLIE_WEBHOOK_SECRET" },
  woocommerce: { rules: wooCommerce, secret: "WOOCOMMERCE_WEBHOOK_SECRET" },
  whop: { rules: whop, secret: "WHOP_WEBHOOK_SECRET" },
  square: { rules: square, secret: "SQUARE_WEBHOOK_SIGNATURE_KEY" },
  razorpay: { rules: razorpay, secret: "RAZORPAY_WEBHOOK_SECRET" },
  shopify: { rules: shopify, secret: "SHOPIFY_WEBHOOK_SECRET" },
  generic: { rules: generic, secret: "GENERIC_WEBHOOK_SECRET" },
};

export const handlerOf = (source: Source): Handler => source.rules?.handler ?? (source.handler as Handler);

/** Returns the provider's scheme, or the secret header. */
export const schemeOf = (source: Source): Scheme =>
  source.header === undefined ? handlerOf(source).scheme : { kind: "shared", headers: [{ header: source.header }] };

const wrongHeader = (source: Source): string | undefined => {
  const { scheme, about } = handlerOf(source);
  if (source.header === undefined) return undefined;
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(source.header)) return `"${source.header}" is not the name of a header`;
  return scheme.kind === "shared" && scheme.headers ? undefined : `${about.title} sends no header that you name`;
};

export const apiVariables = (source: Source): { key: string; url: string } => {
  const key = source.fetchBack?.key ?? `${handlerOf(source).provider.toUpperCase().replaceAll("-", "_")}_API_KEY`;
  return { key, url: key.endsWith("_KEY") ? `${key.slice(0, -"_KEY".length)}_URL` : `${key}_URL` };
};

const templatesIn = (name: string, { rules }: Source): NonNullable<SourceSettings["templates"]> => {
  const found = new Map<string, string>();
  for (const rule of rules?.rules ?? []) {
    const wrong = wrongTemplate(rule);
    if (wrong) throw new Error(`The rule "${rule.name}" of the source "${name}" has a wrong template: ${wrong}.`);
    for (const template of templatesOf(rule)) if (!found.has(template)) found.set(template, rule.name);
  }
  return [...found].map(([template, rule]) => ({ rule, template }));
};

/** Throws on invalid settings, so that the deployment never starts. */
export const settingsOf = (all: Readonly<Record<string, Source>>): Readonly<Record<string, SourceSettings>> =>
  Object.fromEntries(
    Object.entries(all).map(([name, source]) => {
      const { fetchBack, silentAfter, tolerance } = source;
      const { api, provider } = handlerOf(source);
      const wrong = wrongHeader(source);
      if (wrong) throw new Error(`The source "${name}" has a wrong header: ${wrong}.`);
      if (fetchBack && !api?.fetchBack) {
        throw new Error(
          `The source "${name}" has fetchBack, but it is not implemented for ${provider}. Remove fetchBack.`,
        );
      }
      if (tolerance !== undefined && !(Number.isFinite(tolerance) && tolerance >= 0)) {
        throw new Error(
          `The tolerance of the source "${name}" must be a number of seconds, 0 or more, got ${tolerance}.`,
        );
      }
      const settings: SourceSettings = {
        secret: source.secret,
        templates: templatesIn(name, source),
        ...(silentAfter === undefined ? {} : { silentAfter: duration(silentAfter) }),
        ...(fetchBack && api?.fetchBack
          ? {
              fetchBack: {
                with: api.fetchBack,
                baseUrl: api.baseUrl,
                ...apiVariables(source),
                ...(fetchBack.userId === undefined ? {} : { userIdField: fetchBack.userId }),
              },
            }
          : {}),
        ...(fetchBack && api?.thinEvents
          ? { thinEvents: { with: api.thinEvents, baseUrl: api.baseUrl, ...apiVariables(source) } }
          : {}),
      };
      return [name, settings];
    }),
  );
