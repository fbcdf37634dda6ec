// Bench only.
import type { Env } from "../../src/env.ts";
import app, { Outbox as Production } from "../../src/index.ts";
import { type Fill, fill } from "./fill.ts";

export class Outbox extends Production {
  async fill(given: Fill) {
    return fill(this.ctx.storage, given);
  }
}

type Filled = { getByName(name: string): Pick<Outbox, "fill"> };

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== "/bench") return app.fetch(request, env, context);
    const outbox = (env.OUTBOX as unknown as Filled).getByName("main");
    return Response.json(await outbox.fill((await request.json()) as Fill));
  },
} satisfies ExportedHandler<Env>;
