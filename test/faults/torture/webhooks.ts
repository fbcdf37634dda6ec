import {
  clerkWebhook,
  genericWebhook,
  type Json,
  type Signed,
  stripeWebhook,
  supabaseHook,
} from "../../system/signed.ts";
import type { Planned } from "./plan.ts";

export type Made = Signed & { source: string; eventId: string };

/** The address of a person. Providers share no people. */
export const addressOf = ({ topic, person }: Pick<Planned, "topic" | "person">): string => {
  if (topic === "renewal") return `payer${person}@example.com`;
  if (topic === "sign-up" || topic === "profile" || topic === "account deleted") return `member${person}@example.com`;
  if (topic === "changed" || topic === "removed") return `reader${person}@example.com`;
  if (topic === "noted") return `writer${person}@example.com`;
  return topic === "code" ? `guest${person}@example.com` : `stranger${person}@example.com`;
};

/** The user id of a person. Undefined if the webhooks have none. */
export const userIdOf = (webhook: Pick<Planned, "topic" | "person">): string | undefined => {
  const { topic, person } = webhook;
  if (topic === "renewal") return undefined;
  if (topic === "code") return `00000000-0000-4000-8000-${String(person).padStart(12, "0")}`;
  return `user_${addressOf(webhook).split("@")[0]}`;
};

export const valueText = ({ n }: Pick<Planned, "n">): string => `v${n}`;
/** Minor units of the n-th payment. */
const amountOf = (n: number): number => (n + 1) * 100;

/**
 * Signs a webhook with `n` in all its values.
 *
 * @param base Unix ms, before the run: webhook `n` happened `n` seconds later
 */
export const make = (planned: Planned, base: number): Made => {
  const { topic } = planned;
  if (topic === "renewal") return renewal(planned, base);
  if (topic === "sign-up" || topic === "profile" || topic === "account deleted") return account(planned, base);
  if (topic === "code") return code(planned);
  return own(planned, base);
};

const renewal = (planned: Planned, base: number): Made => {
  const { n, person } = planned;
  const created = Math.floor(base / 1000) + n;
  const signed = stripeWebhook("invoice.paid", (event: Json) => {
    event.created = created;
    Object.assign(event.data.object, {
      billing_reason: "subscription_cycle",
      number: `INV-${n}`,
      id: `in_torture_${n}`,
      amount_paid: amountOf(n),
      amount_due: amountOf(n),
      customer: `cus_torture_${person}`,
      customer_email: addressOf(planned),
      status_transitions: { ...event.data.object.status_transitions, paid_at: created },
    });
  });
  return { ...signed, source: "stripe", eventId: (JSON.parse(signed.payload) as { id: string }).id };
};

const account = (planned: Planned, base: number): Made => {
  const { n, topic } = planned;
  const id = userIdOf(planned);
  const signed = clerkWebhook((event: Json) => {
    event.timestamp = base + n * 1000;
    if (topic === "account deleted") {
      Object.assign(event, { type: "user.deleted", data: { id, deleted: true, object: "user" } });
      return;
    }
    event.type = topic === "sign-up" ? "user.created" : "user.updated";
    Object.assign(event.data, { id, first_name: valueText(planned), last_name: null });
    event.data.email_addresses[0].email_address = addressOf(planned);
  });
  return { ...signed, source: "clerk", eventId: signed.headers["svix-id"] ?? "" };
};

const code = (planned: Planned): Made => {
  const signed = supabaseHook((hook: Json) => {
    Object.assign(hook.user, { id: userIdOf(planned), email: addressOf(planned) });
    hook.email_data.token = String(100_000 + planned.n);
  });
  const { metadata } = JSON.parse(signed.payload) as { metadata: { uuid: string } };
  return { ...signed, source: "supabase", eventId: metadata.uuid };
};

const own = (planned: Planned, base: number): Made => {
  const { n, topic } = planned;
  const email = addressOf(planned);
  const signed = genericWebhook({
    type: `person.${topic}`,
    timestamp: new Date(base + n * 1000).toISOString(),
    data: { userId: userIdOf(planned), email, value: valueText(planned), webhook: n },
  });
  return { ...signed, source: "generic", eventId: signed.headers["webhook-id"] ?? "" };
};
