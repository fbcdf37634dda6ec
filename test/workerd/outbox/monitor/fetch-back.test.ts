import { describe, expect, it } from "vitest";
import { stripeApi } from "../../../../src/handlers/stripe/api.ts";
import type { SourceSettings } from "../../../../src/outbox/model/source-settings.ts";
import { type Bench, event, mail, update } from "../setup.ts";
import { alarmIn, createMonitored, later } from "./monitor.ts";

const HOUR = 3_600_000;
const env = { STRIPE_API_KEY: "rk_test_1" };
const fetchBack = {
  with: stripeApi.fetchBack as NonNullable<typeof stripeApi.fetchBack>,
  baseUrl: stripeApi.baseUrl,
  key: "STRIPE_API_KEY",
  url: "STRIPE_API_URL",
};
const sources: Record<string, SourceSettings> = { stripe: { fetchBack } };
const ofCustomer = { ref: "stripe:cus_1" };

const customer = (more: object = {}) =>
  Response.json({ id: "cus_1", object: "customer", email: "Ada@Example.com", ...more });
const problem = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ error: { message: "no" } }, { status, headers });
const quiet = (bench: Bench, ms = 150) => bench.pass(ms);
const settled = { state: expect.stringMatching(/done|failed|undecided/) };

describe("a delivery that waits for an unknown customer", () => {
  it("leaves once Stripe was asked for the customer; one request serves all deliveries of that customer", async () => {
    const { bench, asked } = await createMonitored({ env, sources, answer: () => customer() });
    const { id } = await bench.accept({
      deliveries: [update(ofCustomer, { plan: "pro" }), event(ofCustomer), mail(ofCustomer)],
    });
    const again = await bench.accept({ deliveries: [mail(ofCustomer)] });
    expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }, { state: "done" }, { state: "done" }]);
    expect(await bench.deliveries(again.id)).toMatchObject([{ state: "done" }]);
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET https://api.stripe.com/v1/customers/cus_1",
    ]);
    expect(asked[0]?.headers.get("Authorization")).toBe("Bearer rk_test_1");
    expect(new Set(bench.service.acted.map(({ body }) => body.email))).toEqual(new Set(["Ada@Example.com"]));
    await bench.deliveries((await bench.accept({ deliveries: [event(ofCustomer)] })).id);
    expect(asked).toHaveLength(1);
  });

  it("belongs to the team's own user where a metadata field is configured, and not otherwise", async () => {
    const answer = () => customer({ metadata: { user_id: " u1 " } });
    const withField = { stripe: { fetchBack: { ...fetchBack, userIdField: "user_id" } } };
    const { bench: own } = await createMonitored({ env, sources: withField, answer });
    await own.deliveries((await own.accept({ deliveries: [event(ofCustomer)] })).id);
    expect(own.service.acted[0]?.body).toMatchObject({ userId: "u1", email: "Ada@Example.com" });

    const { bench: other } = await createMonitored({ env, sources, answer });
    await other.deliveries((await other.accept({ deliveries: [event(ofCustomer)] })).id);
    expect(other.service.acted[0]?.body).not.toHaveProperty("userId");
  });

  it("does not wait for another customer that Stripe cannot resolve", async () => {
    const bad = { ref: "stripe:cus_bad" };
    const { bench, asked } = await createMonitored({
      env,
      sources,
      answer: ({ url }) => (url.endsWith("cus_bad") ? problem(500) : customer()),
    });
    const first = await bench.accept({ deliveries: [event(bad)] });
    const { id } = await bench.accept({ deliveries: [event(ofCustomer)] });
    for (let n = 0; n < 4 && !asked.some(({ url }) => url.endsWith("cus_1")); n++) {
      await later(bench, 11 * 60_000);
      await quiet(bench, 400);
    }
    expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }]);
    expect((await bench.webhook(first.id)).deliveries).toMatchObject([{ state: "waiting" }]);
  });

  it("asks the address in STRIPE_API_URL, and asks nothing without a key", async () => {
    const { bench, asked } = await createMonitored({
      env: { ...env, STRIPE_API_URL: "http://127.0.0.1:12/" },
      sources,
      answer: () => customer(),
    });
    await bench.deliveries((await bench.accept({ deliveries: [event(ofCustomer)] })).id);
    expect(asked[0]?.url).toBe("http://127.0.0.1:12/v1/customers/cus_1");

    const keyless = await createMonitored({ sources, answer: () => customer() });
    await keyless.bench.accept({ deliveries: [event(ofCustomer)] });
    await quiet(bench);
    expect(keyless.asked).toEqual([]);
  });

  it.each([
    [
      "was deleted",
      () => Response.json({ id: "cus_1", object: "customer", deleted: true }),
      "the customer was deleted",
    ],
    ["was never there", () => problem(404), "there is no such customer"],
    ["has no address", () => customer({ email: null }), "it knows no email address of this customer"],
  ])(
    "that %s keeps waiting for a webhook, and is undecided after 72 h with what Stripe said",
    async (_, answer, said) => {
      const { bench, asked } = await createMonitored({ env, sources, answer });
      const { id } = await bench.accept({ deliveries: [event(ofCustomer)] });
      await bench.waitFor(async () =>
        expect((await bench.webhook(id)).deliveries[0]).toMatchObject({ asked: `stripe was asked: ${said}.` }),
      );
      await bench.accept({ deliveries: [event(ofCustomer)] });
      await quiet(bench);
      expect(asked).toHaveLength(1);
      expect((await bench.webhook(id)).deliveries).toMatchObject([{ state: "waiting" }]);
      await bench.crash();
      await later(bench, 72 * HOUR + 1_000);
      const [delivery] = await bench.deliveries(id);
      expect(delivery).toMatchObject({ state: "undecided", message: expect.stringContaining(said) });
      expect(bench.service.received).toEqual([]);
    },
  );

  it("of a customer without an address is asked for again after hours", async () => {
    let email: string | null = null;
    const { bench, asked } = await createMonitored({ env, sources, answer: () => customer({ email }) });
    const { id } = await bench.accept({ deliveries: [event(ofCustomer)] });
    await bench.waitFor(() => expect(asked).toHaveLength(1));
    await quiet(bench, 400);
    email = "ada@example.com";
    await later(bench, HOUR);
    await quiet(bench);
    expect(asked).toHaveLength(1);
    await later(bench, 6 * HOUR);
    expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }]);
    expect(asked).toHaveLength(2);
  });
});

describe("a provider that does not answer", () => {
  it.each([
    ["a 500", () => problem(500)],
    ["a 429", () => problem(429, { "Retry-After": "3" })],
    ["a key it refuses", () => problem(401)],
    ["a page that is no JSON", () => new Response("<html>")],
    ["another customer", () => Response.json({ id: "cus_2", email: "eve@example.com" })],
    ["a redirect", () => new Response(null, { status: 302, headers: { Location: "https://elsewhere.test" } })],
    ["no answer", () => Promise.reject(new TypeError("network"))],
  ])("(%s) delays and loses nothing, and others do not wait", async (_, bad) => {
    let answer: () => Response | Promise<Response> = bad;
    const { bench, asked } = await createMonitored({ env, sources, answer: () => answer() });
    const { id } = await bench.accept({ deliveries: [event(ofCustomer)] });
    await bench.waitFor(async () => expect((await bench.stub().status()).problems).toHaveLength(1));
    expect(
      await bench.deliveries((await bench.accept({ deliveries: [mail({ email: "bob@example.com" })] })).id),
    ).toMatchObject([settled]);
    await quiet(bench, 400);
    expect(asked).toHaveLength(1);
    expect(alarmIn(bench)).toBeGreaterThan(500);
    answer = () => customer();
    await later(bench, 600_000);
    expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }]);
    expect((await bench.stub().status()).problems).toEqual([]);
  });

  it("gets one request at a time, and a crash during a request loses nothing", async () => {
    let answering = false;
    let open = 0;
    let most = 0;
    const times: number[] = [];
    const answer = async ({ url }: { url: string }) => {
      if (!answering) return new Promise<Response>(() => {});
      open++;
      most = Math.max(most, open);
      times.push(bench.service.now());
      await bench.service.sleep(30);
      open--;
      const id = url.slice(url.lastIndexOf("/") + 1);
      return Response.json({ id, email: `${id}@example.com` });
    };
    const { bench } = await createMonitored({ env, sources, answer });
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push((await bench.accept({ deliveries: [mail({ ref: `stripe:cus_${n}` })] })).id);
    await bench.crash();
    answering = true;
    for (const id of ids) expect(await bench.deliveries(id, undefined, 15_000)).toMatchObject([{ state: "done" }]);
    expect(times).toHaveLength(12);
    expect(most).toBe(1);
    const gaps = times.slice(1).map((time, n) => time - (times[n] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(200);
    expect(bench.service.received).toHaveLength(12);
  }, 30_000);

  it("is not asked again once a webhook brings the link", async () => {
    const { bench, asked } = await createMonitored({ env, sources, answer: () => problem(500) });
    const { id } = await bench.accept({ deliveries: [event(ofCustomer)] });
    await bench.waitFor(() => expect(asked).toHaveLength(1));
    await bench.accept({ links: [{ ref: "stripe:cus_1", email: "ada@example.com" }] });
    expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }]);
    await later(bench, HOUR);
    await quiet(bench);
    expect(asked).toHaveLength(1);
    expect(await bench.inside(({ monitor }) => monitor.fetchBack.next())).toBe(Number.POSITIVE_INFINITY);
  });
});
