import { toHex } from "../../src/lib/util/hmac.ts";
import { randomId } from "../../src/lib/util/id.ts";
import userCreated from "../../test/fixtures/clerk/user.created.json" with { type: "json" };
import userDeleted from "../../test/fixtures/clerk/user.deleted.json" with { type: "json" };
import userUpdated from "../../test/fixtures/clerk/user.updated.json" with { type: "json" };
import genericUserCreated from "../../test/fixtures/generic/user.created.json" with { type: "json" };
import checkoutCompleted from "../../test/fixtures/stripe/checkout.session.completed.json" with { type: "json" };
import customerCreated from "../../test/fixtures/stripe/customer.created.json" with { type: "json" };
import subscriptionCreated from "../../test/fixtures/stripe/customer.subscription.created.trialing.json" with {
  type: "json",
};
import subscriptionDeleted from "../../test/fixtures/stripe/customer.subscription.deleted.json" with { type: "json" };
import subscriptionUpdated from "../../test/fixtures/stripe/customer.subscription.updated.json" with { type: "json" };
import customerUpdated from "../../test/fixtures/stripe/customer.updated.json" with { type: "json" };
import invoicePaid from "../../test/fixtures/stripe/invoice.paid.json" with { type: "json" };
import invoicePaymentFailed from "../../test/fixtures/stripe/invoice.payment_failed.json" with { type: "json" };
import sendEmail from "../../test/fixtures/supabase/send-email.json" with { type: "json" };
import sendEmailRecovery from "../../test/fixtures/supabase/send-email.recovery.json" with { type: "json" };
import sendEmailSignup from "../../test/fixtures/supabase/send-email.signup.json" with { type: "json" };
import { meant, UsageError } from "../lib/cli.ts";
import { assign } from "./assign.ts";
import { signStandard, signStripe } from "./sign.ts";

type Body = Record<string, unknown>;

/** Static imports work in both Node and workerd. */
const SAMPLES: Readonly<Record<string, Readonly<Record<string, Body>>>> = {
  stripe: {
    "checkout.session.completed": checkoutCompleted,
    "customer.created": customerCreated,
    "customer.updated": customerUpdated,
    "customer.subscription.created": subscriptionCreated,
    "customer.subscription.updated": subscriptionUpdated,
    "customer.subscription.deleted": subscriptionDeleted,
    "invoice.paid": invoicePaid,
    "invoice.payment_failed": invoicePaymentFailed,
  },
  clerk: { "user.created": userCreated, "user.updated": userUpdated, "user.deleted": userDeleted },
  supabase: {
    "send-email": sendEmail,
    "send-email.signup": sendEmailSignup,
    "send-email.recovery": sendEmailRecovery,
  },
  generic: { "user.created": genericUserCreated },
};

type Provider = {
  /** New values of every webhook, by path. `now`: Unix ms. */
  fresh(now: number): Readonly<Record<string, unknown>>;
  id?(body: Body): unknown;
  sign(secret: string, message: string, raw: string, timestamp: number): Promise<Record<string, string>>;
};

const messageId = () => randomId("msg", 27);

const PROVIDERS: Readonly<Record<string, Provider>> = {
  stripe: {
    fresh: (now) => ({ id: randomId("evt", 24), created: Math.floor(now / 1000) }),
    id: (body) => body.id,
    sign: async (secret, _message, raw, at) => ({ "stripe-signature": await signStripe(secret, raw, at) }),
  },
  clerk: {
    fresh: (now) => ({ timestamp: now }),
    sign: (secret, message, raw, at) => signStandard("svix", secret, message, raw, at),
  },
  supabase: {
    fresh: (now) => ({
      "metadata.uuid": crypto.randomUUID(),
      "metadata.time": new Date(now).toISOString(),
      "email_data.token_hash": toHex(crypto.getRandomValues(new Uint8Array(28))),
    }),
    id: (body) => (body.metadata as Body).uuid,
    sign: (secret, message, raw, at) => signStandard("webhook", secret, message, raw, at),
  },
  generic: {
    fresh: (now) => ({ timestamp: new Date(now).toISOString() }),
    sign: (secret, message, raw, at) => signStandard("webhook", secret, message, raw, at),
  },
};

/** Lists samples. The email kind follows the event type for Supabase. */
export const listSamples = (): { source: string; type: string }[] =>
  Object.entries(SAMPLES).flatMap(([source, types]) => Object.keys(types).map((type) => ({ source, type })));

/** Copies a sample's body. Throws on an unknown sample. */
export const sampleBody = (source: string, type: string): Body => {
  const types = Object.hasOwn(SAMPLES, source) ? SAMPLES[source] : undefined;
  if (!types) {
    throw new UsageError(`There are no samples of "${source}". ${meant(source, Object.keys(SAMPLES))}`);
  }
  const body = Object.hasOwn(types, type) ? types[type] : undefined;
  if (!body) throw new UsageError(`${source} has no sample "${type}". ${meant(type, Object.keys(types))}`);
  return structuredClone(body);
};

type SampleOptions = {
  secret: string;
  /** Unix ms of the webhook and its signature. */
  now: number;
  /** Values by path, replacing the fresh ones; see `assign`. */
  set?: Readonly<Record<string, unknown>> | undefined;
};

/** Signs a sample with a new id. Throws on an unknown sample or path, or a wrong secret. */
export const signedSample = async (
  source: string,
  type: string,
  { secret, now, set = {} }: SampleOptions,
): Promise<{ raw: string; headers: Record<string, string>; id: string }> => {
  const body = sampleBody(source, type);
  const provider = PROVIDERS[source];
  if (!provider) throw new Error(`Samples of "${source}" cannot be signed.`);
  for (const [path, value] of Object.entries({ ...provider.fresh(now), ...set })) assign(body, path, value);
  const raw = JSON.stringify(body);
  const message = messageId();
  const headers = await provider.sign(secret, message, raw, Math.floor(now / 1000));
  return {
    raw,
    headers: { "content-type": "application/json", ...headers },
    id: String(provider.id?.(body) ?? message),
  };
};
