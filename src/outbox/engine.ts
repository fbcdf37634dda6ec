import { migrate } from "../lib/util/migrate.ts";
import { Dispatcher } from "./dispatch/dispatcher.ts";
import { Gateway } from "./dispatch/gateway-queue.ts";
import { createAnswerCheck, withCall } from "./dispatch/own-answer.ts";
import { Fetcher } from "./fetch/fetcher.ts";
import { Intake } from "./intake/intake.ts";
import type { Dependencies, EngineContext } from "./model/dependencies.ts";
import type { AcceptResult, PlannedWebhook } from "./model/journal-types.ts";
import type { Observation } from "./model/observation.ts";
import { schema } from "./model/schema.ts";
import { createRetention, type Retention } from "./retention.ts";

/** Milliseconds. The alarm finds work of a pump that was lost with its object. */
const SAFETY = 2_500;
/** Milliseconds. An alarm that is overdue by more was lost. */
const LOST = 60_000;

/** Runs all of the Outbox. Dependencies are injected, so that a simulation runs the same code. */
export class Engine {
  readonly deps: EngineContext;
  readonly dispatcher: Dispatcher;
  readonly gateway: Gateway;
  readonly fetcher: Fetcher;
  readonly #intake: Intake;
  readonly #retention: Retention;
  readonly #observers: ((observation: Observation) => void)[] = [];
  #alarmAt: number | null = null;

  constructor(dependencies: Dependencies) {
    migrate(dependencies.disk, schema);
    const checked = createAnswerCheck();
    this.deps = {
      ...dependencies,
      fetch: async (url, init) => {
        const own = withCall(init, crypto.randomUUID());
        const answer = checked(url, own, await dependencies.fetch(url, own));
        this.dispatcher.heard(answer);
        return answer;
      },
      arm: (at) => this.arm(at),
      observe: (observation) => {
        for (const observer of this.#observers) observer(observation);
      },
    };
    this.dispatcher = new Dispatcher(this.deps);
    this.gateway = new Gateway(this.deps, this.dispatcher);
    this.#intake = new Intake(this.deps, this.dispatcher.queue, (now, isWaiting) => this.#committed(now, isWaiting));
    this.fetcher = new Fetcher(this.deps, this.dispatcher.queue, (...given) => {
      const outcome = this.#intake.complete(...given);
      this.#nudge();
      return outcome;
    });
    this.#retention = createRetention(this.deps);
  }

  subscribe(observer: (observation: Observation) => void): void {
    this.#observers.push(observer);
  }

  /** Reads the current alarm. Must be awaited before any other method. */
  async wake(): Promise<void> {
    this.#alarmAt = await this.deps.disk.getAlarm();
    if (this.dispatcher.hasWork) this.arm(this.deps.now());
    this.arm(this.fetcher.next());
    if (this.#alarmAt === null) this.arm(this.#retention.next());
  }

  /** Sets a missing or overdue alarm again, and returns true then. */
  async rearm(): Promise<boolean> {
    const known = this.#alarmAt;
    const stored = await this.deps.disk.getAlarm();
    // alarm() has none while it runs, and `known` is null then.
    const wasLost = stored === null ? known !== null : this.#isLost(stored);
    if (!wasLost) return false;
    this.#alarmAt = null;
    if (this.dispatcher.queue.items.size > 0) this.arm(this.deps.now());
    this.arm(this.fetcher.next());
    this.arm(this.#retention.next());
    return true;
  }

  #isLost(at: number | null): boolean {
    return at !== null && at <= this.deps.now() - LOST;
  }

  /**
   * Journals webhooks in one commit, then starts delivery.
   *
   * @returns receipts once durable, or an overload without any journaling
   */
  async accept(webhooks: readonly PlannedWebhook[]): Promise<AcceptResult> {
    const result = await this.#intake.add(webhooks);
    // Earlier deliveries may wait for an identity link of a webhook without deliveries.
    if ("receipts" in result && result.receipts.some(({ duplicate }) => !duplicate)) this.#nudge();
    return result;
  }

  #nudge(): void {
    this.#fetch();
    const starts = !this.dispatcher.pumping;
    const pump = this.dispatcher.nudge();
    if (starts) this.deps.waitUntil(pump);
  }

  #fetch(): void {
    if (this.fetcher.next() <= this.deps.now()) this.deps.waitUntil(this.fetcher.run());
  }

  async alarm(): Promise<void> {
    this.#alarmAt = null;
    this.#retention.run();
    this.#fetch();
    await this.dispatcher.nudge();
    // A running pump sets the next alarm. If the process dies before, this alarm finds the work.
    this.arm(this.dispatcher.pumping ? this.deps.now() + SAFETY : this.#nextAlarm());
  }

  #committed(now: number, isWaiting: boolean): void {
    // alarm() has no alarm set while running. A new one must find the waiting deliveries.
    if (isWaiting || (this.#alarmAt === null && this.dispatcher.hasWork)) this.arm(now + SAFETY);
    this.armRetention();
    this.#retention.look(now);
  }

  /** Sets the alarm of the purge, unless one is set. */
  armRetention(): void {
    if (this.#alarmAt === null) this.arm(this.#retention.next());
  }

  #nextAlarm(): number {
    return Math.min(this.#retention.next(), this.dispatcher.nextStart(), this.fetcher.next());
  }

  /** Sets the alarm unless an earlier one is set: each setting costs a row. */
  arm(at: number): void {
    const isLost = this.#isLost(this.#alarmAt);
    if (!Number.isFinite(at) || (this.#alarmAt !== null && this.#alarmAt <= at && !isLost)) return;
    this.#alarmAt = isLost ? Math.min(at, this.deps.now()) : at;
    this.deps.disk.setAlarm(this.#alarmAt);
  }
}
