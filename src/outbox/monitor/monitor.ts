import { createTokenWatch, type WrongTokens } from "../../lib/admin-token/wrong-tokens.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/util/dates.ts";
import { log } from "../../lib/util/log.ts";
import type { Engine } from "../engine.ts";
import { addRefusals, anyRefusal, purgeRefusals, type Refused } from "../journal/refusals.ts";
import { retentionOf } from "../model/config.ts";
import type { Observation } from "../model/observation.ts";
import type { Problem } from "../model/problem.ts";
import { createActivity } from "./activity/activity.ts";
import { Alerting } from "./alerting.ts";
import { createDrain } from "./drain.ts";
import { FetchBack } from "./fetch-back.ts";
import { logObservation } from "./log.ts";
import { createMetrics } from "./metrics.ts";

const PURGE_SLICE = 500;
/** Milliseconds. */
const STALLED = MINUTE_MS;

const FULL: Problem = {
  kind: "journal",
  message: "journal: it is larger than MAX_JOURNAL_MB, and nothing more may be purged",
};

const stalledFor = (silent: number, since: number): Problem => {
  const message = `stalled: deliveries could be sent, and none had an outcome for ${Math.floor(silent / 1_000)} s`;
  return { kind: "stalled", message, since };
};

/** Observes only: an error here must never delay or fail a delivery. */
export class Monitor {
  readonly fetchBack: FetchBack;
  readonly alerting: Alerting;
  readonly activity: ReturnType<typeof createActivity>;
  readonly drain: ReturnType<typeof createDrain>;
  readonly #engine: Engine;
  readonly #metrics = createMetrics();
  readonly #tokenWatch = createTokenWatch();
  #purgeAt: number;
  /** Unix ms of the newest answer, or of the start. */
  #heardAt: number;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#purgeAt = this.#now() + HOUR_MS;
    this.#heardAt = this.#now();
    this.alerting = new Alerting(engine, this.#metrics.counters);
    this.fetchBack = new FetchBack(engine, this.#metrics.counters);
    this.activity = createActivity(engine.deps);
    this.drain = createDrain(() => this.#now());
  }

  observe(observation: Observation): void {
    this.#safely(() => {
      if (observation.kind === "attempt") this.#heardAt = this.#now();
      logObservation(observation);
      this.#metrics.observe(observation);
      this.activity.observe(observation);
      this.drain.observe(observation);
      this.alerting.observe(observation);
      this.fetchBack.observe(observation);
    });
  }

  refused(refused: readonly Refused[]): void {
    const { disk } = this.#engine.deps;
    disk.transactionSync(() => addRefusals(disk.sql, refused));
    for (const { source, code, count } of refused) this.#metrics.counters.refusals.add([source, code], count);
    this.#safely(() => this.alerting.refused(refused));
    this.#engine.arm(this.#purgeAt);
  }

  wrongTokens(reports: readonly WrongTokens[]): void {
    for (const { count } of reports) this.#metrics.counters.wrongTokens.add([], count);
    for (const alert of this.#tokenWatch(reports)) this.alerting.board.raise({ kind: "admin.refused", ...alert });
  }

  check(): void {
    this.#safely(() => {
      this.alerting.check();
      this.fetchBack.check();
      this.activity.flush();
      this.#purge();
      this.#engine.deps.waitUntil(this.alerting.board.deliver());
      this.#engine.deps.waitUntil(this.fetchBack.run());
    });
  }

  next(): number {
    const purge = anyRefusal(this.#engine.deps.disk.sql) ? this.#purgeAt : Number.POSITIVE_INFINITY;
    const activity = Math.max(this.#purgeAt, this.activity.oldestEnds());
    return Math.min(purge, activity, this.alerting.next(), this.fetchBack.next());
  }

  /** The sentences name no person. `late`: ms of the oldest sendable delivery while nothing interrupts dispatch, else 0. */
  problems(late = 0): Problem[] {
    const alerts = this.alerting.board.problem();
    const silent = Math.min(late, this.#now() - this.#heardAt);
    return [
      ...(silent > STALLED ? [stalledFor(silent, this.#heardAt)] : []),
      ...(this.alerting.board.isFiring("journal.full", "") ? [FULL] : []),
      ...this.alerting.refusing.problems().map(({ isLong: _, ...problem }) => problem),
      ...this.fetchBack.problems(),
      ...this.#engine.fetcher.problems(),
      ...(alerts === undefined ? [] : [{ kind: "alerts" as const, message: `alerts: ${alerts}` }]),
    ];
  }

  metrics(): string {
    return this.#metrics.text(this.#engine, this.#now());
  }

  #purge(): void {
    const now = this.#now();
    if (now < this.#purgeAt) return;
    const { disk, env } = this.#engine.deps;
    const before = now - retentionOf(env);
    const deleted = purgeRefusals(disk.sql, before, PURGE_SLICE);
    const erased = this.activity.purge(before, PURGE_SLICE);
    for (const source of this.alerting.refusing.purge(before)) this.alerting.board.resolve("source.refusing", source);
    this.#purgeAt = now + (Math.max(deleted, erased) >= PURGE_SLICE ? 2_000 : DAY_MS);
  }

  #safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      log("monitor_failed", { error: (error as Error).message });
    }
  }

  #now(): number {
    return this.#engine.deps.now();
  }
}
