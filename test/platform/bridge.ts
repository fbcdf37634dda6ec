import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { signedSample } from "../../scripts/samples/samples.ts";
import { isSettled, type Shown, secrets } from "../system/mailspan.ts";
import { startService } from "../system/service.ts";
import type { Counts, Rules } from "./inside/rules.ts";
import { startSimulated } from "./simulated.ts";

const API_KEY = "test-key-of-the-platform";

/** Stripe's customers; each answer is counted. */
const startStripe = async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    const id = (request.url ?? "").split("/").at(-1) ?? "";
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ id, object: "customer", email: `${id.toLowerCase()}@example.com`, metadata: {} }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    stop: () => server.close(),
  };
};

/** The bridge on the simulated platform, with an email service and Stripe's API beside it. */
export const startBridge = async (load?: Parameters<typeof startSimulated>[1]) => {
  const service = await startService(() => "none");
  const stripe = await startStripe();
  const vars = {
    ...secrets,
    EMAIL_API_URL: service.url,
    EMAIL_API_KEY: API_KEY,
    STRIPE_API_KEY: "rk_test_platform",
    STRIPE_API_URL: stripe.url,
  };
  const platform = await startSimulated({ bridge: vars }, load);
  return {
    platform,
    service,
    stripe,
    stop: async () => {
      await platform.stop();
      service.stop();
      stripe.stop();
    },
  };
};
export type Bridge = Awaited<ReturnType<typeof startBridge>>;

/** `silence`: the longest pause between two requests at the email service, in ms. */
export type Outcome = {
  ended: boolean;
  ms: number;
  silence: number;
  /** Accepted webhooks with an open delivery, and done deliveries that never acted. */
  lost: number;
  /** Acts of the email service that are of no delivery. */
  twice: number;
  /** Deliveries that have failed or need a decision. */
  failed: number;
  /** Requests with a key that the email service got again. */
  repeated: number;
  refusedWebhooks: number;
  counts: Counts;
  logs: string[];
};

const POLL_MS = 50;
/** Requests with an Idempotency-Key: events and mails of a webhook. */
const KEYED = 2;
/** Ms after which a webhook that still waits is lost. */
const LOST_AFTER = 15_000;
let people = 0;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** `known` webhooks name an address; `asked` ones name a customer of Stripe only. */
type Load = { known: number; asked: number };

const webhooksOf = async ({ known, asked }: Load) => {
  const one = (type: string, set: Record<string, unknown>) =>
    signedSample("stripe", type, { secret: secrets.STRIPE_WEBHOOK_SECRET, now: Date.now(), set });
  const made = Array.from({ length: known }, () => {
    const id = `cus_k${++people}`;
    return one("invoice.paid", {
      "data.object.customer": id,
      "data.object.customer_email": `${id}@example.com`,
      "data.object.billing_reason": "subscription_cycle",
    });
  });
  const unknown = Array.from({ length: asked }, () =>
    one("customer.subscription.updated", { "data.object.customer": `cus_A${++people}` }),
  );
  return Promise.all([...made, ...unknown]);
};

/** Posts a webhook until it is accepted, as providers do. Returns its id and the refusals. */
const deliver = async (url: string, { raw, headers }: { raw: string; headers: Record<string, string> }) => {
  for (let refused = 0; refused < 50; refused++) {
    const response = await fetch(`${url}/hooks/stripe`, { method: "POST", headers, body: raw }).catch(() => undefined);
    if (response?.ok) return { id: ((await response.json()) as { id: string }).id, refused };
    await response?.body?.cancel();
    await sleep(100);
  }
  throw new Error("The bridge accepts no webhook.");
};

const showOf =
  (url: string) =>
  async (id: string): Promise<Shown | undefined> => {
    const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` };
    const response = await fetch(`${url}/admin/webhooks/${id}`, { headers }).catch(() => undefined);
    if (response?.ok) return (await response.json()) as Shown;
    await response?.body?.cancel();
    return undefined;
  };

/** Sends one more webhook, and returns its id. */
export const accept = async ({ platform }: Bridge): Promise<string> => {
  const [webhook] = await webhooksOf({ known: 1, asked: 0 });
  if (!webhook) throw new Error("No webhook was made.");
  return (await deliver(platform.url("bridge"), webhook)).id;
};

/** Sends webhooks under `rules`, and waits until all deliveries are settled. `during` returns ids of more webhooks. */
export const play = async (
  bridge: Bridge,
  load: Load,
  rules: Rules,
  { during }: { during?: (bridge: Bridge) => Promise<string[]> } = {},
): Promise<Outcome> => {
  const { platform, service } = bridge;
  await platform.rules("bridge", rules);
  const url = platform.url("bridge");
  const show = showOf(url);
  const from = service.arrivals.length;
  const actedBefore = service.acted.length;
  const started = performance.now();
  const accepted = await Promise.all((await webhooksOf(load)).map((webhook) => deliver(url, webhook)));
  const disturbed = during?.(bridge);
  const expected = actedBefore + KEYED * accepted.length;
  let [silence, last, seen] = [0, started, from];
  while (service.acted.length < expected && performance.now() - started < LOST_AFTER) {
    await sleep(POLL_MS);
    const now = performance.now();
    silence = Math.max(silence, now - last);
    if (service.arrivals.length > seen) [last, seen] = [now, service.arrivals.length];
  }
  const ids = [...accepted.map(({ id }) => id), ...((await disturbed) ?? [])];
  let open = ids;
  // A question is an event, which would give the object a new budget and wake a dead one: it waits for all requests.
  for (let n = 0; open.length > 0 && n < 10; n++) {
    await sleep(POLL_MS * n);
    const shown = await Promise.all(open.map(show));
    open = open.filter((_, at) => !(shown[at] && isSettled(shown[at])));
  }
  const ms = performance.now() - started;
  const counts = await platform.counts("bridge");
  await platform.rules("bridge", {});
  const shown = (await Promise.all(ids.map(show))).filter((one) => one !== undefined);
  const deliveries = shown.flatMap((one) => one.deliveries);
  const keyed = deliveries.filter(({ action }) => action !== "contact");
  const acted = service.acted.slice(actedBefore);
  const keys = service.arrivals.slice(from).flatMap(({ key }) => key ?? []);
  return {
    ended: open.length === 0,
    ms,
    silence,
    lost: keyed.filter(({ key, state }) => state === "done" && !acted.includes(key)).length + open.length,
    twice: acted.filter((key) => !keyed.some((one) => one.key === key)).length,
    repeated: keys.length - new Set(keys).size,
    failed: deliveries.filter(({ state }) => state === "failed" || state === "undecided").length,
    refusedWebhooks: accepted.reduce((sum, { refused }) => sum + refused, 0),
    counts,
    logs: platform.logs,
  };
};

/** The same with a new bridge. */
export const playFresh = async (...how: Parameters<typeof play> extends [unknown, ...infer Rest] ? Rest : never) => {
  const bridge = await startBridge();
  try {
    return await play(bridge, ...how);
  } finally {
    await bridge.stop();
  }
};

/** One row of the table that the tests print. */
export const rowOf = (
  what: string,
  { ended, ms, silence, lost, twice, failed, repeated, refusedWebhooks, counts }: Outcome,
): string =>
  [
    what,
    ended ? `ended in ${(ms / 1_000).toFixed(1)} s` : "did not end",
    `${lost} lost, ${twice} twice, ${failed} failed, ${repeated} repeated with the same key, ${refusedWebhooks} webhooks sent again`,
    `silence ${(silence / 1_000).toFixed(1)} s`,
    `subrequests at most ${counts.most.Outbox}`,
    `refused ${Object.values(counts.refused).reduce((sum, times) => sum + times, 0)}`,
  ].join(" | ");
