import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fault, most, startHost } from "./host.ts";
import { isDecided, type Mailspan, startMailspan, until } from "./mailspan.ts";
import { genericWebhook, stripeWebhook } from "./signed.ts";

let mailspan: Mailspan;
let host: Awaited<ReturnType<typeof startHost>>;

/** A spell of each fault among long runs of none, so that the backlog goes on moving. */
const spells: readonly [from: number, to: number, fault: Fault][] = [
  [20, 23, "429"],
  [60, 64, "500 before"],
  [100, 104, "500 after"],
  [140, 142, "timeout before"],
  [180, 182, "timeout after"],
  [300, 303, "429"],
];
const faultOf = (n: number): Fault => spells.find(([from, to]) => n >= from && n < to)?.[2] ?? "none";

beforeAll(async () => {
  host = await startHost(faultOf);
  mailspan = await startMailspan({ EMAIL_API_URL: host.url });
});
afterAll(async () => {
  await mailspan.stop();
  host.stop();
});

describe("a host that fails in every way", () => {
  it("acts once on every keyed call and never sees 11 requests in a second, over 60 s of backlog", async () => {
    const started = performance.now();
    const ids: string[] = [];
    // 210 receipts (one mail each) and 130 sign-ups (a contact update and an event each): 470 calls, over 50 s of starts.
    for (let n = 0; n < 210; n++) {
      const webhook = stripeWebhook("invoice.paid", ({ data }) => {
        Object.assign(data.object, { customer_email: `p${n}@example.com`, billing_reason: "subscription_cycle" });
      });
      ids.push(((await (await mailspan.post("stripe", webhook.payload, webhook.headers)).json()) as { id: string }).id);
    }
    for (let n = 0; n < 130; n++) {
      const data = { id: `u${n}`, email: `u${n}@example.com` };
      const { payload, headers } = genericWebhook({ type: "user.created", data });
      ids.push(((await (await mailspan.post("generic", payload, headers)).json()) as { id: string }).id);
    }
    const webhooks = await Promise.all(ids.map((id) => mailspan.webhook(id)));
    const keyed = webhooks.flatMap(({ calls }) =>
      calls.filter(({ action }) => action !== "contact").map(({ key }) => key),
    );
    expect(keyed.length).toBeGreaterThanOrEqual(340);

    const last = ids.at(-1) ?? "";
    await until(
      "the backlog is delivered",
      async () => (isDecided(await mailspan.webhook(last)) ? true : undefined),
      100_000,
    );
    const settled = await Promise.all(ids.map((id) => mailspan.decided(id, 60_000)));
    expect(new Set(settled.flatMap(({ calls }) => calls.map(({ state }) => state)))).toEqual(new Set(["done"]));

    expect(host.acted.toSorted()).toEqual(keyed.toSorted());
    const span = performance.now() - started;
    const times = host.arrivals.map(({ at }) => at);
    console.log(`${host.arrivals.length} arrivals in ${Math.round(span)} ms, at most ${most(times)} in any second`);
    expect(span).toBeGreaterThan(60_000);
    expect(most(times)).toBeLessThanOrEqual(10);
    // Every fault was met.
    expect(host.arrivals.length).toBeGreaterThan(304);
    const statuses = new Set(
      settled.flatMap(({ calls }) => calls.flatMap(({ attempts }) => attempts.map(({ status }) => status))),
    );
    expect([...statuses].sort()).toEqual([200, 409, 500, undefined]);
  });
});
