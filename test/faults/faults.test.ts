import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isSettled, type Mailspan, startMailspan, until } from "../system/mailspan.ts";
import { type Fault, most, startService } from "../system/service.ts";
import { genericWebhook, stripeWebhook } from "../system/signed.ts";

let mailspan: Mailspan;
let service: Awaited<ReturnType<typeof startService>>;

const WEBHOOKS = Number(process.env.FAULTS || 200);
const RECEIPTS = Math.round(WEBHOOKS * 0.6);

const spells: readonly { from: number; requests: number; fault: Fault }[] = [
  { from: 20, requests: 3, fault: "429" },
  { from: 60, requests: 4, fault: "500 before" },
  { from: 100, requests: 4, fault: "500 after" },
  { from: 140, requests: 2, fault: "timeout before" },
  { from: 180, requests: 2, fault: "timeout after" },
  { from: 300, requests: 3, fault: "429" },
];
const scale = WEBHOOKS / 340;
const faultOf = (n: number): Fault =>
  spells.find(({ from, requests }) => {
    const first = Math.round(from * scale);
    return n >= first && n < first + Math.ceil(requests * scale);
  })?.fault ?? "none";

beforeAll(async () => {
  service = await startService(faultOf);
  mailspan = await startMailspan({ EMAIL_API_URL: service.url });
});
afterAll(async () => {
  await mailspan.stop();
  service.stop();
});

describe("an email service with every kind of fault", () => {
  it(`acts once on every keyed delivery and never receives 11 requests in a second: ${WEBHOOKS} webhooks`, async () => {
    const started = performance.now();
    const ids: string[] = [];
    for (let n = 0; n < RECEIPTS; n++) {
      const webhook = stripeWebhook("invoice.paid", ({ data }) => {
        Object.assign(data.object, { customer_email: `p${n}@example.com`, billing_reason: "subscription_cycle" });
      });
      ids.push(((await (await mailspan.post("stripe", webhook.payload, webhook.headers)).json()) as { id: string }).id);
    }
    for (let n = 0; n < WEBHOOKS - RECEIPTS; n++) {
      const data = { id: `u${n}`, email: `u${n}@example.com` };
      const { payload, headers } = genericWebhook({ type: "user.created", data });
      ids.push(((await (await mailspan.post("generic", payload, headers)).json()) as { id: string }).id);
    }
    const webhooks = await Promise.all(ids.map((id) => mailspan.webhook(id)));
    const keyed = webhooks.flatMap(({ deliveries }) =>
      deliveries.filter(({ action }) => action !== "contact").map(({ key }) => key),
    );
    expect(keyed).toHaveLength(WEBHOOKS + RECEIPTS);

    const last = ids.at(-1) ?? "";
    await until(
      "the backlog is delivered",
      async () => (isSettled(await mailspan.webhook(last)) ? true : undefined),
      150_000,
    );
    const settled = await Promise.all(ids.map((id) => mailspan.settled(id, 60_000)));
    expect(new Set(settled.flatMap(({ deliveries }) => deliveries.map(({ state }) => state)))).toEqual(
      new Set(["done"]),
    );

    expect(service.acted.toSorted()).toEqual(keyed.toSorted());
    const span = performance.now() - started;
    const times = service.arrivals.map(({ at }) => at);
    console.log(`${service.arrivals.length} arrivals in ${Math.round(span)} ms, at most ${most(times)} in any second`);
    expect(most(times)).toBeLessThanOrEqual(10);
    expect(new Set(service.arrivals.map(({ fault }) => fault))).toEqual(
      new Set(["none", "429", "500 before", "500 after", "timeout before", "timeout after"]),
    );
    const statuses = new Set(
      settled.flatMap(({ deliveries }) => deliveries.flatMap(({ attempts }) => attempts.map(({ status }) => status))),
    );
    expect([...statuses].sort()).toEqual([200, 409, 500, undefined]);
  });
});
