import { DurableObject } from "cloudflare:workers";
import { log } from "../lib/log.ts";
import type { News } from "./dispatcher.ts";
import { Engine } from "./engine.ts";
import type { Forward, Forwarded } from "./gateway.ts";
import * as journal from "./journal.ts";
import type { Pause } from "./pause.ts";
import { keyOf } from "./queue.ts";
import { type OutboxEnv, surroundingsOf } from "./surroundings.ts";
import type { Accepted, Call, Journalled, Taken } from "./types.ts";

/**
 * Journal, scheduler, limiter and ledger of one team's deliveries. One webhook is one row; everything that must be true
 * together is one transaction.
 */
export class Outbox extends DurableObject<OutboxEnv> {
  protected engine: Engine;
  #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: OutboxEnv) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.engine = new Engine({
      ...{ disk: ctx.storage, env, surroundings: surroundingsOf(env) },
      waitUntil: (work) => ctx.waitUntil(work),
      tell: (news) => this.#tell(news),
    });
    ctx.blockConcurrencyWhile(() => this.engine.wake());
  }

  /** Journals the webhooks of one request and their calls, and answers once that is durable. */
  accept(webhooks: readonly Accepted[]): Promise<Taken> {
    return this.engine.accept(webhooks);
  }

  /** Forwards a request of somebody else in its turn; waits for that `wait` ms at most. */
  forward(request: Forward, wait: number): Promise<Forwarded> {
    return this.engine.gateway.forward(request, wait);
  }

  override alarm(): Promise<void> {
    return this.engine.alarm();
  }

  /** One webhook with its calls and every attempt, or null. */
  webhook(id: string): Journalled | null {
    const seq = journal.seqOf(id);
    const webhook = seq === undefined ? undefined : journal.read(this.#sql, seq);
    webhook?.calls.forEach((call, index) => {
      const item = this.engine.dispatcher.queue.items.get(keyOf({ seq: webhook.seq, index }));
      if (item?.inFlight) call.state = "sending";
      if (item?.waits) call.message ??= `Waits for a webhook that tells who ${call.contact.ref ?? "this"} is.`;
    });
    return webhook ?? null;
  }

  /** Webhooks newest first, older than the one with id `before`. */
  webhooks(limit: number, before?: string): Journalled[] {
    const seq = before === undefined ? undefined : journal.seqOf(before);
    return journal.list(this.#sql, seq ?? Number.MAX_SAFE_INTEGER, limit);
  }

  /** What delivery is doing: calls that wait, for how many ms the oldest could have left, and why nothing leaves if so. */
  status(): { waiting: number; late: number; pause: Pause | null } {
    const { dispatcher, means } = this.engine;
    const now = means.surroundings.now();
    let oldest = now;
    for (const { seq, waits } of dispatcher.queue.items.values()) {
      if (!waits) oldest = Math.min(oldest, journal.acceptedAt(seq));
    }
    const { pause } = dispatcher;
    return {
      waiting: dispatcher.queue.items.size,
      late: now - oldest,
      pause: pause && pause.until > now ? pause : null,
    };
  }

  #tell(news: News): void {
    if (news.kind === "call") logCall(news.seq, news.call);
  }
}

const logCall = (seq: number, call: Call): void =>
  log("call", {
    ...{ id: journal.idOf(seq), rule: call.rule, action: call.action, state: call.state },
    ...{ tries: call.attempts.length, status: call.attempts.at(-1)?.status, message: call.message },
  });
