import { describe, expect, test } from "vitest";
import ruleSet from "../../../../src/mappings/stripe.ts";
import { type Body, eventsOf, recorded } from "../recorded.ts";

const { event, eventNames, names, planFor, propertiesOf } = recorded(ruleSet);

describe("the transitions in an update of a subscription", () => {
  const DERIVED = [
    "upgraded",
    "downgraded",
    "cancelScheduled",
    "reactivated",
    "pastDue",
    "recovered",
    "trialEnding",
    "planChanged",
    "trialConverted",
    "collectionPaused",
    "collectionResumed",
  ];
  const UPDATED = "customer.subscription.updated";
  const MEANINGS: Readonly<Record<string, string[]>> = {
    "": ["cancelScheduled"],
    ".upgraded": ["upgraded"],
    ".upgraded.quantity": ["upgraded"],
    ".upgraded.several-items": ["upgraded"],
    ".upgraded.with-metered": ["upgraded"],
    ".upgraded.other-metered": ["upgraded"],
    ".upgraded.metered-added": ["upgraded"],
    ".upgraded.tiered": ["upgraded"],
    ".upgraded.old-api": ["upgraded"],
    ".upgraded.by-schedule": ["upgraded"],
    ".upgraded.yen": ["upgraded"],
    ".upgraded.three-decimals": ["upgraded"],
    ".downgraded": ["downgraded"],
    ".plan-changed.yearly": ["planChanged"],
    ".plan-changed.other-product": ["planChanged"],
    ".plan-changed.equal-price": ["planChanged"],
    ".plan-changed.other-currency": ["planChanged"],
    ".plan-changed.to-tiers": ["planChanged"],
    ".plan-changed.to-usage": ["planChanged"],
    ".trial-converted": ["trialConverted"],
    ".started": ["subscriptionStarted"],
    ".downgraded.old-api-quantity": ["downgraded"],
    ".cancel-scheduled.by-date": ["cancelScheduled"],
    ".cancel-scheduled.later": ["cancelScheduled"],
    ".cancel-feedback": ["cancellationFeedback"],
    ".cancel-scheduled.mixed-intervals": ["cancelScheduled"],
    ".reactivated": ["reactivated"],
    ".collection-paused": ["collectionPaused"],
    ".collection-resumed": ["collectionResumed"],
    ".past-due": ["pastDue"],
    ".past-due.cancel-scheduled": ["cancelScheduled", "pastDue"],
    ".trial-to-past-due": ["pastDue"],
    ".recovered": ["recovered"],
    ".metadata": [],
    ".discount-added": [],
    ".collection-paused.other-date": [],
    ".incomplete-expired": [],
    ".no-recurring": [],
    ".metered": [],
    ".renewed": [],
    ".renewed.old-api": [],
    ".same-price": [],
    ".unpaid": [],
  };

  test.each(Object.entries(MEANINGS))("%s", async (variant, meanings) => {
    expect(await eventNames(UPDATED + variant)).toEqual(meanings);
  });

  test("are listed here for every recorded update, and only trialEnding comes from another webhook", async () => {
    const updates = names.filter((name) => name.startsWith(UPDATED));
    expect(updates.toSorted()).toEqual(
      Object.keys(MEANINGS)
        .map((variant) => UPDATED + variant)
        .toSorted(),
    );
    const others = names.filter((name) => !name.startsWith(UPDATED));
    const derived = (await eventNames(...others)).filter((name) => DERIVED.includes(name));
    expect([...new Set(derived)]).toEqual(["trialEnding"]);
  });

  test("need the former values", async () => {
    for (const variant of Object.keys(MEANINGS)) {
      for (const former of [undefined, {}]) {
        const change = (body: Body) => Object.assign(body.data, { previous_attributes: former });
        expect(eventsOf((await planFor(UPDATED + variant, change)).deliveries), variant).toEqual([]);
      }
    }
  });

  test("are reversed in the reverse update", async () => {
    const turned = (body: Body) => {
      const { object, previous_attributes: former } = body.data;
      const now = Object.fromEntries(Object.keys(former).map((key) => [key, object[key]]));
      Object.assign(object, former);
      body.data.previous_attributes = now;
    };
    const opposite: Record<string, string> = {
      upgraded: "downgraded",
      downgraded: "upgraded",
      cancelScheduled: "reactivated",
      reactivated: "cancelScheduled",
      trialConverted: "",
      subscriptionStarted: "",
      pastDue: "recovered",
      recovered: "pastDue",
      planChanged: "planChanged",
      collectionPaused: "collectionResumed",
      collectionResumed: "collectionPaused",
    };
    for (const [variant, meanings] of Object.entries(MEANINGS)) {
      if (variant.includes("old-api")) continue; // Their items have no former list to swap.
      const derived = eventsOf((await planFor(UPDATED + variant, turned)).deliveries).map(({ name }) => name);
      expect(derived.toSorted(), variant).toEqual(meanings.flatMap((name) => opposite[name] || []).toSorted());
    }
  });

  test("have amounts per month", async () => {
    expect(await event(`${UPDATED}.plan-changed.yearly`)).toEqual({
      name: "planChanged",
      plan: "Pro yearly",
      previousPlan: "Pro",
      currency: "usd",
      planName: "Pro yearly",
      previousPlanName: "Pro",
      monthlyAmount: "$24.17",
      monthlyAmountValue: 24.17,
      previousMonthlyAmountValue: 29,
      interval: "year",
      previousCurrency: "usd",
      previousInterval: "month",
    });
    expect(await event(`${UPDATED}.downgraded`)).toMatchObject({ name: "downgraded", interval: "month" });
    expect(await event(`${UPDATED}.upgraded.old-api`)).toMatchObject({ plan: "Team", previousPlan: "Pro" });
    const quarterly = (body: Body) => {
      const [item] = body.data.object.items.data;
      Object.assign(item.price, { unit_amount: 7500, unit_amount_decimal: "7500" });
      item.price.recurring.interval_count = 3;
      item.price.product = "prod_other";
    };
    expect(await event(`${UPDATED}.upgraded`, quarterly)).toMatchObject({
      name: "planChanged",
      interval: "3 months",
      previousInterval: "month",
      monthlyAmountValue: 25,
    });
    const same = (body: Body) => {
      quarterly(body);
      body.data.object.items.data[0].price.product = { id: body.data.previous_attributes.items.data[0].price.product };
    };
    expect(await event(`${UPDATED}.upgraded`, same)).toMatchObject({
      name: "planChanged",
      interval: "3 months",
      previousInterval: "month",
    });
  });

  test("to another currency, to tiers or to metered prices are neither upgrade nor downgrade", async () => {
    const changes: ((item: Body) => void)[] = [
      (item) => Object.assign(item.price, { currency: "eur" }),
      (item) => Object.assign(item.price, { billing_scheme: "tiered", unit_amount: null, unit_amount_decimal: null }),
      (item) => Object.assign(item.price.recurring, { usage_type: "metered" }),
    ];
    for (const change of changes) {
      const { deliveries, outcomes } = await planFor(`${UPDATED}.upgraded`, (b) => change(b.data.object.items.data[0]));
      expect(eventsOf(deliveries)).toEqual([]);
      expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    }
  });

  test("to another product are a change of plan, where the price is equal or cannot be compared", async () => {
    const change = (variant: string) => event(`${UPDATED}.plan-changed.${variant}`);
    const pro = { name: "planChanged", previousPlan: "Pro", previousPlanName: "Pro", previousMonthlyAmountValue: 29 };
    expect(await change("equal-price")).toMatchObject({ ...pro, plan: "Studio", monthlyAmountValue: 29 });
    for (const [variant, plan] of [
      ["to-tiers", "Scale"],
      ["to-usage", "Pay as you go"],
    ] as const) {
      const changed = await change(variant);
      expect(changed).toMatchObject({ ...pro, plan, planName: plan });
      expect(changed).not.toHaveProperty("monthlyAmount");
    }
    expect(await change("other-currency")).toMatchObject({
      ...pro,
      plan: "Team",
      monthlyAmountValue: 99,
      currency: "usd",
      previousMonthlyAmountValue: 4500,
      previousCurrency: "jpy",
    });
  });

  test("from a null quantity count one unit", async () => {
    const former = (quantity: number | null) => (body: Body) => {
      body.data.previous_attributes.items.data[0].quantity = quantity;
    };
    const counted = await event(`${UPDATED}.upgraded`, former(1));
    expect(counted).toMatchObject({ name: "upgraded" });
    expect(await event(`${UPDATED}.upgraded`, former(null))).toEqual(counted);
  });

  test("of tiered items and beside metered items are compared as far as possible", async () => {
    const tiered = await event(`${UPDATED}.upgraded.tiered`);
    expect(tiered).toEqual({
      name: "upgraded",
      plan: "Seat",
      planName: "Seat",
      previousPlan: "Seat",
      previousPlanName: "Seat",
      currency: "usd",
      interval: "month",
    });
    const metered = await event(`${UPDATED}.upgraded.other-metered`);
    expect(metered).toMatchObject({ name: "upgraded", monthlyAmountValue: 99, previousMonthlyAmountValue: 29 });
    const onlyUse = (body: Body) => {
      for (const { items } of [body.data.object, body.data.previous_attributes]) items.data.shift();
    };
    expect(await event(`${UPDATED}.upgraded.other-metered`, onlyUse)).toBeUndefined();
  });

  test("cut a plan name that is too long", async () => {
    const long = (body: Body) => {
      for (const { items } of [body.data.object, body.data.previous_attributes])
        items.data[0].price.nickname = "x".repeat(600);
    };
    const { deliveries } = await planFor(`${UPDATED}.upgraded`, long);
    expect(deliveries[0]).toMatchObject({ properties: { plan: expect.stringMatching(/^x{497}…$/) } });
    expect(eventsOf(deliveries)[0]).toMatchObject({ previousPlan: expect.stringMatching(/^x{497}…$/) });
  });

  test("count fractions of a cent", async () => {
    const fraction = (item: Body, decimal: string) =>
      Object.assign(item.price, { unit_amount: null, unit_amount_decimal: decimal });
    const change = (was: string, is: string) => (body: Body) => {
      fraction(body.data.object.items.data[0], is);
      fraction(body.data.previous_attributes.items.data[0], was);
    };
    expect((await event(`${UPDATED}.upgraded`, change("0.05", "0.06")))?.name).toBe("upgraded");
    expect((await event(`${UPDATED}.upgraded`, change("0.06", "0.05")))?.name).toBe("downgraded");
  });

  test("schedule a cancellation by date, but not at the end of the period if the date differs", async () => {
    const later = (body: Body) => {
      body.data.object.cancel_at += 86_400;
    };
    const { deliveries } = await planFor(`${UPDATED}.cancel-scheduled.by-date`, later);
    expect(deliveries[0]).toMatchObject({ properties: { cancelAtPeriodEnd: false } });
    expect(eventsOf(deliveries)[0]).toMatchObject({ name: "cancelScheduled", endsAt: "2025-12-13T12:00:00.000Z" });
  });

  test("are none where the subscription has ended", async () => {
    for (const variant of ["", ".reactivated", ".recovered", ".past-due"]) {
      const ended = (body: Body) => Object.assign(body.data.object, { status: "canceled" });
      expect(eventsOf((await planFor(UPDATED + variant, ended)).deliveries), variant).toEqual([]);
    }
  });

  test("find the end of the period in each API version", async () => {
    expect(await propertiesOf(`${UPDATED}.renewed`)).toMatchObject({
      currentPeriodEnd: "2026-01-12T12:00:00.000Z",
    });
    expect(await propertiesOf(`${UPDATED}.renewed.old-api`)).toMatchObject({
      currentPeriodEnd: "2026-01-12T12:00:00.000Z",
      plan: "Pro",
    });
  });

  test("announce the end of a trial in advance only", async () => {
    expect(await event("customer.subscription.trial_will_end")).toMatchObject({
      name: "trialEnding",
      trialEndsAt: "2025-12-04T00:53:20.000Z",
    });
    expect(await eventNames("customer.subscription.trial_will_end.ended-now")).toEqual([]);
    const cancelled = (body: Body) => Object.assign(body.data.object, { status: "canceled" });
    expect(await event("customer.subscription.trial_will_end", cancelled)).toBeUndefined();
  });
});

test("a pause of the payments is an event of its own, and so is its end; another end is none", async () => {
  const prefix = "customer.subscription.updated.collection";
  expect(await eventNames(`${prefix}-paused`)).toEqual(["collectionPaused"]);
  expect(await event(`${prefix}-paused`)).toMatchObject({ behavior: "void", resumesAt: "2026-01-05T00:00:00.000Z" });
  expect(await eventNames(`${prefix}-paused.other-date`)).toEqual([]);
  expect(await eventNames(`${prefix}-resumed`)).toEqual(["collectionResumed"]);
  expect(await event("customer.subscription.paused.payment-failure")).toMatchObject({ cause: "first_payment_failure" });
});

test("a trial that ends without payment is past due, not converted", async () => {
  expect(await eventNames("customer.subscription.updated.trial-to-past-due")).toEqual(["pastDue"]);
});

test("a cancellation has the reason and what the customer wrote", async () => {
  expect(await event("customer.subscription.deleted.feedback")).toMatchObject({
    reason: "cancellation_requested",
    feedback: "too_expensive",
    comment: "We will be back in spring.",
  });
  expect(await event("customer.subscription.deleted.payment-failed")).toMatchObject({ reason: "payment_failed" });
});

test("a subscription with a scheduled cancellation has no date of a renewal", async () => {
  const ending = (body: Body) => Object.assign(body.data.object, { cancel_at_period_end: true });
  for (const name of ["collection-resumed", "trial-converted"]) {
    const of = (change?: (body: Body) => void) => event(`customer.subscription.updated.${name}`, change);
    expect(await of(), name).toHaveProperty("renewsAt", "2025-12-12T12:00:00.000Z");
    expect(await of(ending), name).not.toHaveProperty("renewsAt");
  }
});
