import type { Env } from "../../src/env.ts";
import stripe from "../../src/mappings/stripe.ts";
import supabase from "../../src/mappings/supabase.ts";
import { type EncodedWebhooks, encodeResult } from "../../src/outbox/intake/rpc-text.ts";
import { Outbox as Production } from "../../src/outbox/outbox.ts";
import { doorOf } from "../../src/routes/hooks.ts";

export class Outbox extends Production {
  end(): void {
    this.ctx.abort("The bench ends this object.");
  }
}

export class OneByOne extends Outbox {
  override accept(...encoded: EncodedWebhooks): Promise<string> {
    const { deps } = this.engine;
    const { sleep } = deps;
    deps.sleep = (ms) => (ms === 0 ? Promise.resolve() : sleep(ms));
    const result = super.accept(...encoded);
    deps.sleep = sleep;
    return result;
  }
}

export class Counting extends Outbox {
  #rows = { sql: 0, alarms: 0 };

  /** `times`: speed of the clock. */
  count(times: number): void {
    const { deps } = this.engine;
    const { storage } = this.ctx;
    const began = Date.now();
    let ahead = 0;
    const virtual = () => Math.floor(began + (Date.now() - began) * times) + ahead;
    this.jump = (ms) => {
      ahead += ms;
    };
    const sql = new Proxy(storage.sql, {
      get: (target, name) =>
        name !== "exec"
          ? Reflect.get(target, name)
          : (...given: Parameters<SqlStorage["exec"]>) => {
              const cursor = target.exec(...given);
              this.#rows.sql += cursor.rowsWritten;
              return cursor;
            },
    });
    deps.disk = {
      sql,
      transactionSync: (work) => storage.transactionSync(work),
      sync: () => storage.sync(),
      getAlarm: () => storage.getAlarm(),
      setAlarm: (at) => {
        this.#rows.alarms++;
        return storage.setAlarm(Date.now() + Math.max(0, Number(at) - virtual()) / times);
      },
    };
    deps.now = virtual;
    deps.sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms / times));
  }

  jump: (ms: number) => void = () => {};
  async later(ms: number): Promise<void> {
    this.jump(ms);
    for (let n = 0; n < 20; n++) {
      await this.alarm();
      this.jump(10_000);
    }
  }
  left(): number {
    return this.ctx.storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM webhooks").one().n;
  }
  rows(): { sql: number; alarms: number } {
    return this.#rows;
  }

  bytes(): number {
    return this.ctx.storage.sql.databaseSize;
  }
  /** `blank`: without a body. `missing`: without a body, and newer than the last purge line. */
  journal() {
    const { sql } = this.ctx.storage;
    const { webhooks, blank } = sql
      .exec<{ webhooks: number; blank: number }>("SELECT count(*) AS webhooks, sum(body = '') AS blank FROM webhooks")
      .one();
    const { missing } = sql
      .exec<{ missing: number }>(
        `SELECT count(*) AS missing FROM webhooks
         WHERE body = '' AND seq > (SELECT CAST(value AS INTEGER) FROM kv WHERE name = 'bodiesPurgedTo')`,
      )
      .one();
    return { webhooks, blank, missing, bytes: this.bytes() };
  }

  fill(from: number, to: number): void {
    const outcomes = JSON.stringify([{ rule: "renewal receipt", outcome: "matched" }]);
    const deliveries = JSON.stringify([
      { rule: "renewal receipt", action: "transactional", state: "done", attempts: [] },
    ]);
    // Later webhooks must be newer. Random ids spread over the index, as at Stripe.
    this.ctx.storage.sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
       INSERT INTO webhooks (seq, source, event_id, type, occurred_at, rank, test, body, secret_paths, outcomes, deliveries, open)
       SELECT 1700000000000000 + i, 'stripe', 'evt_' || hex(randomblob(12)), 'invoice.paid', 1700000000000, 0, 0,
              ?3, NULL, ?4, ?5, 0 FROM n`,
      from,
      to,
      JSON.stringify({ padding: "x".repeat(200) }),
      outcomes,
      deliveries,
    );
  }
}

type BenchEnv = Omit<Env, "OUTBOX"> & {
  OUTBOX: DurableObjectNamespace<Outbox>;
  ONE_BY_ONE: DurableObjectNamespace<OneByOne>;
  COUNTING: DurableObjectNamespace<Counting>;
};

const doorWith = (rules: typeof stripe) =>
  doorOf({
    stripe: { rules, secret: "STRIPE_WEBHOOK_SECRET" },
    "stripe-eu": { rules, secret: "STRIPE_WEBHOOK_SECRET" },
    "stripe-us": { rules, secret: "STRIPE_WEBHOOK_SECRET" },
    supabase: { rules: supabase, secret: "SUPABASE_HOOK_SECRET" },
  });

/** A renewal then makes one transactional delivery instead of three deliveries. */
const receiptsOnly = { ...stripe, rules: stripe.rules.filter(({ name }) => name !== "subscription renewed") };

const nothing = {
  getByName: () => ({
    accept: async () => encodeResult({ receipts: [{ id: "wh_0", duplicate: false, deliveries: 1 }] }),
  }),
};

const shipped = doorWith(stripe);
const receipts = doorWith(receiptsOnly);

/** `/<variant>/<object>/stripe` is a webhook. `/bare` only answers 202, `/shipped` has all rules. */
export default {
  fetch: async (request, env, ctx) => {
    const { pathname, searchParams } = new URL(request.url);
    const [, variant = "", object = "", source = ""] = pathname.split("/");
    if (variant === "do") {
      const counting = env.COUNTING.getByName(object);
      const number = (name: string) => Number(searchParams.get(name));
      if (searchParams.has("bytes")) return Response.json({ bytes: await counting.bytes() });
      if (searchParams.has("journal")) return Response.json(await counting.journal());
      if (searchParams.has("times")) await counting.count(number("times"));
      if (searchParams.has("later")) await counting.later(number("later"));
      if (searchParams.has("to")) await counting.fill(number("from"), number("to"));
      const [rows, left, status] = await Promise.all([counting.rows(), counting.left(), counting.status()]);
      return Response.json({ ...rows, left, waiting: status.waiting });
    }
    const real = variant === "one" ? env.ONE_BY_ONE : variant === "counting" ? env.COUNTING : env.OUTBOX;
    if (pathname.endsWith("/end")) {
      await env.OUTBOX.getByName(object)
        .end()
        .catch(() => {});
      return new Response();
    }
    if (pathname.endsWith("/pause")) {
      await real.getByName(object).pause(undefined, true);
      return new Response();
    }
    if (variant === "bare") {
      // A real webhook route reads the body.
      await request.text();
      return new Response(null, { status: 202 });
    }
    const OUTBOX = variant === "none" ? nothing : { getByName: () => real.getByName(object) };
    const door = variant === "shipped" ? shipped : receipts;
    return door(request, { ...env, OUTBOX } as unknown as Env, ctx, source);
  },
} satisfies ExportedHandler<BenchEnv>;
