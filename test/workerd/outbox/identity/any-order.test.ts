import fc from "fast-check";
import { describe, expect, it } from "vitest";
import clerk from "../../../../src/mappings/clerk.ts";
import stripe from "../../../../src/mappings/stripe.ts";
import workos from "../../../../src/mappings/workos.ts";
import type { PlannedWebhook } from "../../../../src/outbox/model/types.ts";
import { plan } from "../../../../src/rules/evaluate.ts";
import type { PlannedCall, RuleSet } from "../../../../src/rules/types.ts";
import { createHost } from "../../simulation/host.ts";
import { createRandom } from "../../simulation/random.ts";
import { createBench } from "../setup.ts";

const START = 1_762_948_800_000;
const TEN_MINUTES = 600_000;
const ADA = "ada@example.com";
const NEW = "ada@new.example";

type Body = { type: string } & Record<string, unknown>;
type Story = { source: string; ruleSet: RuleSet; bodies: readonly Body[] }[];

/** The webhooks of a story as the routes give them to the Outbox. Each happened one second after the one before. */
const webhooksOf = (story: Story): Partial<PlannedWebhook>[] =>
  story.flatMap(({ source, ruleSet, bodies }, place) =>
    bodies.map((body, n) => {
      const { type } = body;
      const occurredAt = START + n * 1000 + place * 500;
      const eventId = `${source} ${n}`;
      const { calls, outcomes, links } = plan(ruleSet, { source, id: eventId, type, occurredAt, body });
      const keyed = calls.map((call) => ({
        ...call,
        ...template(call),
        key: `${eventId} ${call.rule} ${call.action}`,
      }));
      const rank = ruleSet.handler.rank?.(type) ?? 0;
      return { source, eventId, type, occurredAt, rank, raw: "{}", calls: keyed, outcomes, links };
    }),
  );

/** The only template that the configuration of the tests has. */
const template = ({ action }: PlannedCall) => (action === "transactional" ? { template: "receipt" } : {});

const clerkUser = (type: string, email: string, firstName: string) => ({
  type,
  data: {
    ...{ id: "user_1", first_name: firstName, last_name: "Lovelace", primary_email_address_id: "idn" },
    email_addresses: [{ id: "idn", email_address: email, verification: { status: "verified" } }],
  },
});
const organization = { id: "org_1", name: "Analytical Engines" };
const clerkMembership = (type: string) => ({
  type,
  data: { organization, role: "org:member", public_user_data: { user_id: "user_1" } },
});
const clerkStory = [
  {
    type: "organizationInvitation.created",
    data: { email_address: ADA, organization_id: "org_1", public_organization_data: organization },
  },
  clerkUser("user.created", ADA, "Ada"),
  { type: "organizationInvitation.accepted", data: { user_id: "user_1", organization_id: "org_1" } },
  clerkMembership("organizationMembership.created"),
  clerkUser("user.updated", NEW, "Augusta"),
  clerkMembership("organizationMembership.deleted"),
  { type: "user.deleted", data: { id: "user_1", deleted: true } },
];

const workosUser = (type: string, email: string, firstName: string | null, verified: boolean) => ({
  type,
  data: { id: "user_1", email, first_name: firstName, last_name: "Lovelace", email_verified: verified },
});
const workosMembership = (type: string) => ({
  type,
  data: { user_id: "user_1", organization_id: "org_1", status: "active", role: { slug: "member" } },
});
const workosStory = [
  { type: "invitation.created", data: { email: ADA, organization_id: "org_1" } },
  workosUser("user.created", ADA, "Ada", false),
  workosMembership("organization_membership.created"),
  { type: "authentication.email_verification_succeeded", data: { user_id: "user_1", email: ADA } },
  { type: "invitation.accepted", data: { email: ADA, accepted_user_id: "user_1", organization_id: "org_1" } },
  workosUser("user.updated", NEW, "Augusta", true),
  workosMembership("organization_membership.deleted"),
  workosUser("user.deleted", NEW, "Augusta", true),
];

const subscription = (type: string, status: string) => ({
  type,
  created: START / 1000,
  data: {
    object: {
      ...{ object: "subscription", id: "sub_1", customer: "cus_1", status, cancel_at_period_end: false },
      items: { data: [] },
    },
  },
});
const stripeStory = [
  { type: "customer.created", data: { object: { id: "cus_1", email: ADA, name: "Ada Lovelace" } } },
  {
    type: "checkout.session.completed",
    created: START / 1000,
    data: {
      object: {
        ...{ id: "cs_1", customer: "cus_1", customer_details: { email: ADA, name: "Ada" }, mode: "subscription" },
        ...{ payment_status: "paid", amount_total: 4900, currency: "usd", metadata: {} },
      },
    },
  },
  subscription("customer.subscription.created", "active"),
  subscription("customer.subscription.deleted", "canceled"),
];

/** Types that tie the user id to the address. */
const CREATED: readonly string[] = ["user.created", "authentication.email_verification_succeeded"];

/** Delivers the webhooks in an order, with gaps in ms, and gives what the host has at the end. */
const deliver = async (webhooks: readonly Partial<PlannedWebhook>[], gaps: readonly number[]) => {
  const { accept, calls, host, pass } = await createBench();
  const options = { takes: 0, faults: [], forbidden: [], taken: [], saysRetryAfter: false, ahead: 0 };
  const model = createHost(options, createRandom(1));
  let gone = false;
  const late: unknown[] = [];
  host.before = ({ path, body, key, at }) => {
    if (gone && path === "/v1/transactional") late.push(body);
    const { answer } = model.arrive({ path, body, ...(key === null ? {} : { key }) }, at);
    if (answer === "silent") return "hang";
    const { status, code, message = "", found } = answer;
    return Response.json(found ?? { success: status < 300, code, message }, { status });
  };
  const ids: string[] = [];
  const types = new Set<string>();
  let isTied = false;
  for (const [place, webhook] of webhooks.entries()) {
    ids.push((await accept(webhook)).id);
    types.add(webhook.type ?? "");
    // A mail by address alone can be stopped only once the address is tied to the removed user.
    isTied ||= (webhook.links ?? []).some(({ userId }) => userId !== undefined);
    gone ||= isTied && types.has("user.deleted");
    // Hours pass between a sign-up and a change of the address.
    await pass(CREATED.includes(webhook.type ?? "") ? 5_000 : (gaps[place] ?? 0));
  }
  const all = [];
  for (const id of ids) all.push(...(await calls(id, undefined, 2 * TEN_MINUTES)));
  return {
    contacts: model.contacts().map(({ id: _, changed: __, ...contact }) => contact),
    lost: all.filter(({ state }) => state === "dead" || state === "parked").map(({ rule, message }) => [rule, message]),
    late,
  };
};

/** An address change that arrives before the sign-up with the former address leaves the contact of that address as it is. */
const changesAfterSignUp = (webhooks: readonly Partial<PlannedWebhook>[]) => {
  const types = webhooks.map(({ type = "" }) => type);
  const change = types.indexOf("user.updated");
  return change < 0 || types.every((type, place) => !CREATED.includes(type) || place < change);
};

describe("the webhooks of one person end in one contact with the same state, in any order of arrival", () => {
  const stories: Record<string, Story> = {
    Clerk: [{ source: "clerk", ruleSet: clerk, bodies: clerkStory }],
    WorkOS: [{ source: "workos", ruleSet: workos, bodies: workosStory }],
    Stripe: [{ source: "stripe", ruleSet: stripe, bodies: stripeStory }],
    "Clerk and Stripe": [
      { source: "clerk", ruleSet: clerk, bodies: clerkStory },
      { source: "stripe", ruleSet: stripe, bodies: stripeStory },
    ],
    "WorkOS and Stripe": [
      { source: "workos", ruleSet: workos, bodies: workosStory },
      { source: "stripe", ruleSet: stripe, bodies: stripeStory },
    ],
  };

  it.each(Object.entries(stories))(
    "%s",
    async (_, story) => {
      const webhooks = webhooksOf(story).sort((a, b) => (a.occurredAt ?? 0) - (b.occurredAt ?? 0));
      expect(webhooks.flatMap(({ outcomes = [] }) => outcomes.filter(({ outcome }) => outcome === "failed"))).toEqual(
        [],
      );
      const inOrder = await deliver(
        webhooks,
        webhooks.map(() => 2_000),
      );
      expect(inOrder).toMatchObject({ contacts: [{}], lost: [], late: [] });
      const orders = fc.shuffledSubarray(webhooks, { minLength: webhooks.length }).filter(changesAfterSignUp);
      const gaps = fc.array(fc.constantFrom(0, 1, 700, 3_000), {
        minLength: webhooks.length,
        maxLength: webhooks.length,
      });
      await fc.assert(
        fc.asyncProperty(orders, gaps, async (order, gap) => {
          expect(await deliver(order, gap)).toEqual(inOrder);
        }),
        { numRuns: 15, seed: 1 },
      );
    },
    120_000,
  );
});
