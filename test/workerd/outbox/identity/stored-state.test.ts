import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import clerk from "../../../../src/mappings/clerk.ts";
import paddle from "../../../../src/mappings/paddle.ts";
import polar from "../../../../src/mappings/polar.ts";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { countRows } from "../journal/count-rows.ts";
import { type Bench, createBench } from "../setup.ts";
import { planned, stripeWebhook } from "./planned.ts";

const KIM = "kim@example.com";
/** Mail of an older webhook is not sent. */
const START = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

type State = {
  at: number;
  cancel?: boolean;
  pause?: boolean;
  price?: number;
  product?: string;
  currency?: string;
  interval?: string;
  status?: string;
  seats?: number;
  /** Prices of other items, by product. */
  beside?: Readonly<Record<string, number>>;
};

const paddleAt = ({ at, ...state }: State, type = "subscription.updated"): PlannedWebhook => {
  const { cancel, pause, price = 20, product = "Pro", currency = "USD", interval = "month", status = "active" } = state;
  const item = (name: string, amount: number, quantity: number) => ({
    status: "active",
    quantity,
    price: {
      id: `pri_${name}_${amount}`,
      description: "",
      unit_price: { amount: String(amount * 100), currency_code: currency },
      billing_cycle: { interval, frequency: 1 },
    },
    product: { id: `pro_${name}`, name },
  });
  const change = cancel ? "cancel" : pause ? "pause" : undefined;
  const data = {
    id: "sub_1",
    status,
    customer_id: "ctm_1",
    currency_code: currency,
    created_at: iso(START),
    next_billed_at: iso(START + 2_000_000_000),
    scheduled_change: change ? { action: change, effective_at: iso(START + 2_000_000_000) } : null,
    items: [
      item(product, price, state.seats ?? 1),
      ...Object.entries(state.beside ?? {}).map(([name, amount]) => item(name, amount, 1)),
    ],
    custom_data: null,
  };
  const id = `evt_${type}_${at}`;
  return planned(paddle, { id, type, occurredAt: at, body: { type, event_type: type, occurred_at: iso(at), data } });
};
const paddleLink = { source: "paddle", eventId: "evt_link", links: [{ ref: "paddle:ctm_1", email: KIM }] };

const eventsAt = ({ service }: Bench) =>
  service.acted
    .filter(({ path }) => path === "/v1/events/send")
    .map(({ body }) => ({ name: body.eventName, ...(body.eventProperties as object) }));
const namesAt = (bench: Bench) => eventsAt(bench).map(({ name }) => name);

const settled = async (bench: Bench, webhook: Partial<PlannedWebhook>) =>
  bench.deliveries((await bench.accept(webhook)).id);

const step = (n: number) => START + n * 60_000;

describe("an event of a state at Paddle", () => {
  const of = async (...webhooks: Partial<PlannedWebhook>[]) => {
    const bench = await createBench();
    await bench.accept(paddleLink);
    for (const webhook of webhooks) await settled(bench, webhook);
    return bench;
  };

  it("is told once while later updates repeat the state, again after it was withdrawn, and says why it is not made", async () => {
    const bench = await of(paddleAt({ at: step(0) }, "subscription.created"), paddleAt({ at: step(1), cancel: true }));
    const again = await settled(bench, paddleAt({ at: step(2), cancel: true }));
    expect(again.find(({ rule }) => rule === "cancel scheduled")).toMatchObject({
      state: "skipped",
      message: "Not made, by the stored state of paddle:sub_1: cancelAtPeriodEnd was true already.",
    });
    for (const one of [paddleAt({ at: step(3) }), paddleAt({ at: step(4), cancel: true })]) await settled(bench, one);
    expect(namesAt(bench)).toEqual(["subscriptionStarted", "cancelScheduled", "reactivated", "cancelScheduled"]);
  });

  it("is told where nothing of the subscription is stored, but no change is", async () => {
    expect(namesAt(await of(paddleAt({ at: step(1), cancel: true })))).toEqual(["cancelScheduled"]);
    expect(namesAt(await of(paddleAt({ at: step(1), price: 50 })))).toEqual([]);
  });

  it("of an older webhook than the stored state is not told", async () => {
    const bench = await of(
      paddleAt({ at: step(0) }),
      paddleAt({ at: step(2) }),
      paddleAt({ at: step(1), pause: true }),
    );
    expect(namesAt(bench)).toEqual([]);
  });

  it.each([
    ["dearer", { price: 50, product: "Team" }, "upgraded"],
    ["dearer by quantity or price alone", { price: 25 }, "upgraded"],
    ["cheaper", { price: 9, product: "Solo" }, "downgraded"],
    ["of the same price", { product: "Creator" }, "planChanged"],
    ["of another interval", { price: 200, interval: "year" }, "planChanged"],
    ["of another currency", { price: 35, product: "Creator", currency: "EUR" }, "planChanged"],
    ["the same", {}, undefined],
    ["the same, in another currency", { currency: "EUR" }, undefined],
  ] as const)("of a plan that is %s", async (_, change, name) => {
    const bench = await of(paddleAt({ at: step(0) }, "subscription.created"), paddleAt({ at: step(1), ...change }));
    const { product = "Pro" } = change as State;
    expect(eventsAt(bench).slice(1)).toEqual(
      name === undefined
        ? []
        : [
            expect.objectContaining({
              name,
              plan: product,
              previousPlan: "Pro",
              previousPlanName: "Pro",
              previousMonthlyAmountValue: 20,
              ...(name === "planChanged" ? { previousInterval: "month" } : {}),
            }),
          ],
    );
  });

  it.each([
    ["where a dearer item takes its place and seats went", { seats: 1, beside: { Support: 200 } }, "planChanged"],
    ["where an item came and more seats went", { seats: 1, beside: { Support: 5 } }, "downgraded"],
    ["with fewer seats alone", { seats: 1 }, "downgraded"],
    ["beside a new item", { beside: { Support: 5 } }, undefined],
  ] as const)("compares the bill like with like: a plan %s", async (_, change, name) => {
    const plan = { price: 90, product: "Scale", seats: 3 };
    const bench = await of(
      paddleAt({ at: step(0), ...plan }, "subscription.created"),
      paddleAt({ at: step(1), ...plan, ...change }),
    );
    expect(namesAt(bench).slice(1)).toEqual(name === undefined ? [] : [name]);
  });

  it("costs no row more than an update without such events", async () => {
    const bench = await of(paddleAt({ at: step(0) }, "subscription.created"));
    const rowsOf = (webhook: PlannedWebhook) => countRows(bench, () => settled(bench, webhook).then(() => {}));
    const quiet = await rowsOf({
      ...paddleAt({ at: step(1) }),
      deliveries: paddleAt({ at: step(1) }).deliveries.slice(0, 1),
    });
    expect(await rowsOf(paddleAt({ at: step(2) }))).toEqual(quiet);
  });

  it("keeps its decision over a crash, retries, a failed request and a replay", async () => {
    const bench = await of(paddleAt({ at: step(0) }, "subscription.created"));
    bench.service.before = ({ path }) => (path === "/v1/events/send" ? new Response("", { status: 500 }) : undefined);
    const upgrade = paddleAt({ at: step(1), price: 50, product: "Team" });
    const { id } = await bench.accept(upgrade);
    const [, first] = await bench.deliveries(id, (all) =>
      all.some(({ attempts, action }) => action === "event" && attempts.length > 0),
    );
    expect(first).toMatchObject({ rule: "upgraded", had: { plan: "Pro" } });
    await bench.crash();
    await bench.accept(upgrade);
    await bench.accept(paddleAt({ at: step(2), price: 50, product: "Team" }));
    bench.service.before = () => undefined;
    await bench.deliveries(id, undefined, 60_000);
    await bench.pass(60_000);
    expect(eventsAt(bench).slice(1)).toEqual([expect.objectContaining({ name: "upgraded", previousPlan: "Pro" })]);
  });

  it("is told exactly when the stored state changes, for any order of arrival and any repeats", async () => {
    const tell = (cancel: boolean, before: boolean | undefined) =>
      cancel ? (before === true ? undefined : "cancelScheduled") : before === true ? "reactivated" : undefined;
    const history = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 });
    const arrivals = fc.array(
      fc.record({
        which: fc.nat(),
        gap: fc.constantFrom(0, 0, 700, 60_000),
        fault: fc.constantFrom("", "", "500", "crash"),
      }),
      { minLength: 1, maxLength: 10 },
    );
    await fc.assert(
      fc.asyncProperty(history, arrivals, async (states, order) => {
        const bench = await createBench();
        await bench.accept(paddleLink);
        const known = new Set<number>();
        const told: (string | undefined)[] = [];
        let newest = -1;
        let stored: boolean | undefined;
        for (const { which, gap, fault } of order) {
          const n = which % states.length;
          if (!known.has(n) && n > newest) {
            told.push(tell(states[n] === true, stored));
            stored = states[n] === true;
            newest = n;
          }
          known.add(n);
          let failures = fault === "" ? 0 : 1;
          bench.service.after = () =>
            failures-- > 0 ? (fault === "500" ? new Response("", { status: 500 }) : "hang") : undefined;
          await bench.accept(paddleAt({ at: step(n), cancel: states[n] === true }));
          await bench.pass(gap);
          // The email service has acted, and its answer is lost.
          if (fault === "crash") await bench.crash();
        }
        await bench.pass(600_000);
        expect(namesAt(bench)).toEqual(told.filter(Boolean));
      }),
      { numRuns: inject("orders") },
    );
  });
});

describe("an event of a state", () => {
  it("at Polar: a scheduled pause is told once, from any webhook that shows it", async () => {
    const at = (n: number, type: string, more: object) => {
      const data = {
        id: "ps_1",
        status: "active",
        customer_id: "pc_1",
        currency: "usd",
        amount: 2_000,
        recurring_interval: "month",
        recurring_interval_count: 1,
        cancel_at_period_end: false,
        created_at: iso(START),
        current_period_end: iso(START + 2_000_000_000),
        customer: { id: "pc_1", email: KIM, name: "Kim" },
        product: { id: "pp_1", name: "Pro" },
        ...more,
      };
      return planned(polar, {
        id: `${type}_${n}`,
        type,
        occurredAt: step(n),
        body: { type, timestamp: iso(step(n)), data },
      });
    };
    const bench = await createBench();
    for (const webhook of [
      at(0, "subscription.created", {}),
      at(1, "subscription.active", { pause_at_period_end: true }),
      at(2, "subscription.updated", { pause_at_period_end: true }),
      at(3, "subscription.updated", { pause_at_period_end: true, amount: 5_000 }),
      at(4, "subscription.updated", {}),
      at(5, "subscription.updated", { pause_at_period_end: true }),
    ])
      await settled(bench, webhook);
    expect(namesAt(bench)).toEqual([
      "subscriptionStarted",
      "pauseScheduled",
      "upgraded",
      "downgraded",
      "pauseScheduled",
    ]);
  });

  it("at Clerk: the invitation from the waitlist is told once", async () => {
    const at = (n: number, status: string) => {
      const type = "waitlistEntry.updated";
      const data = { id: "wle_1", email_address: KIM, status };
      return planned(clerk, { id: `w_${n}`, type, occurredAt: step(n), body: { type, data } });
    };
    const bench = await createBench();
    for (const webhook of [at(0, "pending"), at(1, "invited"), at(2, "invited"), at(3, "completed")])
      await settled(bench, webhook);
    expect(namesAt(bench)).toEqual(["waitlistInvited"]);
    expect(bench.service.acted.at(-1)?.body).toMatchObject({ properties: { waitlistStatus: "completed" } });
  });
});

const subscriptionAt = (n: number, id: string, type: string, more: object = {}, former?: Record<string, unknown>) =>
  stripeWebhook(
    `customer.subscription.${type}`,
    {
      id,
      object: "subscription",
      customer: "cus_1",
      status: type === "deleted" ? "canceled" : "active",
      created: START / 1000,
      currency: "usd",
      items: { data: [] },
      trial_end: null,
      cancel_at: null,
      cancel_at_period_end: false,
      ...more,
    },
    step(n),
    former,
  );
const customerAt = (n: number, type: string) =>
  stripeWebhook(`customer.${type}`, { id: "cus_1", object: "customer", email: KIM, name: "Kim Berg" }, step(n));
const mailsAt = ({ service }: Bench) => service.acted.filter(({ path }) => path === "/v1/transactional").length;
const templates = { TEMPLATES: { cancellation: "tpl_cancellation", "ended-unpaid": "tpl_ended_unpaid" } };
const benchWithMail = () => createBench(({ env }) => ({ env: { ...env, ...templates } }));

describe("the goodbye mail", () => {
  const of = async (...webhooks: PlannedWebhook[]) => {
    const bench = await benchWithMail();
    const receipts = await bench.acceptAll([customerAt(0, "created"), ...webhooks]);
    await bench.pass(10_000);
    const all = await Promise.all(receipts.map(({ id }) => bench.webhook(id)));
    const mails = all.flatMap(({ deliveries }) => deliveries.filter(({ action }) => action === "transactional"));
    return { sent: mailsAt(bench), mails };
  };
  const [first, second] = [subscriptionAt(1, "sub_1", "created"), subscriptionAt(2, "sub_2", "created")];
  const ended = subscriptionAt(3, "sub_1", "deleted");

  it("is sent where the person has no other subscription", async () => {
    expect(await of(first, ended)).toMatchObject({ sent: 1, mails: [{ state: "done" }] });
  });

  it.each([
    ["before", [first, second, ended]],
    ["right after", [first, ended, second]],
  ])("is not sent where another one runs that arrived %s the end", async (_, webhooks) => {
    expect(await of(...webhooks)).toMatchObject({
      sent: 0,
      mails: [
        { state: "skipped", message: "Not made, because the person has another running subscription: stripe:sub_2." },
      ],
    });
  });

  it.each([
    ["incomplete", 1],
    ["incomplete_expired", 1],
    ["unpaid", 1],
    ["past_due", 0],
    ["paused", 0],
  ])("where the other one is %s, is sent %i times", async (status, sent) => {
    expect((await of(first, subscriptionAt(2, "sub_2", "created", { status }), ended)).sent).toBe(sent);
  });

  it.each([700, 3_600_000])("looks at what arrived before the customer was known, %i ms after the end", async (gap) => {
    const bench = await benchWithMail();
    const { id } = await bench.accept(ended);
    await bench.pass(gap);
    await bench.accept(second);
    await bench.pass(gap);
    await bench.accept(customerAt(0, "created"));
    await bench.pass(10_000);
    const mail = (await bench.webhook(id)).deliveries.find(({ action }) => action === "transactional");
    expect(mail).toMatchObject({ state: "skipped", message: expect.stringContaining("stripe:sub_2") });
  });

  it("waits its two seconds where the customer becomes known meanwhile", async () => {
    const bench = await benchWithMail();
    const { id } = await bench.accept(ended);
    await bench.pass(100);
    await bench.accept(customerAt(0, "created"));
    await bench.pass(1_000);
    await bench.accept(second);
    await bench.pass(10_000);
    expect(mailsAt(bench)).toBe(0);
    const mail = (await bench.webhook(id)).deliveries.find(({ action }) => action === "transactional");
    expect(mail).toMatchObject({ state: "skipped" });
  });

  it("is sent of both subscriptions, where both end at once", async () => {
    expect((await of(first, second, ended, subscriptionAt(4, "sub_2", "deleted"))).sent).toBe(2);
  });

  it("is not sent of a scheduled end where another one runs", async () => {
    const scheduled = subscriptionAt(
      3,
      "sub_1",
      "updated",
      { cancel_at_period_end: true },
      { cancel_at_period_end: false },
    );
    expect((await of(first, scheduled)).sent).toBe(1);
    expect((await of(first, second, scheduled)).sent).toBe(0);
  });

  it.each([
    ["after", [first, customerAt(2, "deleted"), ended]],
    ["in the moment of", [first, ended, customerAt(4, "deleted")]],
  ])("is not sent %s the deletion of the customer", async (_, webhooks) => {
    const { sent, mails } = await of(...webhooks);
    expect({ sent, mails }).toMatchObject({
      sent: 0,
      mails: [
        { state: "skipped", message: "Not made, by the stored state of stripe:cus_1: deleted was true already." },
      ],
    });
  });

  it("has a template of its own where the payment failed", async () => {
    const unpaid = subscriptionAt(3, "sub_1", "deleted", { cancellation_details: { reason: "payment_failed" } });
    expect(await of(first, unpaid)).toMatchObject({ sent: 1, mails: [{ template: "ended-unpaid" }] });
  });

  it("is decided by what arrived until two seconds after it, for any order of arrival", async () => {
    const webhooks = ["sub_1", "sub_2"].flatMap((id, n) => [
      { id, runs: true, webhook: subscriptionAt(n, id, "created") },
      { id, runs: false, webhook: subscriptionAt(n + 5, id, "deleted") },
    ]);
    const gaps = fc.array(fc.constantFrom(0, 700, 60_000), { minLength: 4, maxLength: 4 });
    const order = fc.shuffledSubarray(webhooks, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(order, gaps, async (arrived, gap) => {
        const bench = await benchWithMail();
        await bench.accept(customerAt(0, "created"));
        await bench.pass(5_000);
        let at = 0;
        const arrivals: { id: string; runs: boolean; at: number }[] = [];
        for (const [n, { id, runs, webhook }] of arrived.entries()) {
          arrivals.push({ id, runs, at });
          await bench.accept(webhook);
          await bench.pass(gap[n] ?? 0);
          at += gap[n] ?? 0;
        }
        await bench.pass(60_000);
        const runsAt = (id: string, time: number) => {
          const known = arrivals.filter((one) => one.id === id && one.at < time + 2_000);
          return known.length > 0 && known.every(({ runs }) => runs);
        };
        const sent = arrivals.filter(
          ({ id, runs, at: time }) => !runs && !runsAt(id === "sub_1" ? "sub_2" : "sub_1", time),
        );
        expect(mailsAt(bench)).toBe(sent.length);
      }),
      { numRuns: inject("orders") },
    );
  });
});

describe("the words of a cancellation at the portal", () => {
  it("make one event, whichever update they come with", async () => {
    const asked = { cancel_at: START / 1000 + 99, cancellation_details: { reason: "cancellation_requested" } };
    const words = { feedback: "too_expensive", comment: "Too dear for us", reason: "cancellation_requested" };
    const chosen = { ...asked, cancellation_details: { ...words, comment: null } };
    const later = { ...asked, cancellation_details: words };
    const bench = await benchWithMail();
    for (const webhook of [
      customerAt(0, "created"),
      subscriptionAt(1, "sub_1", "created"),
      subscriptionAt(2, "sub_1", "updated", asked, { cancel_at: null, cancellation_details: { reason: null } }),
      subscriptionAt(3, "sub_1", "updated", chosen, { cancellation_details: { feedback: null } }),
      subscriptionAt(4, "sub_1", "updated", chosen, { metadata: {} }),
      subscriptionAt(5, "sub_1", "updated", later, { cancellation_details: { comment: null } }),
      subscriptionAt(6, "sub_1", "updated", later, { metadata: {} }),
    ])
      await settled(bench, webhook);
    expect(eventsAt(bench)).toEqual([
      expect.objectContaining({ name: "subscriptionStarted" }),
      expect.not.objectContaining({ feedback: expect.anything() }),
      { name: "cancellationFeedback", reason: words.reason, feedback: words.feedback },
      { name: "cancellationFeedback", ...words },
    ]);
  });
});

describe("a webhook with all active subscriptions of a customer", () => {
  const customer = { id: "pc_1", email: KIM, name: "Kim", deleted_at: null };
  const listed = (id: string) => ({
    id,
    status: "active",
    product_id: "pp_1",
    cancel_at_period_end: false,
    created_at: iso(START),
    current_period_end: iso(START + 1_000_000),
  });
  const activeAt = (n: number, ...ids: string[]) => {
    const active = ids.map(listed);
    const [type, at] = ["customer.state_changed", step(n)];
    const data = { ...customer, active_subscriptions: active };
    return planned(polar, { id: `state_${n}`, type, occurredAt: at, body: { type, timestamp: iso(at), data } });
  };
  const statusOf = async (...webhooks: PlannedWebhook[]) => {
    const bench = await createBench();
    for (const webhook of webhooks) await settled(bench, webhook);
    const bodies = bench.service.acted.map(({ body }) => body.properties as object);
    return (Object.assign({}, ...bodies) as { subscriptionStatus?: string }).subscriptionStatus;
  };

  it("starts those that are in it, and ends those that are not", async () => {
    expect(await statusOf(activeAt(1, "a"))).toBe("active");
    expect(await statusOf(activeAt(1, "a"), activeAt(2))).toBe("canceled");
    expect(await statusOf(activeAt(1, "a", "b"), activeAt(2, "b"))).toBe("active");
    expect(await statusOf(activeAt(1, "a"), activeAt(2), activeAt(3, "a"))).toBe("active");
  });

  it("tells the start of a new one once, beside subscription.created too, and none of an older one", async () => {
    const own = (type: string, n: number, more: object = {}) => {
      const data = {
        ...listed("a"),
        ...more,
        customer_id: "pc_1",
        customer,
        currency: "usd",
        amount: 2_000,
        recurring_interval: "month",
        product: { id: "pp_1", name: "Pro" },
      };
      const at = step(n);
      return planned(polar, { id: `${type}_${n}`, type, occurredAt: at, body: { type, timestamp: iso(at), data } });
    };
    const startsIn = async (...webhooks: PlannedWebhook[]) => {
      const bench = await createBench();
      for (const webhook of webhooks) await settled(bench, webhook);
      return eventsAt(bench).filter(({ name }) => name === "subscriptionStarted");
    };
    expect(await startsIn(activeAt(1, "a"), activeAt(2, "a"))).toEqual([
      { name: "subscriptionStarted", plan: "pp_1", status: "active" },
    ]);
    expect(await startsIn(activeAt(61, "a"))).toEqual([]);
    const [created, updated, state] = [
      own("subscription.created", 1),
      own("subscription.updated", 1),
      activeAt(1, "a"),
    ];
    for (const order of [
      [created, state, updated],
      [created, updated, state],
      [state, created, updated],
      [state, updated, created],
      [updated, created, state],
      [updated, state, created],
    ])
      expect(await startsIn(...order)).toHaveLength(1);
    // A list that is too late to tell the start, and one of a subscription that was not paid when it was made.
    const incomplete = own("subscription.created", 1, { status: "incomplete" });
    for (const [list, one] of [
      [activeAt(61, "a"), created],
      [activeAt(2, "a"), incomplete],
    ] as const) {
      expect(await startsIn(list, one)).toHaveLength(1);
      expect(await startsIn(one, list)).toHaveLength(1);
    }
  });

  it("tells the starts of two at once, and none when one of them ends", async () => {
    const bench = await createBench();
    for (const webhook of [activeAt(1, "a", "b"), activeAt(2, "a", "b"), activeAt(3, "a")])
      await settled(bench, webhook);
    expect(namesAt(bench)).toEqual(["subscriptionStarted", "subscriptionStarted"]);
    const other = await createBench();
    for (const webhook of [activeAt(2, "a"), activeAt(1, "a", "b")]) await settled(other, webhook);
    expect(namesAt(other)).toEqual(["subscriptionStarted", "subscriptionStarted"]);
  });

  it("writes no status of a person who never had one, and ends one that arrives later", async () => {
    expect(await statusOf(activeAt(1))).toBeUndefined();
    expect(await statusOf(activeAt(2), activeAt(1, "a"))).toBe("canceled");
  });
});
