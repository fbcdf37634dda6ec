import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureDevVars, setDevVar } from "../../scripts/dev-vars.ts";
import { signedSample } from "../../scripts/samples/samples.ts";
import { freePort } from "../port.ts";
import { type Clone, cloneRepository, npmStart, type Running } from "../system/clone.ts";
import { type Shown, until } from "../system/mailspan.ts";
import { most, startService } from "../system/service.ts";

/** Set by `npm run crash`. */
const CRASHES = Number(process.env.CRASHES || 5);
const LOAD = 40;

let clone: Clone;
let service: Awaited<ReturnType<typeof startService>>;
let running: Running | undefined;

beforeAll(async () => {
  clone = await cloneRepository();
  service = await startService((n) => (n % 17 === 5 ? "500 after" : n % 97 === 11 ? "timeout after" : "none"));
});
afterAll(async () => {
  await running?.kill("SIGKILL").catch(() => {});
  service.stop();
  await clone.remove();
});

describe(`kill -9 of the whole process group under load, ${CRASHES} times`, () => {
  it(
    "loses no accepted webhook, and the email service acts on no keyed delivery twice",
    async () => {
      const [port, emailPort] = [await freePort(), await freePort()];
      const url = `http://127.0.0.1:${port}`;
      const start = () =>
        npmStart(clone.path, { PORT: String(port), EMAIL_PORT: String(emailPort) }, ["--no-samples"], "Ctrl-C");
      ensureDevVars(`${clone.path}/.dev.vars`);
      setDevVar("EMAIL_API_URL", service.url, `${clone.path}/.dev.vars`);
      setDevVar("EMAIL_API_KEY", "ms_team_crash-test-key", `${clone.path}/.dev.vars`);
      const secret = clone.vars().STRIPE_WEBHOOK_SECRET ?? "";

      const answered: string[] = [];
      let sent = 0;
      const send = async () => {
        const set = {
          "data.object.customer_email": `p${++sent}@example.com`,
          "data.object.billing_reason": "subscription_cycle",
        };
        const { raw, headers } = await signedSample("stripe", "invoice.paid", { secret, now: Date.now(), set });
        const response = await fetch(`${url}/hooks/stripe`, { method: "POST", headers, body: raw });
        if (response.status === 202) answered.push(((await response.json()) as { id: string }).id);
      };
      for (let crash = 0; crash < CRASHES; crash++) {
        running = await start();
        let killed = false;
        const senders = Array.from({ length: 4 }, async () => {
          for (let n = 0; n < LOAD / 4 && !killed; n++) {
            await send().catch(() => {});
            await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
          }
        });
        await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 1_500));
        killed = true;
        await running.kill("SIGKILL");
        await Promise.all(senders);
      }

      running = await start();
      const headers = { Authorization: `Bearer ${clone.vars().ADMIN_TOKEN}` };
      const page = async (path: string) => (await (await fetch(url + path, { headers })).json()) as never;
      const everything = async (): Promise<Shown[]> => {
        const all: Shown[] = [];
        for (let next: string | null = ""; next !== null; ) {
          const got: { data: Shown[]; next: string | null } = await page(
            `/admin/webhooks?limit=100${next === "" ? "" : `&cursor=${next}`}`,
          );
          all.push(...got.data);
          next = got.next;
        }
        return all;
      };
      let waiting = -1;
      await until(
        "nothing waits any more",
        async () => {
          ({ waiting } = (await (await fetch(`${url}/health`)).json()) as { waiting: number });
          await new Promise((resolve) => setTimeout(resolve, 500));
          return waiting === 0 ? true : undefined;
        },
        60_000 + CRASHES * LOAD * 250,
      );
      const all = await everything();
      const known = new Set(all.map(({ id }) => id));
      const missing = answered.filter((id) => !known.has(id));
      const keys = await Promise.all(
        all.map(async ({ id }) => {
          const { deliveries } = (await page(`/admin/webhooks/${id}`)) as Shown;
          return deliveries.filter(({ action }) => action !== "contact").map(({ key }) => key);
        }),
      );
      console.log(
        `${CRASHES} crashes: ${answered.length} webhooks answered, ${missing.length} missing; ` +
          `${service.acted.length} keyed deliveries acted on, of ${keys.flat().length}; ` +
          `at most ${most(service.arrivals.map(({ at }) => at))} arrivals in a second`,
      );
      expect(answered.length).toBeGreaterThan(CRASHES);
      expect(missing).toEqual([]);
      expect(new Set(all.flatMap(({ deliveries }) => deliveries.map(({ state }) => state)))).toEqual(new Set(["done"]));
      // The email service acts once per key, and each delivery has a different key: it acted once on each.
      expect(service.acted.toSorted()).toEqual(keys.flat().toSorted());
      expect(new Set(keys.flat()).size).toBe(keys.flat().length);
      expect(most(service.arrivals.map(({ at }) => at))).toBeLessThanOrEqual(10);
    },
    120_000 + CRASHES * 30_000,
  );
});
