import { type Mailspan, secrets, until } from "../mailspan.ts";
import { genericWebhook } from "../signed.ts";
import type { Mode, startFailing } from "./service.ts";

type Service = Awaited<ReturnType<typeof startFailing>>;

/** An outage by the email service's own failure, or by an address that leads nowhere. */
export const outages: Readonly<Record<string, Mode | ((service: Service) => string)>> = {
  "refused connection": "refused",
  DNS: () => "https://mailspan-host.invalid",
  TLS: ({ url }) => url.replace("http:", "https:"),
  "503": "503",
  silence: "silence",
  "HTML 200": "page",
};

export type Measured = {
  outage: string;
  calls: number;
  /** The first reason of the health. */
  said: string;
  /** Seconds from the first webhook until the health told it. */
  told: number;
  /** Requests of the bridge in the outage, probes included. */
  requests: number;
  /** Seconds from the first answered probe to the first delivery. */
  resumed: number;
  /** Calls that are neither waiting nor done. */
  lost: number;
  /** Calls that the email service did twice. */
  doubled: number;
};

const CALLS = 2;
const AT_ONCE = 20;
let people = 0;

const postAll = async ({ post }: Mailspan, webhooks: number): Promise<void> => {
  let left = webhooks;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const id = `user_${++people}`;
      const data = { id, email: `${id}@example.com`, firstName: "Ada" };
      const { payload, headers } = genericWebhook({ type: "user.created", data });
      for (;;) {
        const { status } = await post("generic", payload, headers);
        if (status < 300) break;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
};

const get = async (url: string): Promise<Response> =>
  fetch(url, { headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` } });

const healthOf = async ({ url }: Mailspan) =>
  (await (await get(`${url}/health`)).json()) as { status: string; reasons: string[]; waiting: number };

/** Sums a metric, where a label matches. The counts begin with the object. */
const sumOf = async ({ url }: Mailspan, name: string, label = ""): Promise<number> => {
  const lines = (await (await get(`${url}/admin/metrics`)).text()).split("\n");
  const own = lines.filter((line) => line.startsWith(`${name}{`) && line.includes(label));
  return own.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
};

/** Counts requests for a time, Unix ms. The looks keep the object, and its counts, in memory. */
const requestsUntil = async (mailspan: Mailspan, end: number): Promise<number> => {
  for (;;) {
    const count = await sumOf(mailspan, "mailspan_attempts_total");
    const left = end - Date.now();
    if (left <= 0) return count;
    await new Promise((resolve) => setTimeout(resolve, Math.min(2_000, left)));
  }
};

/**
 * Makes an outage, posts webhooks with two calls each, ends the outage and waits until deliveries go again.
 *
 * @param lasts ms of the outage after it was told
 */
export const measure = async (
  mailspan: Mailspan,
  service: Service,
  { outage, webhooks, lasts }: { outage: string; webhooks: number; lasts: number },
): Promise<Measured> => {
  const how = outages[outage] ?? "well";
  const address = typeof how === "string" ? undefined : how(service);
  const bridgeVars = { ...secrets, EMAIL_API_KEY: mailspan.key, EMAIL_API_URL: service.url };
  // A probe may meet the outage before the first webhook. A restart begins to count at zero.
  const before = {
    attempts: address === undefined ? await sumOf(mailspan, "mailspan_attempts_total") : 0,
    acted: service.acted.length,
  };
  if (address === undefined) await service.become(how as Mode);
  else await mailspan.restart({ bridgeVars: { ...bridgeVars, EMAIL_API_URL: address } });

  const done = () => sumOf(mailspan, "mailspan_deliveries_settled_total", 'state="done"');
  const begun = performance.now();
  const posted = postAll(mailspan, webhooks);
  const said = await until(
    `the ${outage} is told`,
    async () => (await healthOf(mailspan)).reasons.find((reason) => reason.startsWith("outage:")),
    30_000,
  );
  const told = (performance.now() - begun) / 1_000;
  await posted;
  const requests = (await requestsUntil(mailspan, Date.now() + lasts)) - before.attempts;

  await service.become("well");
  const restarted = address !== undefined;
  const doneBefore = restarted ? 0 : await done();
  if (restarted) await mailspan.restart({ bridgeVars });
  const first = await until(
    "the first delivery",
    async () => service.arrivals().find(({ path }) => path !== "/v1/api-key"),
    90_000,
  );
  const probe = service.arrivals().find(({ path }) => path === "/v1/api-key");
  const isSmall = webhooks * CALLS <= 500;
  const all = webhooks * CALLS;
  const settled = async () => (await done()) - doneBefore;
  if (isSmall) await until("all calls", async () => ((await settled()) >= all ? true : undefined), 120_000);
  const counted = await until("a count", async () => {
    const [a, waiting, b] = [await settled(), await waitingOf(mailspan), await settled()];
    return a === b || isSmall ? a + waiting : undefined;
  });
  return {
    outage,
    calls: all,
    said,
    told,
    requests,
    resumed: (first.at - (probe?.at ?? Number.NEGATIVE_INFINITY)) / 1_000,
    lost: all - counted,
    doubled: doubledIn(service.acted.slice(before.acted)),
  };
};

const waitingOf = async ({ url }: Mailspan): Promise<number> => {
  const status = (await (await get(`${url}/admin/status`)).json()) as { waiting: { total: number } };
  return status.waiting.total;
};

const doubledIn = (acted: readonly string[]): number => {
  const keyed = acted.filter((key) => !key.startsWith("/"));
  return keyed.length - new Set(keyed).size;
};
