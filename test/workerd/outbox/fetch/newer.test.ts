import { expect, it, test } from "vitest";
import { timelineOf } from "../../../../src/outbox/operator/timeline.ts";
import recorded from "../../../fixtures/stripe/customer.subscription.updated.renewed.json";
import { type Snapshot, thinOf } from "../../../thin-stripe.ts";
import { createFetching } from "./bench.ts";

const STATUSES = ["trialing", "active", "past_due", "active", "unpaid", "active", "past_due"];
const base = recorded as unknown as Snapshot;
const start = Math.floor(Date.now() / 1000) - 3_000;

/** The changes of one subscription, oldest first. Each event has the object as it was then. */
const history = STATUSES.map((status, n): Snapshot => {
  const previous_attributes = n === 0 ? {} : { status: STATUSES[n - 1] };
  const object = { ...base.data.object, status };
  const type = n === 0 ? "customer.subscription.created" : "customer.subscription.updated";
  return {
    ...base,
    id: `evt_h${n}`,
    type,
    livemode: true,
    created: start + n * 10,
    data: { object, previous_attributes },
  };
});
const customer = {
  id: "evt_customer",
  object: "event",
  type: "customer.created",
  livemode: true,
  created: start - 10,
  data: { object: { id: base.data.object.customer, object: "customer", email: "ada@example.com" } },
};

const randomOf = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

test.each(["event", "object"] as const)(
  "the contact ends in the newest state, whenever an event arrives and its %s is fetched",
  async (named) => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = randomOf(seed);
      let happened = 0;
      const { bench, accept } = await createFetching({
        answer: (path) => {
          if (random(5) === 0) return Response.json({ error: { message: "later" } }, { status: 500 });
          for (const event of history.slice(0, happened)) {
            const { api } = thinOf(event, named);
            // The API has the newest object only.
            if (path.startsWith("/v1/subscriptions/")) return history[happened - 1]?.data.object;
            if (api[path] !== undefined) return api[path];
          }
          return undefined;
        },
      });
      await accept(customer);
      const arriving: Snapshot[] = [];
      while (happened < history.length || arriving.length > 0) {
        const next = history[happened];
        if (next && (arriving.length === 0 || random(2) === 0)) {
          arriving.push(next);
          happened++;
        } else {
          const [event] = arriving.splice(random(arriving.length), 1);
          if (event) await accept(thinOf(event, named).thin);
        }
        if (random(3) === 0) await bench.pass(random(4_000));
      }
      await bench.pass(3_600_000);
      const written = bench.service.acted.filter(({ path }) => path === "/v1/contacts/update").map(({ body }) => body);
      const contact = Object.assign({}, ...written) as Record<string, unknown>;
      expect(
        contact.subscriptionStatus ?? (contact.properties as Record<string, unknown>)?.subscriptionStatus,
        `seed ${seed}`,
      ).toBe(STATUSES.at(-1));
    }
  },
);

it("why tells the fetch as part of the webhook's story", async () => {
  const answers = [() => Response.json({ error: { message: "no" } }, { status: 429 })];
  const { thin, api } = thinOf(customer as Snapshot, "event");
  const { bench, accept } = await createFetching({ answer: (path) => answers.shift()?.() ?? api[path] });
  const { id } = await accept(thin);
  await bench.pass(100);
  const { seq } = await bench.webhook(id);
  const story = async () => {
    const shown = await bench.ask((outbox) => outbox.show(seq));
    return timelineOf(shown?.webhook as never, shown?.waits ?? [], bench.clock.now()).map(({ text }) => text);
  };
  expect(await story()).toEqual([
    expect.stringMatching(/^Received from stripe: v1\.customer\.created, with the provider's id evt_customer\.$/),
    expect.stringMatching(/^Verified/),
    expect.stringMatching(/^This is a thin event: it names customer cus_\w+, without data\./),
    expect.stringMatching(/^Attempt 1: 429 after 0 ms: It answered with status 429\. Next attempt after \d+ ms\.$/),
    expect.stringMatching(
      /^waiting for the next fetch at .* The last one: 429, It answered with status 429\. It goes on until /,
    ),
  ]);
  await bench.pass(60_000);
  expect(await story()).toEqual([
    expect.stringMatching(/^Received from stripe: customer\.created/),
    expect.stringMatching(/^Verified/),
    expect.stringMatching(/^This is a thin event/),
    expect.stringMatching(/^Attempt 1: 429/),
    expect.stringMatching(/^Attempt 2: 200 after 0 ms\.$/),
    expect.stringMatching(
      /^done: the provider gave the data of the event at .* on attempt 2, and the rules ran on it\.$/,
    ),
    expect.stringMatching(/^rule "customer created" matched\.$/),
    expect.stringMatching(/^rule "customer created" makes the contact update for ada@example\.com\.$/),
    expect.stringMatching(/^Attempt 1: 200/),
    expect.stringMatching(/^done: the email service accepted it/),
  ]);
});

it("changes at most two rows more than its snapshot event", async () => {
  const rowsOf = async (body: object, api: Record<string, unknown>) => {
    const { bench, accept } = await createFetching({ answer: (path) => api[path] });
    const written = () =>
      bench.inside((_, { storage }) => Number(storage.sql.exec("SELECT total_changes() AS n").one().n));
    const before = await written();
    await accept(body);
    await bench.pass(10_000);
    return (await written()) - before;
  };
  const { thin, api } = thinOf(customer as Snapshot, "event");
  const snapshot = await rowsOf(customer, {});
  expect(await rowsOf(thin, api)).toBeLessThanOrEqual(snapshot + 2);
});
