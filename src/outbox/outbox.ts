import { DurableObject } from "cloudflare:workers";
import type { Forward, Forwarded } from "./delivery/gateway.ts";
import { Engine } from "./engine.ts";
import type { Who } from "./identity/person.ts";
import { decodeWebhooks, type EncodedWebhooks, encodeResult } from "./intake/rpc-text.ts";
import { listRefusals, type Refused } from "./journal/refusals.ts";
import type { OutboxEnv } from "./model/config.ts";
import { runtimeOf } from "./model/dependencies.ts";
import type { SourceSettings } from "./model/source-settings.ts";
import type { AcceptResult, CallRef, PlannedWebhook } from "./model/types.ts";
import { Monitor } from "./monitor/monitor.ts";
import { type DeliveryStatus, statusOf } from "./monitor/status.ts";
import { Operator, type Part } from "./operator/operator.ts";
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
  protected monitor: Monitor;
  #sql: SqlStorage;
  #operator: Operator;

  constructor(ctx: DurableObjectState, env: OutboxEnv) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.engine = new Engine({
      ...{ ...runtimeOf(env), disk: ctx.storage, env, sources: this.sources },
      fetchExternal: (url, init) => fetch(url, init),
      waitUntil: (work) => ctx.waitUntil(work),
      observe: (observation) => this.monitor.observe(observation),
    });
    this.monitor = new Monitor(this.engine);
    this.#operator = new Operator(this.engine.deps, this.engine.dispatcher);
    ctx.blockConcurrencyWhile(async () => {
      await this.engine.wake();
      this.engine.arm(this.monitor.next());
    });
  }

  /** Journals the webhooks of one request and their calls, and answers once that is durable. */
  accept(webhooks: readonly PlannedWebhook[]): Promise<AcceptResult> {
    return this.engine.accept(webhooks);
  }

  /** As `accept`, for the door. */
  async acceptEncoded(...parcel: EncodedWebhooks): Promise<string> {
    return encodeResult(await this.accept(decodeWebhooks(...parcel)));
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
    this.monitor.check();
    await done;
    this.engine.arm(this.monitor.next());
  }

  /** Takes what a backfill read, unless so much waits that live webhooks could be refused for it. */
  async backfill(webhooks: readonly PlannedWebhook[]): Promise<AcceptResult> {
    if (this.engine.dispatcher.queue.items.size < MOST_BACKFILLED) return this.engine.accept(webhooks);
    const message = `${this.engine.dispatcher.queue.items.size} calls wait for delivery already: a backfill waits for them.`;
    return { overload: { message, retryAfter: 30 } };
  }

  /** Counts webhooks that the door refused. */
  refused(refused: readonly Refused[]): void {
    this.monitor.refused(refused);
  }

  /** What was refused, newest first; minutes are Unix minutes. */
  refusals(which: Parameters<typeof listRefusals>[1]): ReturnType<typeof listRefusals> {
    return listRefusals(this.#sql, which);
  }

  /** All metrics in the text form of Prometheus. */
  metrics(): string {
    return this.monitor.metrics();
  }

  /** What delivery is doing: calls that wait, for how many ms the oldest could have left, and why nothing leaves if so. */
  status(): DeliveryStatus & { problems: string[] } {
    const status = statusOf(this.engine.dispatcher, this.engine.deps.now());
    return { ...status, problems: this.monitor.problems() };
  }

  // What people look at and do; see Operator.

  show(seq: number) {
    return this.#operator.show(seq);
  }
  searchWebhooks(filter: Filter, part: Part) {
    return this.#operator.webhooks(filter, part);
  }
  searchCalls(filter: Filter, part: Part) {
    return this.#operator.calls(filter, part);
  }
  retry(ref: CallRef) {
    return this.#operator.retry(ref);
  }
  discard(ref: CallRef) {
    return this.#operator.discard(ref);
  }
  sendAgain(ref: CallRef, confirmed: boolean, key: string) {
    return this.#operator.sendAgain(ref, confirmed, key);
  }
  retryAll(filter: Filter, before: number | undefined, dryRun: boolean) {
    return this.#operator.retryAll(filter, before, dryRun);
  }
  stored(filter: Filter, after?: number) {
    return this.#operator.stored(filter, after);
  }
  storedOne(seq: number) {
    return this.#operator.storedOne(seq);
  }
  replay(planned: readonly Planned[], actions: readonly Action[], dryRun: boolean) {
    return this.#operator.replay(planned, actions, dryRun);
  }
  pause(source: string | undefined, paused: boolean): void {
    this.#operator.pause(source, paused);
  }
  forget(who: Who, before?: number, dryRun = false) {
    return this.#operator.forget(who, before, dryRun);
  }
}
