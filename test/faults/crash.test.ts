import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedSample } from "../../scripts/samples/samples.ts";
import { freePort } from "../port.ts";
import { type Clone, cloneRepository, npmStart, type Running } from "../system/clone.ts";
import { isSettled, type Shown, until } from "../system/mailspan.ts";

const WEBHOOKS = 200;

/** Ms until all deliveries are settled: three for each webhook, ten requests a second, and a machine a quarter as fast. */
const DELIVERY = 30_000 + WEBHOOKS * 1_200;

/** Ms until each mail is in the inbox. After a kill, the lease of 60 s must end before the next attempt. */
const LEASE = 75_000;

let clone: Clone;
let running: Running | undefined;

beforeAll(async () => {
  clone = await cloneRepository();
});
afterAll(async () => {
  await running?.kill("SIGKILL").catch(() => {});
  await clone.remove();
});

describe("kill -9 of the whole process group", () => {
  it(`right after ${WEBHOOKS} webhooks were answered 202 loses none of them, and sends no mail twice`, async () => {
    const [port, emailPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const start = () =>
      npmStart(clone.path, { PORT: String(port), EMAIL_PORT: String(emailPort) }, ["--no-samples"], "Ctrl-C");
    running = await start();

    const secret = clone.vars().STRIPE_WEBHOOK_SECRET ?? "";
    const send = async (n: number) => {
      const set = {
        "data.object.customer_email": `p${n}@example.com`,
        "data.object.billing_reason": "subscription_cycle",
      };
      const { raw, headers } = await signedSample("stripe", "invoice.paid", { secret, now: Date.now(), set });
      const response = await fetch(`${url}/hooks/stripe`, { method: "POST", headers, body: raw });
      expect(response.status).toBe(202);
      return ((await response.json()) as { id: string }).id;
    };
    const ids = await Promise.all(Array.from({ length: WEBHOOKS }, (_, n) => send(n)));
    await running.kill("SIGKILL");
    await expect(fetch(url)).rejects.toThrow();

    running = await start();
    const headers = { Authorization: `Bearer ${clone.vars().ADMIN_TOKEN}` };
    const webhook = async (id: string) =>
      (await (await fetch(`${url}/admin/webhooks/${id}`, { headers })).json()) as Shown;
    await until(
      "nothing waits any more",
      async () => {
        // To ask all the time would take the processor from the deliveries.
        await new Promise((resolve) => setTimeout(resolve, 500));
        const { waiting } = (await (await fetch(`${url}/health`)).json()) as { waiting: number };
        return waiting === 0 ? true : undefined;
      },
      DELIVERY,
    );
    const all = await Promise.all(ids.map(webhook));
    expect(all.filter((one) => !isSettled(one))).toEqual([]);
    expect(new Set(all.flatMap(({ deliveries }) => deliveries.map(({ state }) => state)))).toEqual(new Set(["done"]));

    const inbox = async (): Promise<string[]> => {
      const to: string[] = [];
      for (let next: string | null = "/inbox.json"; next; ) {
        const page = (await (await fetch(`http://127.0.0.1:${emailPort}${next}`)).json()) as {
          mails: { to: string }[];
          older: string | null;
        };
        to.push(...page.mails.map((mail) => mail.to));
        next = page.older;
      }
      return to;
    };
    const mails = await until(
      "a mail for each webhook in the inbox",
      async () => {
        const all = await inbox();
        return new Set(all).size === WEBHOOKS ? all : undefined;
      },
      LEASE,
    );
    expect(mails).toHaveLength(WEBHOOKS);
  }, 400_000);
});
