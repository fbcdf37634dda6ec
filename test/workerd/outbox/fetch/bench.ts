import { stripeThinEvents } from "../../../../src/handlers/stripe/thin-events.ts";
import { stripe as handler } from "../../../../src/handlers/stripe.ts";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { planFetched, toPlannedWebhook } from "../../../../src/routes/plan-deliveries.ts";
import { type Source, sources } from "../../../../src/sources.ts";
import type { Asked } from "../monitor/monitor.ts";
import { createBench } from "../setup.ts";

const stripe = sources.stripe as Source;
export const fetchingSources = {
  stripe: {
    thinEvents: {
      with: stripeThinEvents,
      baseUrl: "https://api.stripe.com",
      key: "STRIPE_API_KEY",
      url: "STRIPE_API_URL",
    },
  },
};
/** A body of Stripe as the door plans it. */
export const plannedStripe = async (body: object, now: number, source: Source = stripe): Promise<PlannedWebhook> => {
  const raw = JSON.stringify(body);
  const envelope = await handler.read({ headers: new Headers(), raw } as never, body, now);
  return toPlannedWebhook("stripe", source, raw, envelope, 1, now);
};

type Given = {
  /** Undefined: 404 in the form of Stripe. */
  answer?: (path: string, asked: Asked) => unknown;
  key?: string;
  source?: Source;
};

/** A bench with a stand-in of Stripe's API. A `Response` is sent as it is. */
export const createFetching = async ({ answer, key = "rk_test_1", source = stripe }: Given = {}) => {
  const asked: Asked[] = [];
  const settings = { key };
  const bench = await createBench((own) => ({
    env: { ...own.env, STRIPE_API_KEY: settings.key },
    sources: fetchingSources,
    plan: (fetched) => planFetched({ stripe: source }, fetched, own.now()),
    fetchExternal: async (url, init) => {
      const request = new Request(url, init);
      const one = { url, method: request.method, headers: request.headers, body: "" };
      asked.push(one);
      const found = await answer?.(url.replace("https://api.stripe.com", ""), one);
      if (found instanceof Response) return found;
      return found === undefined
        ? Response.json({ error: { message: "No such object" } }, { status: 404 })
        : Response.json(found);
    },
  }));
  return {
    bench,
    asked,
    settings,
    accept: async (body: object) => bench.accept(await plannedStripe(body, bench.clock.now(), source)),
  };
};
