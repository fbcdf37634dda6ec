import { describe, expect, it } from "vitest";
import betterAuth from "../../../../src/mappings/better-auth.ts";
import dodo from "../../../../src/mappings/dodo.ts";
import { kindeRules } from "../../../../src/mappings/kinde.ts";
import lemonSqueezy from "../../../../src/mappings/lemon-squeezy.ts";
import razorpay from "../../../../src/mappings/razorpay.ts";
import square from "../../../../src/mappings/square.ts";
import wooCommerce from "../../../../src/mappings/woocommerce.ts";
import type { RuleSet } from "../../../../src/rules/types.ts";
import { createBench } from "../setup.ts";
import { planned } from "./planned.ts";

// biome-ignore lint/suspicious/noExplicitAny: a recorded body
type Body = any;

const fixtures = import.meta.glob<Body>("../../../fixtures/*/*.json", { import: "default" });

const ADA = "ada@example.com";
/** Mail and events of an older webhook are not sent. */
const START = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;
const STEP_MS = 60_000;

type Step = [webhook: string, ...events: string[]];
type Story = {
  ruleSet: RuleSet;
  link: { email: string } & ({ ref: string } | { userId: string });
  /** Event type; default: that of the body. */
  type?: (name: string) => string;
  steps: readonly Step[];
};

const STORIES: Readonly<Record<string, Story>> = {
  Square: {
    ruleSet: square,
    link: { ref: "square:JDKYHBWT1D4F8MFH63DBMEN8Y4", email: ADA },
    steps: [
      ["subscription.created", "subscriptionStarted"],
      ["subscription.updated.cancel-scheduled", "cancelScheduled"],
      ["subscription.updated.cancel-scheduled"],
      ["subscription.updated", "planChanged", "reactivated"],
      ["subscription.updated"],
      ["subscription.updated.paused", "subscriptionPaused"],
      ["subscription.updated.paused"],
      ["subscription.updated", "planChanged", "subscriptionResumed"],
      ["subscription.updated.canceled", "subscriptionCanceled"],
    ],
  },
  WooCommerce: {
    ruleSet: wooCommerce,
    link: { ref: "woocommerce:customer-25", email: ADA },
    type: (name) => name.split(".").slice(0, 2).join("."),
    steps: [
      ["subscription.created", "subscriptionStarted"],
      ["subscription.updated.on-hold", "pastDue"],
      ["subscription.updated.on-hold"],
      ["subscription.updated", "planChanged", "recovered"],
      ["subscription.updated.pending-cancel", "cancelScheduled"],
      ["subscription.updated.pending-cancel"],
      ["subscription.updated", "planChanged", "reactivated"],
      ["subscription.updated.cancelled", "subscriptionCanceled"],
    ],
  },
  "Better Auth": {
    ruleSet: betterAuth,
    link: { userId: "k9Vq2LxT7ZbR4mNcYwHs0PdFgJ6aE1uQ", email: ADA },
    steps: [
      ["subscription.created", "subscriptionStarted"],
      ["subscription.updated", "planChanged"],
      ["subscription.updated.past-due", "pastDue"],
      ["subscription.updated.past-due"],
      ["subscription.updated", "planChanged", "recovered"],
      ["subscription.canceled", "cancelScheduled"],
      ["subscription.updated", "planChanged", "reactivated"],
      ["subscription.deleted", "subscriptionCanceled"],
    ],
  },
  Dodo: {
    ruleSet: dodo,
    link: { ref: "dodo:cus_8VbC6JDZzPEqfBPUdpj0K", email: ADA },
    steps: [
      ["subscription.cancelled.scheduled", "cancelScheduled"],
      ["subscription.cancelled.scheduled"],
      ["subscription.updated", "reactivated"],
      ["subscription.updated"],
      ["subscription.plan_changed", "planChanged"],
      ["subscription.plan_changed"],
      ["subscription.updated", "planChanged"],
    ],
  },
  "Lemon Squeezy": {
    ruleSet: lemonSqueezy,
    link: { ref: "lemonsqueezy:4182733", email: ADA },
    type: (name) => name,
    steps: [
      ["subscription_created", "subscriptionStarted"],
      ["subscription_updated"],
      ["subscription_plan_changed", "planChanged"],
      ["subscription_updated", "planChanged"],
      ["subscription_updated"],
    ],
  },
  Razorpay: {
    ruleSet: razorpay,
    link: { ref: "razorpay:cust_RCw8Ye3lNmYx0U", email: ADA },
    steps: [
      ["subscription.updated"],
      ["subscription.charged"],
      ["subscription.updated", "planChanged"],
      ["subscription.updated"],
    ],
  },
};

const recorded = async (provider: string, name: string): Promise<Body> =>
  structuredClone(await fixtures[`../../../fixtures/${provider}/${name}.json`]?.());

describe.each(Object.entries(STORIES))(
  "the events of a subscription's state at %s",
  (_, { ruleSet, link, type, steps }) => {
    it("are told once each, while updates repeat the state", async () => {
      const { provider } = ruleSet.handler;
      const bench = await createBench();
      await bench.accept({ source: provider, eventId: "link", links: [link] });
      const told: string[][] = [];
      for (const [n, [name]] of steps.entries()) {
        const body = await recorded(provider, name);
        const own = type?.(name) ?? body.type ?? body.event;
        const before = bench.service.acted.length;
        const at = START + n * STEP_MS;
        await bench.deliveries(
          (
            await bench.accept(
              planned(ruleSet, { id: `${n}`, type: own, occurredAt: at, body: { ...body, type: own } }),
            )
          ).id,
        );
        const sent = bench.service.acted.slice(before).filter(({ path }) => path === "/v1/events/send");
        told.push([name, ...sent.map(({ body: event }) => String(event.eventName))]);
      }
      expect(told).toEqual(steps);
    });
  },
);

type PlanChange = Pick<Story, "ruleSet"> & {
  link?: Story["link"];
  before: string;
  changed: string;
  /** Other types that say the new plan at the same time. */
  beside: readonly string[];
  told: { plan: string; previousPlan: string };
};

const CHANGES: Readonly<Record<string, PlanChange>> = {
  Dodo: {
    ruleSet: dodo,
    before: "subscription.updated",
    changed: "subscription.plan_changed",
    beside: ["subscription.updated"],
    told: { plan: "pdt_TeamLmXw9TzB4nVc", previousPlan: "pdt_8Qk2LmXw9TzB4nVc" },
  },
  Kinde: {
    ruleSet: kindeRules(true),
    link: { userId: "kp_5f1c0a9be7d84c6a9d3e2b1a0f9e8d7c", email: ADA },
    before: "customer.plan_assigned",
    changed: "customer.plan_changed",
    beside: [],
    told: { plan: "customer_team_plan", previousPlan: "Pro" },
  },
  "Lemon Squeezy": {
    ruleSet: lemonSqueezy,
    before: "subscription_created",
    changed: "subscription_plan_changed",
    beside: ["subscription_updated"],
    told: { plan: "Team Monthly", previousPlan: "Pro Monthly" },
  },
};

describe.each(Object.entries(CHANGES))("a change of the plan at %s", (_, { ruleSet, link, told, ...types }) => {
  const { before, changed, beside } = types;
  const { provider } = ruleSet.handler;
  /** Webhooks of other types have the body of the change. */
  const at = async (n: number, type: string, name = type) => {
    const body = { ...(await recorded(provider, name)), type };
    return planned(ruleSet, { id: `${n}_${type}`, type, occurredAt: START + n * STEP_MS, body });
  };
  const changesAfter = async (earlier: readonly string[], ...arrivals: readonly string[]) => {
    const bench = await createBench();
    if (link) await bench.accept({ source: provider, eventId: "link", links: [link] });
    const webhooks = [...earlier.map((type) => at(0, type)), ...arrivals.map((type) => at(1, type, changed))];
    for (const webhook of webhooks) await bench.deliveries((await bench.accept(await webhook)).id);
    return bench.service.acted.flatMap(({ path, body }) =>
      path === "/v1/events/send" && body.eventName === "planChanged" ? [body.eventProperties] : [],
    );
  };

  it("is told once, with the former plan, in any order and by each of its webhooks alone", async () => {
    const orders = [[changed], beside, [changed, ...beside], [...beside, changed]].filter(({ length }) => length > 0);
    for (const order of orders)
      expect([order, await changesAfter([before], ...order)]).toEqual([order, [expect.objectContaining(told)]]);
  });

  it("is told without a former plan where none is known", async () => {
    const [change, ...others] = await changesAfter([], changed);
    expect(others).toEqual([]);
    expect(change).toMatchObject({ plan: told.plan });
    expect(change).not.toHaveProperty("previousPlan");
  });
});

describe.each(["Razorpay", "Square", "Dodo"])("another name in PLANS at %s", (name) => {
  it("is no change of the plan", async () => {
    const { ruleSet, link } = STORIES[name] as Story;
    const { provider } = ruleSet.handler;
    const type = "subscription.updated";
    const bench = await createBench();
    await bench.accept({ source: provider, eventId: "link", links: [link] });
    const body = await recorded(provider, type);
    const webhookOf = (n: number) => planned(ruleSet, { id: `${n}`, type, occurredAt: START + n * STEP_MS, body });
    const named = webhookOf(0);
    const deliveries = named.deliveries.map((one) =>
      one.action === "contact" ? { ...one, properties: { ...one.properties, plan: "Pro" } } : one,
    );
    for (const webhook of [{ ...named, deliveries }, webhookOf(1)])
      await bench.deliveries((await bench.accept(webhook)).id);
    const plans = bench.service.acted.flatMap(({ path, body: update }) =>
      path === "/v1/contacts/update" ? [(update.properties as { plan?: string }).plan] : [],
    );
    expect(plans).toEqual(["Pro", expect.not.stringMatching("Pro")]);
    expect(bench.service.acted.filter(({ body: event }) => event.eventName === "planChanged")).toEqual([]);
  });
});
