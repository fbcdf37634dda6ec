import { describe, expect, it } from "vitest";
import betterAuth from "../../../../src/mappings/better-auth.ts";
import dodo from "../../../../src/mappings/dodo.ts";
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
