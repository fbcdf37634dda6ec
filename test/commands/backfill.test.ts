import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backfill } from "../../scripts/backfill/backfill.ts";
import { BACKFILL } from "../../scripts/backfill/usage.ts";
import { parse } from "../../scripts/lib/command.ts";
import { signedSample } from "../../scripts/samples/samples.ts";
import { type Mailspan, secrets, startMailspan, until } from "../system/mailspan.ts";
import { startStripeApi } from "./stripe-api.ts";

const root = join(import.meta.dirname, "..", "..");
const KEY = "rk_live_backfill";
const DAY = 86_400;
const now = Math.floor(Date.now() / 1000);

const customers = Array.from({ length: 24 }, (_, n) => ({
  id: `cus_${n}`,
  object: "customer",
  created: now - n * DAY,
  livemode: true,
  email: n === 23 ? null : `c${n}@example.com`,
  name: `C ${n}`,
  metadata: {},
}));
const subscriptions = Array.from({ length: 12 }, (_, n) => ({
  id: `sub_${n}`,
  object: "subscription",
  created: now - n * DAY,
  livemode: true,
  customer: `cus_${n}`,
  status: n === 3 ? "canceled" : "active",
  cancel_at_period_end: false,
  cancel_at: null,
  trial_end: null,
  ...(n === 3 ? { ended_at: now - 3_600, canceled_at: now - 3_600 } : {}),
  currency: "usd",
  items: {
    data: [
      {
        id: `si_${n}`,
        object: "subscription_item",
        quantity: 1,
        current_period_start: now - n * DAY,
        current_period_end: now + 9 * DAY,
        price: {
          id: "price_1",
          object: "price",
          nickname: "Pro",
          lookup_key: null,
          unit_amount: 4900,
          currency: "usd",
        },
      },
    ],
  },
}));

let mailspan: Mailspan;
let stripe: Awaited<ReturnType<typeof startStripeApi>>;
let folder: string;

const start = (args: string[], vars: Record<string, string> = {}) => {
  const state = join(folder, "progress.json");
  const child = spawn(process.execPath, ["scripts/backfill.ts", ...args, "--url", mailspan.url, "--state", state], {
    cwd: root,
    env: { ...process.env, STRIPE_API_KEY: KEY, STRIPE_API_URL: stripe.url, ADMIN_TOKEN: secrets.ADMIN_TOKEN, ...vars },
  });
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  child.stderr.on("data", (text) => (output += text));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, output })),
  );
  return { ended, kill: () => child.kill("SIGKILL"), state };
};

const run = async (args: string[], vars: Record<string, string> = {}) => {
  const lines: string[] = [];
  try {
    const state = join(folder, "progress.json");
    const given = [...args, "--url", mailspan.url, "--state", state];
    const { values, args: words } = parse(BACKFILL, given);
    const env = { STRIPE_API_KEY: KEY, STRIPE_API_URL: stripe.url, ADMIN_TOKEN: secrets.ADMIN_TOKEN, ...vars };
    const done = await backfill(words[0], values, env, (text) => lines.push(text));
    return { code: done ? 0 : 1, output: lines.join("\n") };
  } catch (error) {
    return { code: 1, output: [...lines, (error as Error).message].join("\n") };
  }
};
const contact = async (email: string) =>
  ((await mailspan.client.findContact({ email })) as Record<string, unknown>[])[0];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mailspan-backfill-"));
  stripe = await startStripeApi(KEY, [...customers, ...subscriptions]);
  mailspan = await startMailspan({ STRIPE_API_KEY: KEY, STRIPE_API_URL: stripe.url });
});
afterAll(async () => {
  await mailspan?.stop();
  stripe?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("npm run backfill", () => {
  it("names a missing or wrong option before it makes a request", async () => {
    const cases: [string[], Record<string, string>, RegExp][] = [
      [["stripe"], {}, /--since is missing/],
      [["stripe", "--since", "soon"], {}, /--since soon: expected 12h/],
      [["stripe", "--since", "1d"], { STRIPE_API_KEY: "" }, /STRIPE_API_KEY is not set/],
      [["clerk", "--since", "1d"], {}, /The handler of clerk reads nothing from its API/],
      [["stripe", "--resume"], {}, /no interrupted run/],
      [["stripe", "--resume", "--since", "1d"], {}, /--resume continues with the options/],
    ];
    const came = await Promise.all(cases.map(([args, vars]) => run(args, vars)));
    came.forEach(({ code, output }, i) => {
      expect([code, output]).toEqual([1, expect.stringMatching(cases[i]?.[2] as RegExp)]);
    });
    expect(stripe.requests).toEqual([]);
  });

  it("names the key that is refused: the provider's or the bridge's", async () => {
    const [provider, bridge] = await Promise.all([
      run(["stripe", "--since", "1d", "--dry-run"], { STRIPE_API_KEY: "rk_wrong" }),
      run(["stripe", "--since", "1d", "--dry-run"], { ADMIN_TOKEN: "wrong" }),
    ]);
    expect(provider).toMatchObject({ code: 1, output: expect.stringMatching(/refuses the key in STRIPE_API_KEY/) });
    expect(bridge).toMatchObject({ code: 1, output: expect.stringMatching(/refuses the token/) });
    expect(provider.output + bridge.output).not.toMatch(/rk_wrong|token wrong/);
  });

  it("changes nothing in a dry run, and prints what a real run would do", async () => {
    const { code, output } = await run(["stripe", "--since", "all", "--dry-run"]);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(
        "A real run would do: 36 read, 35 new, 0 already known, 1 without a delivery, 35 contact updates.",
      ),
    ]);
    expect(await mailspan.webhooks()).toEqual([]);
  });

  it("survives a 429, a 500 and a kill -9, continues where it stopped, and brings every contact up to date", async () => {
    const live = await signedSample("stripe", "customer.subscription.updated", {
      secret: secrets.STRIPE_WEBHOOK_SECRET,
      now: Date.now(),
      set: {
        livemode: true,
        "data.object.id": "sub_1",
        "data.object.customer": "cus_1",
        "data.object.status": "past_due",
      },
    });
    expect((await mailspan.post("stripe", live.raw, live.headers)).status).toBe(202);

    stripe.requests.length = 0;
    const faults = [429, 500, undefined, undefined, "hang"] as const;
    stripe.before = (path) =>
      path.startsWith("/v1/customers?")
        ? faults[stripe.requests.filter((one) => one.startsWith("/v1/customers?")).length - 1]
        : undefined;
    const first = start(["stripe", "--since", "60d"]);
    await until(
      "the third page",
      async () =>
        stripe.requests.filter((one) => one.includes("starting_after=cus_19")).length > 0 ? true : undefined,
      20_000,
    );
    first.kill();
    expect((await first.ended).output).toMatch(/customers: 20 read/);
    expect(JSON.parse(readFileSync(first.state, "utf8"))).toMatchObject({
      kind: 1,
      after: "cus_19",
      counts: { objects: 20, accepted: 20 },
    });

    stripe.before = undefined;
    stripe.requests.length = 0;
    const { code, output } = await run(["stripe", "--resume"]);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining("Done: 36 read, 35 new, 0 already known, 1 without a delivery, 35 contact updates."),
    ]);
    expect(stripe.requests.filter((one) => one.includes("/customers?"))).toEqual([
      expect.stringContaining("starting_after=cus_19"),
    ]);
    expect(existsSync(first.state)).toBe(false);

    await mailspan.allSettled();
    const webhooks = await mailspan.webhooks(100);
    expect(webhooks).toHaveLength(36);
    // The requests of this test count towards the rate limit too.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const ofBackfill = webhooks.flatMap(({ deliveries }) => deliveries).filter(({ lane }) => lane === "backfill");
    const states = new Set(ofBackfill.map(({ action, state }) => `${action} ${state}`));
    expect(states).toEqual(new Set(["contact done", "contact replaced"]));
    expect(await contact("c0@example.com")).toMatchObject({
      stripeCustomerId: "cus_0",
      plan: "Pro",
      subscriptionStatus: "active",
    });
    expect(await contact("c1@example.com")).toMatchObject({
      stripeCustomerId: "cus_1",
      subscriptionStatus: "past_due",
    });
    expect(await contact("c3@example.com")).toMatchObject({ subscriptionStatus: "canceled" });
    expect(await contact("c22@example.com")).toMatchObject({ stripeCustomerId: "cus_22" });
  });

  it("processes nothing twice, sends no event and no mail, and sends events with --events", async () => {
    const mails = (await mailspan.inbox()).total;
    const again = await run(["stripe", "--since", "60d"]);
    expect([again.code, again.output]).toEqual([
      0,
      expect.stringContaining("Done: 36 read, 0 new, 35 already known, 1 without a delivery, 0 contact updates."),
    ]);
    expect(await mailspan.webhooks(100)).toHaveLength(36);
    expect((await mailspan.inbox()).total).toBe(mails);

    const events = await run(["stripe", "--since", "60d", "--events"]);
    expect([events.code, events.output]).toEqual([
      0,
      expect.stringMatching(/Done: 36 read, 35 new, .* 35 contact updates, 1 event\./),
    ]);
    await mailspan.allSettled();
    const sent = (await mailspan.webhooks(100))
      .flatMap(({ deliveries }) => deliveries)
      .filter(({ action, lane }) => action === "event" && lane === "backfill");
    expect(sent).toMatchObject([{ rule: "subscription canceled", state: "done", lane: "backfill" }]);
    const twice = await run(["stripe", "--since", "60d", "--events"]);
    expect(twice.output).toContain("0 new, 35 already known");
    expect((await mailspan.inbox()).total).toBe(mails);
  });

  it("a live webhook of an unknown customer gets the address from Stripe", async () => {
    const send = async (id: string) => {
      const { raw, headers } = await signedSample("stripe", "customer.subscription.created", {
        secret: secrets.STRIPE_WEBHOOK_SECRET,
        now: Date.now(),
        set: { id: `evt_${id}`, livemode: true, "data.object.customer": id, "data.object.id": `sub_${id}` },
      });
      return ((await (await mailspan.post("stripe", raw, headers)).json()) as { id: string }).id;
    };
    customers.push({ ...(customers[0] as (typeof customers)[number]), id: "cus_new", email: "new@example.com" });
    stripe.stop();
    const url = stripe.url;
    stripe = await startStripeApi(KEY, customers);
    await mailspan.restart({
      bridgeVars: { ...secrets, EMAIL_API_KEY: mailspan.key, STRIPE_API_KEY: KEY, STRIPE_API_URL: stripe.url },
    });
    expect(url).not.toBe(stripe.url);
    const id = await send("cus_new");
    const webhook = await mailspan.settled(id, 10_000);
    expect(webhook.deliveries.every(({ state }) => state === "done")).toBe(true);
    expect(await contact("new@example.com")).toMatchObject({ plan: expect.any(String) });
    expect(stripe.requests).toEqual(["/v1/customers/cus_new"]);
  });
});
