import { DurableObject } from "cloudflare:workers";
import type { Forward, Forwarded } from "./delivery/gateway.ts";
import type { Pause } from "./delivery/limits/interruption.ts";
import { Engine } from "./engine.ts";
import type { Who } from "./identity/person.ts";
import { type Parcel, packTaken, unpack } from "./intake/rpc-text.ts";
import { listRefusals, type Refused } from "./journal/refusals.ts";
import { type OutboxEnv, surroundingsOf } from "./model/config.ts";
import type { SourceSettings } from "./model/source-settings.ts";
import type { Accepted, Ref, Taken } from "./model/types.ts";
import { Operations } from "./monitor/monitor.ts";
import { type DeliveryStatus, statusOf } from "./monitor/status.ts";
import { Ledger, type Part } from "./operator/operator.ts";
import type { Action, Planned } from "./operator/replay.ts";
import type { Filter } from "./operator/search.ts";

/** Calls that wait above which a backfill waits too. */
const MOST_BACKFILLED = 20_000;

/**
 * Journal, scheduler, limiter and ledger of one team's deliveries. One webhook is one row; everything that must be true
 * together is one transaction.
 */
export class Outbox extends DurableObject<OutboxEnv> {
  protected engine: Engine;
  protected operations: Operations;
  #sql: SqlStorage;
  #ledger: Ledger;

  constructor(ctx: DurableObjectState, env: OutboxEnv) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.engine = new Engine({
      ...{ disk: ctx.storage, env, surroundings: surroundingsOf(env) },
      waitUntil: (work) => ctx.waitUntil(work),
      tell: (news) => this.operations.tell(news),
    });
    this.operations = new Operations(this.engine, {
      fetch: (url, init) => fetch(url, init),
      waitUntil: (work) => ctx.waitUntil(work),
      sources: this.sources,
    });
    this.#ledger = new Ledger(this.engine.means, this.engine.dispatcher, (work) => ctx.waitUntil(work));
    ctx.blockConcurrencyWhile(async () => {
      await this.engine.wake();
      this.engine.arm(this.operations.next());
    });
  }

  /** Journals the webhooks of one request and their calls, and answers once that is durable. */
  accept(webhooks: readonly Accepted[]): Promise<Taken> {
    return this.engine.accept(webhooks);
  }

  /** As `accept`, for the door. */
  async acceptParcel(...parcel: Parcel): Promise<string> {
    return packTaken(await this.accept(unpack(...parcel)));
  }

  /** Forwards a request of somebody else in its turn; waits for that `wait` ms at most. */
  forward(request: Forward, wait: number): Promise<Forwarded> {
    return this.engine.gateway.forward(request, wait);
  }

  /** What is known of sources before a webhook of theirs comes. The bridge's own class says it. */
  protected get sources(): Readonly<Record<string, SourceSettings>> {
    return {};
  }

  override async alarm(): Promise<void> {
    const done = this.engine.alarm();
    this.operations.look();
    await done;
    this.engine.arm(this.operations.next());
  }

  /** Takes what a backfill read, unless so much waits that live webhooks could be refused for it. */
  async backfill(webhooks: readonly Accepted[]): Promise<Taken> {
    if (this.engine.dispatcher.queue.items.size < MOST_BACKFILLED) return this.engine.accept(webhooks);
    const message = `${this.engine.dispatcher.queue.items.size} calls wait for delivery already: a backfill waits for them.`;
    return { overload: { message, retryAfter: 30 } };
  }

  /** Counts webhooks that the door refused. */
  refused(refused: readonly Refused[]): void {
    this.operations.refused(refused);
  }

  /** What was refused, newest first; minutes are Unix minutes. */
  refusals(which: Parameters<typeof listRefusals>[1]): ReturnType<typeof listRefusals> {
    return listRefusals(this.#sql, which);
  }

  /** All metrics in the text form of Prometheus. */
  metrics(): string {
    return this.operations.metrics();
  }

  /** What delivery is doing: calls that wait, for how many ms the oldest could have left, and why nothing leaves if so. */
  status(): { waiting: number; late: number; pause: Pause | null; problems: string[] } & DeliveryStatus {
    const status = statusOf(this.engine.dispatcher, this.engine.means.surroundings.now());
    return { ...status, problems: this.operations.problems() };
  }

  // What people look at and do; see Ledger.

  show(seq: number) {
    return this.#ledger.show(seq);
  }
  searchWebhooks(filter: Filter, part: Part) {
    return this.#ledger.webhooks(filter, part);
  }
  searchCalls(filter: Filter, part: Part) {
    return this.#ledger.calls(filter, part);
  }
  retry(ref: Ref) {
    return this.#ledger.retry(ref);
  }
  discard(ref: Ref) {
    return this.#ledger.discard(ref);
  }
  sendAgain(ref: Ref, confirmed: boolean, key: string) {
    return this.#ledger.sendAgain(ref, confirmed, key);
  }
  retryAll(filter: Filter, before: number | undefined, dryRun: boolean) {
    return this.#ledger.retryAll(filter, before, dryRun);
  }
  stored(filter: Filter, after?: number) {
    return this.#ledger.stored(filter, after);
  }
  storedOne(seq: number) {
    return this.#ledger.storedOne(seq);
  }
  replay(planned: readonly Planned[], actions: readonly Action[], dryRun: boolean) {
    return this.#ledger.replay(planned, actions, dryRun);
  }
  pause(source: string | undefined, paused: boolean): void {
    this.#ledger.pause(source, paused);
  }
  forget(who: Who, before?: number, dryRun = false) {
    return this.#ledger.forget(who, before, dryRun);
  }
}
