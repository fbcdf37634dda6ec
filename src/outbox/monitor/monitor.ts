import { log } from "../../lib/util/log.ts";
import { metricsText } from "../../lib/util/prometheus.ts";
import type { Engine } from "../engine.ts";
import { isOpen } from "../journal/journal.ts";
import { addRefusals, anyRefusal, purgeRefusals, type Refused } from "../journal/refusals.ts";
import { retentionOf } from "../model/config.ts";
import type { News } from "../model/dependencies.ts";
import type { Outside } from "../model/outside.ts";
import type { Call } from "../model/types.ts";
import { Watch } from "./alerting.ts";
import { logNews } from "./event-log.ts";
import { FetchBacks } from "./fetch-back.ts";
import { createGauges } from "./gauges.ts";
import { createMeters } from "./meters.ts";

const DAY = 86_400_000;
const PURGE_SLICE = 500;

/**
 * What people need to run it: logs, counters, alerts, refusals, and questions to providers. It looks on; nothing here
 * may hold up or fail delivery.
 */
export class Operations {
  /** `fetch` and `sources` may be exchanged by tests. */
  readonly outside: Outside;
  readonly fetchBacks: FetchBacks;
  readonly watch: Watch;
  readonly #engine: Engine;
  readonly #meters = createMeters();
  readonly #gauges = createGauges();
  #purgeAt: number;

  constructor(engine: Engine, outside: Outside) {
    this.outside = outside;
    this.#engine = engine;
    this.#purgeAt = this.#now() + DAY / 24;
    this.watch = new Watch(engine, outside, this.#meters);
    this.fetchBacks = new FetchBacks(engine, outside, this.#meters);
  }

  tell(news: News): void {
    this.#safely(() => {
      logNews(news);
      this.#count(news);
      this.watch.tell(news);
      this.fetchBacks.tell(news);
    });
  }

  /** The door refused webhooks. One row for each source and reason in a minute. */
  refused(refused: readonly Refused[]): void {
    const { disk } = this.#engine.means;
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
      this.outside.waitUntil(this.watch.deliver());
      this.outside.waitUntil(this.fetchBacks.run());
    });
  }

  /** When to look again, Unix ms. */
  next(): number {
    const purge = anyRefusal(this.#engine.means.disk.sql) ? this.#purgeAt : Number.POSITIVE_INFINITY;
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

  #count(news: News): void {
    const { webhooks, settled, tries, tryTime, wait } = this.#meters;
    const end = (call: Call) => {
      if (!isOpen(call)) settled.add([call.action, call.state]);
    };
    if (news.kind === "webhook") {
      webhooks.add([news.source, news.duplicate ? "duplicate" : "accepted"]);
      news.calls.forEach(end);
    } else if (news.kind === "call") end(news.call);
    else if (news.kind === "start") wait.observe([news.lane], Math.max(0, news.waited) / 1000);
    else if (news.kind === "try") {
      tries.add([news.action, news.outcome]);
      tryTime.observe([news.action], Math.max(0, news.ms) / 1000);
    }
  }

  #purge(): void {
    const now = this.#now();
    if (now < this.#purgeAt) return;
    const { disk, env } = this.#engine.means;
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
    return this.#engine.means.surroundings.now();
  }
}
