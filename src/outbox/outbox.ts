import { DurableObject } from "cloudflare:workers";
import { log } from "../lib/log.ts";
import { migrate } from "../lib/migrate.ts";
import { Dispatcher, type Means, type News } from "./dispatcher.ts";
import { anyContact, purgeContacts } from "./identity.ts";
import { Intake } from "./intake.ts";
import * as journal from "./journal.ts";
import type { Pause } from "./pause.ts";
import { keyOf } from "./queue.ts";
import { migrations } from "./schema.ts";
import { type OutboxEnv, retentionOf, surroundingsOf } from "./surroundings.ts";
import type { Accepted, Call, Journalled, Taken } from "./types.ts";

/** Ms after which the alarm looks after work whose pump may have been lost with the process. */
const SAFETY = 10_000;
const PURGE_EVERY = 86_400_000;
const PURGE_AGAIN = 2_000;
const PURGE_SLICE = 500;

/**
 * Journal, scheduler, limiter and ledger of one team's deliveries. One webhook is one row; everything that must be true
 * together is one transaction.
 */
export class Outbox extends DurableObject<OutboxEnv> {
  protected means: Means;
  #sql: SqlStorage;
  #dispatcher: Dispatcher;
  #intake: Intake;
  #alarmAt: number | null = null;
  #nextPurge = 0;
  #purgedTo: string | undefined;

  constructor(ctx: DurableObjectState, env: OutboxEnv) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    migrate(ctx.storage, migrations);
    this.means = {
      ...{ disk: ctx.storage, env, surroundings: surroundingsOf(env) },
      tell: (news) => this.#tell(news),
      arm: (at) => this.#arm(at),
    };
    this.#dispatcher = new Dispatcher(this.means);
    this.#intake = new Intake(this.means, this.#dispatcher.queue, (now) => this.#arm(now + SAFETY));
    ctx.blockConcurrencyWhile(async () => {
      this.#alarmAt = await ctx.storage.getAlarm();
      if (this.#dispatcher.queue.items.size > 0) this.#arm(this.means.surroundings.now());
    });
  }

  /**
   * Journals the webhooks of one request and their calls, in one commit with whatever else arrives at the moment, then
   * starts delivering. Answers once for every event; or says that there is too much to do.
   */
  async accept(webhooks: readonly Accepted[]): Promise<Taken> {
    const taken = await this.#intake.accept(webhooks);
    // Without calls too: a link that it told may be what others wait for.
    if ("receipts" in taken && taken.receipts.some(({ duplicate }) => !duplicate))
      this.ctx.waitUntil(this.#dispatcher.nudge());
    return taken;
  }

  /** One webhook with its calls and every attempt, or null. */
  webhook(id: string): Journalled | null {
    const seq = journal.seqOf(id);
    const webhook = seq === undefined ? undefined : journal.read(this.#sql, seq);
    webhook?.calls.forEach((call, index) => {
      const item = this.#dispatcher.queue.items.get(keyOf({ seq: webhook.seq, index }));
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
    const now = this.means.surroundings.now();
    let oldest = now;
    for (const { seq, waits } of this.#dispatcher.queue.items.values()) {
      if (!waits) oldest = Math.min(oldest, journal.acceptedAt(seq));
    }
    const { pause } = this.#dispatcher;
    return {
      waiting: this.#dispatcher.queue.items.size,
      late: now - oldest,
      pause: pause && pause.until > now ? pause : null,
    };
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    this.#purge();
    await this.#dispatcher.nudge();
    // Whoever holds the pump has it in hand; if it is lost with the process, the next alarm finds out.
    this.#arm(this.#dispatcher.pumping ? this.means.surroundings.now() + SAFETY : this.#nextAlarm());
  }

  #tell(news: News): void {
    if (news.kind === "call") logCall(news.seq, news.call);
  }

  #purge(): void {
    const now = this.means.surroundings.now();
    if (now < this.#nextPurge) return;
    try {
      const before = now - retentionOf(this.env);
      const deleted = journal.purge(this.#sql, before, PURGE_SLICE);
      this.#purgedTo = purgeContacts(this.#sql, before, this.#purgedTo ?? "", PURGE_SLICE);
      this.#nextPurge = now + (deleted >= PURGE_SLICE || this.#purgedTo !== undefined ? PURGE_AGAIN : PURGE_EVERY);
    } catch (error) {
      this.#nextPurge = now + PURGE_EVERY;
      log("purge_failed", { error: (error as Error).message });
    }
  }

  #nextAlarm(): number {
    const now = this.means.surroundings.now();
    const oldest = journal.oldest(this.#sql);
    const purge =
      this.#purgedTo !== undefined
        ? this.#nextPurge
        : oldest !== undefined
          ? Math.max(this.#nextPurge, journal.acceptedAt(oldest) + retentionOf(this.env))
          : anyContact(this.#sql)
            ? now + PURGE_EVERY
            : Number.POSITIVE_INFINITY;
    return Math.min(purge, this.#dispatcher.nextStart());
  }

  /** Sets the alarm unless an earlier one is set. An alarm costs a row, so a needless one is never written. */
  #arm(at: number): void {
    if (!Number.isFinite(at) || (this.#alarmAt !== null && this.#alarmAt <= at)) return;
    this.#alarmAt = at;
    this.ctx.storage.setAlarm(at);
  }
}

const logCall = (seq: number, call: Call): void =>
  log("call", {
    ...{ id: journal.idOf(seq), rule: call.rule, action: call.action, state: call.state },
    ...{ tries: call.attempts.length, status: call.attempts.at(-1)?.status, message: call.message },
  });
