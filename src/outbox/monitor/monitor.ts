import { log } from "../../lib/util/log.ts";
import { metricsText } from "../../lib/util/prometheus.ts";
import type { Engine } from "../engine.ts";
import { addRefusals, anyRefusal, purgeRefusals, type Refused } from "../journal/refusals.ts";
import { isOpen } from "../model/calls.ts";
import { retentionOf } from "../model/config.ts";
import type { Observation } from "../model/observation.ts";
import type { Call } from "../model/types.ts";
import { Watch } from "./alerting.ts";
import { logObservation } from "./event-log.ts";
import { FetchBacks } from "./fetch-back.ts";
import { createGauges } from "./gauges.ts";
import { createMeters } from "./meters.ts";

const DAY = 86_400_000;
const PURGE_SLICE = 500;

/**
 * What people need to run it: logs, counters, alerts, refusals, and questions to providers. It looks on; nothing here
 * may hold up or fail delivery.
 */
export class Monitor {
  readonly fetchBacks: FetchBacks;
  readonly watch: Watch;
  readonly #engine: Engine;
  readonly #meters = createMeters();
  readonly #gauges = createGauges();
  #purgeAt: number;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#purgeAt = this.#now() + DAY / 24;
    this.watch = new Watch(engine, this.#meters);
    this.fetchBacks = new FetchBacks(engine, this.#meters);
  }

  observe(observation: Observation): void {
    this.#safely(() => {
      logObservation(observation);
      this.#count(observation);
      this.watch.observe(observation);
      this.fetchBacks.observe(observation);
    });
  }

  /** The door refused webhooks. One row for each source and reason in a minute. */
  refused(refused: readonly Refused[]): void {
    const { disk } = this.#engine.deps;
    disk.transactionSync(() => addRefusals(disk.sql, refused));
    for (const { source, code, count } of refused) this.#meters.refusals.add([source, code], count);
    this.#safely(() => this.watch.refused(refused));
    this.#engine.arm(this.#purgeAt);
  }

  /** What is due by the clock. */
  look(): void {
    this.#safely(() => {
      this.watch.look();
      this.fetchBacks.look();
      this.#purge();
      this.#engine.deps.waitUntil(this.watch.deliver());
      this.#engine.deps.waitUntil(this.fetchBacks.run());
    });
  }

  /** When to look again, Unix ms. */
  next(): number {
    const purge = anyRefusal(this.#engine.deps.disk.sql) ? this.#purgeAt : Number.POSITIVE_INFINITY;
    return Math.min(purge, this.watch.next(), this.fetchBacks.next());
  }

  /** Why something of this is out of order, without a name of a person. */
  problems(): string[] {
    const alerts = this.watch.problem();
    return [
      ...this.fetchBacks.problems().map(({ source, problem }) => `fetch-back: ${source} was asked, and ${problem}`),
      ...(alerts === undefined ? [] : [`alerts: ${alerts}`]),
    ];
  }

  /** All metrics in the text form of Prometheus. */
  metrics(): string {
    const counted = Object.values(this.#meters).map((meter) => meter.metric());
    return metricsText([...counted, ...this.#gauges(this.#engine, this.#now())]);
  }

  #count(observation: Observation): void {
    const { webhooks, settled, tries, tryTime, wait } = this.#meters;
    const end = (call: Call) => {
      if (!isOpen(call)) settled.add([call.action, call.state]);
    };
    if (observation.kind === "webhook") {
      webhooks.add([observation.source, observation.duplicate ? "duplicate" : "accepted"]);
      observation.calls.forEach(end);
    } else if (observation.kind === "call") end(observation.call);
    else if (observation.kind === "start") wait.observe([observation.lane], Math.max(0, observation.waited) / 1000);
    else if (observation.kind === "attempt") {
      tries.add([observation.action, observation.outcome]);
      tryTime.observe([observation.action], Math.max(0, observation.ms) / 1000);
    }
  }

  #purge(): void {
    const now = this.#now();
    if (now < this.#purgeAt) return;
    const { disk, env } = this.#engine.deps;
    const deleted = purgeRefusals(disk.sql, now - retentionOf(env), PURGE_SLICE);
    this.#purgeAt = now + (deleted >= PURGE_SLICE ? 2_000 : DAY);
  }

  #safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      log("operations_failed", { error: (error as Error).message });
    }
  }

  #now(): number {
    return this.#engine.deps.now();
  }
}
