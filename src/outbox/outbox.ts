import { DurableObject } from "cloudflare:workers";
import type { WrongTokens } from "../lib/admin-token/wrong-tokens.ts";
import { type AuditFilter, type AuditPage, type Entry, noteOnce, readAudit } from "../lib/audit/entries.ts";
import { saveValue } from "../lib/util/kv.ts";
import { log } from "../lib/util/log.ts";
import { schemaVersion } from "../lib/util/migrate.ts";
import type { Forward, Forwarded } from "./dispatch/gateway-queue.ts";
import { Engine } from "./engine.ts";
import type { PersonQuery } from "./identity/person-search.ts";
import { decodeWebhooks, type EncodedWebhooks, encodeResult } from "./intake/rpc-text.ts";
import { listRefusals, type Refused } from "./journal/refusals.ts";
import { type OutboxEnv, sizeOf } from "./model/config.ts";
import { type Dependencies, runtimeOf } from "./model/dependencies.ts";
import type { AcceptResult, DeliveryRef, FetchedWebhook, PlannedWebhook } from "./model/journal-types.ts";
import type { SourceSettings } from "./model/source-settings.ts";
import { oldestSendable } from "./monitor/backlog.ts";
import { Monitor } from "./monitor/monitor.ts";
import { createHealthStatus, type FullStatus, statusOf } from "./monitor/status.ts";
import { missingTemplates } from "./monitor/templates.ts";
import { Operator, type Part } from "./operator/operator.ts";
import type { Action, ReplayPlan } from "./operator/replay.ts";
import type { Filter } from "./operator/search.ts";
import { backlogText, leavesRoomForBulk, openBeside } from "./queue/quota.ts";

/** The team's journal, scheduler, rate limiter and ledger. One webhook is one row. */
export class Outbox extends DurableObject<OutboxEnv> {
  protected engine: Engine;
  protected monitor: Monitor;
  #sql: SqlStorage;
  readonly #health = createHealthStatus();
  #operator: Operator;

  constructor(ctx: DurableObjectState, env: OutboxEnv) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.engine = new Engine(this.dependencies());
    this.monitor = new Monitor(this.engine);
    this.engine.subscribe((observation) => this.monitor.observe(observation));
    const { deps } = this.engine;
    for (const missing of missingTemplates(deps.sources, deps.env)) log("template_missing", missing);
    this.#operator = new Operator(deps, this.engine.dispatcher, () => this.monitor.drain.of(0).settledPerMinute);
    ctx.blockConcurrencyWhile(async () => {
      await this.engine.wake();
      this.engine.arm(this.monitor.next());
    });
  }

  /** Journals webhooks, and returns an encoded `AcceptResult` once durable. */
  async accept(...encoded: EncodedWebhooks): Promise<string> {
    return encodeResult(await this.engine.accept(decodeWebhooks(...encoded)));
  }

  /** Forwards a gateway request within `wait` ms. */
  forward(request: Forward, wait: number): Promise<Forwarded> {
    return this.engine.gateway.forward(request, wait);
  }

  /** Tests override it. */
  protected dependencies(): Dependencies {
    return {
      ...runtimeOf(this.env),
      disk: this.ctx.storage,
      env: this.env,
      sources: this.sources,
      fetchExternal: (url, init) => fetch(url, init),
      plan: (fetched) => this.plan(fetched),
      waitUntil: (work) => this.ctx.waitUntil(work),
    };
  }

  /** Overridden in src/index.ts. */
  protected get sources(): Readonly<Record<string, SourceSettings>> {
    return {};
  }

  /** Runs the rules on a fetched event. Overridden in src/index.ts. */
  protected plan(_fetched: FetchedWebhook): Promise<PlannedWebhook | undefined> {
    return Promise.resolve(undefined);
  }

  override async alarm(): Promise<void> {
    const done = this.engine.alarm();
    this.monitor.check();
    await done;
    this.engine.arm(this.monitor.next());
  }

  /** Journals a backfill, unless live webhooks could be refused. */
  async backfill(webhooks: readonly PlannedWebhook[]): Promise<AcceptResult> {
    const backlog = openBeside(this.engine.dispatcher.queue, webhooks[0]?.source ?? "");
    if (leavesRoomForBulk(backlog)) return this.engine.accept(webhooks);
    const message = `Backlog too large for a backfill (${backlogText(backlog)}). Nothing was accepted; retry after 30 s.`;
    return { overload: { message, retryAfter: 30 } };
  }

  /** Starts a probe if there was no answer for a minute, so that an outage is told before the first webhook. */
  #look(): void {
    const { dispatcher, deps } = this.engine;
    if (dispatcher.nextIdleProbe() <= deps.now()) deps.waitUntil(dispatcher.probe());
  }

  refused(refused: readonly Refused[]): void {
    this.monitor.refused(refused);
  }

  wrongTokens(reports: readonly WrongTokens[]): void {
    this.monitor.wrongTokens(reports);
  }

  /** Adds the entry of an act of an operator; a repetition of `request` changes nothing. */
  noteAct(entry: Entry, request: string): void {
    noteOnce(this.#sql, entry, request);
    this.engine.armRetention();
  }

  /** Newest first. */
  audit(filter: AuditFilter): AuditPage {
    return readAudit(this.#sql, filter, this.engine.deps.now());
  }

  /** Newest first; Unix minutes. */
  refusals(which: Parameters<typeof listRefusals>[1]): ReturnType<typeof listRefusals> {
    return listRefusals(this.#sql, which);
  }

  metrics(): string {
    this.#look();
    return this.monitor.metrics();
  }

  /** Reads few deliveries, because anyone may ask. */
  health() {
    const { dispatcher, deps } = this.engine;
    const health = this.#health(dispatcher, this.#sql, deps.now());
    const late = health.interruption ? 0 : health.late;
    this.#look();
    return { ...health, problems: this.monitor.problems(late) };
  }

  /** Sets a lost alarm again. `write`: a write too. `alarm`, `oldest` (of a sendable delivery): Unix ms. */
  async pulse({ write = false } = {}) {
    const { dispatcher, deps } = this.engine;
    const wasLost = await this.engine.rearm();
    if (wasLost) log("alarm_lost");
    this.engine.arm(this.monitor.next());
    if (write) saveValue(this.#sql, "write", deps.now());
    return {
      schema: schemaVersion(this.#sql),
      bytes: this.#sql.databaseSize,
      maxBytes: sizeOf(this.env),
      alarm: await deps.disk.getAlarm(),
      wasLost,
      waiting: dispatcher.queue.items.size,
      inFlight: dispatcher.queue.inFlight.size,
      oldest: oldestSendable(dispatcher) ?? null,
    };
  }

  /** `late`: ms of the oldest sendable delivery. */
  status(): FullStatus {
    const { dispatcher, deps } = this.engine;
    const now = deps.now();
    const { quotas: nearlyFull } = this.#health(dispatcher, this.#sql, now);
    this.#look();
    const status = statusOf(dispatcher, this.#sql, now);
    const late = status.interruption ? 0 : status.late;
    const drain = this.monitor.drain.of(status.sendable);
    return { ...status, nearlyFull, drain, problems: this.monitor.problems(late) };
  }

  activity(query: Parameters<Monitor["activity"]["list"]>[0]) {
    return this.monitor.activity.list(query);
  }

  /** Unix ms. */
  sourceFacts() {
    return { facts: this.monitor.activity.facts(), paused: this.engine.dispatcher.pauses.sources };
  }

  alerts() {
    return this.monitor.alerting.board.list();
  }

  show(seq: number) {
    return this.#operator.show(seq);
  }
  searchWebhooks(filter: Filter, part: Part) {
    return this.#operator.webhooks(filter, part);
  }
  searchDeliveries(filter: Filter, part: Part) {
    return this.#operator.deliveries(filter, part);
  }
  causes(before?: number) {
    return this.#operator.causes(before);
  }
  person(who: PersonQuery) {
    return this.#operator.person(who);
  }
  findPeople(q: string) {
    return this.#operator.findPeople(q);
  }
  retry(ref: DeliveryRef, by?: string) {
    return this.#operator.retry(ref, by);
  }
  discard(ref: DeliveryRef, by?: string) {
    return this.#operator.discard(ref, by);
  }
  sendAgain(ref: DeliveryRef, confirmed: boolean, key: string, by?: string) {
    return this.#operator.sendAgain(ref, { confirmed, key, by });
  }
  retryAll(filter: Filter, before: number | undefined, dryRun: boolean, by?: string) {
    return this.#operator.retryAll(filter, before, dryRun, by);
  }
  stored(filter: Filter, after?: number) {
    return this.#operator.stored(filter, after);
  }
  storedOne(seq: number) {
    return this.#operator.storedOne(seq);
  }
  replay(plans: readonly ReplayPlan[], actions: readonly Action[], dryRun: boolean, by?: string) {
    return this.#operator.replay(plans, actions, dryRun, by);
  }
  pause(source: string | undefined, paused: boolean): void {
    this.#operator.pause(source, paused);
  }
  erase(who: PersonQuery, before?: number, { dryRun = false, keepLinks = false } = {}) {
    return this.#operator.erase(who, before, { dryRun, keepLinks });
  }
}
