import { Hono } from "hono";
import type { Env } from "../../src/env.ts";
import { Outbox } from "../../src/outbox/outbox.ts";
import { hooksOf } from "../../src/routes/hooks.ts";
import type { Accepted, Taken } from "../../src/outbox/types.ts";
import stripe from "../../src/mappings/stripe.ts";

export { Outbox };

/** The same Outbox, with a commit of its own for each webhook. */
export class OneByOne extends Outbox {
  override accept(webhooks: readonly Accepted[]): Promise<Taken> {
    const { surroundings } = this.engine.means;
    const { sleep } = surroundings;
    this.engine.means.surroundings = { ...surroundings, sleep: (ms) => (ms === 0 ? Promise.resolve() : sleep(ms)) };
    const taken = this.engine.accept(webhooks);
    this.engine.means.surroundings = surroundings;
    return taken;
  }
}

type BenchEnv = Env & { ONE_BY_ONE: DurableObjectNamespace<OneByOne> };

const hooks = hooksOf({ stripe: { rules: stripe, secret: "STRIPE_WEBHOOK_SECRET" } });

/** No journal: what is left of the door without the call to the Outbox. */
const nothing = {
  getByName: () => ({
    accept: async (webhooks: readonly Accepted[]) => ({
      receipts: webhooks.map(({ calls }) => ({ id: "wh_0", duplicate: false, calls: calls.length })),
    }),
  }),
};

/** `/<variant>/<object>/stripe`: the door of the bridge over an Outbox of that name; `/bare` answers 202 and no more. */
const app = new Hono<{ Bindings: Env }>().route("/:variant/:object", hooks);

const bare = () => new Response(null, { status: 202 });

export default {
  fetch: (request, env, ctx) => {
    const [, variant = "", object = ""] = new URL(request.url).pathname.split("/");
    if (variant === "bare") return bare();
    const real = variant === "one" ? env.ONE_BY_ONE : env.OUTBOX;
    const OUTBOX = variant === "none" ? nothing : { getByName: () => real.getByName(object) };
    return app.fetch(request, { ...env, OUTBOX } as unknown as Env, ctx);
  },
} satisfies ExportedHandler<BenchEnv>;
