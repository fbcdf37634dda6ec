import { migrate } from "../lib/util/migrate.ts";
import { Dispatcher } from "./delivery/dispatcher.ts";
import { Gateway } from "./delivery/gateway.ts";
import { Intake } from "./intake/intake.ts";
import type { Dependencies, EngineContext } from "./model/dependencies.ts";
import type { Observation } from "./model/observation.ts";
import { migrations } from "./model/schema.ts";
import type { AcceptResult, PlannedWebhook } from "./model/types.ts";
import { createRetention, type Retention } from "./retention.ts";

/** Ms after which the alarm checks for work whose pump may have been lost with the process. */
const SAFETY = 10_000;

/**
 * All of the Outbox except the Durable Object itself: intake, delivery, retention, and the alarm that restarts them.
 * Disk, clock and network come as dependencies, so that a simulation runs the same code.
 */
export class Engine {
  readonly deps: EngineContext;
  readonly dispatcher: Dispatcher;
  readonly gateway: Gateway;
  readonly #intake: Intake;
  readonly #retention: Retention;
  readonly #observers: ((observation: Observation) => void)[] = [];
  #alarmAt: number | null = null;

  constructor(dependencies: Dependencies) {
    migrate(dependencies.disk, migrations);
    this.deps = {
      ...dependencies,
      fetch: async (url, init) => {
        const answer = await dependencies.fetch(url, init);
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
    this.#retention = createRetention(this.deps);
  }

  /** Calls the observer with every later observation of intake and delivery. */
  subscribe(observer: (observation: Observation) => void): void {
    this.#observers.push(observer);
  }

  /** Reads the alarm that is set. To be awaited before any other method is called. */
  async wake(): Promise<void> {
    this.#alarmAt = await this.deps.disk.getAlarm();
    if (this.dispatcher.queue.items.size > 0) this.arm(this.deps.now());
    if (this.#alarmAt === null) this.arm(this.#retention.next());
  }

  /**
   * Journals webhooks and their calls, in one commit with all others that arrive at the same moment, then starts
   * delivery.
   *
   * @returns a receipt for each webhook once they are durable; or an overload, and nothing was journalled
   */
  async accept(webhooks: readonly PlannedWebhook[]): Promise<AcceptResult> {
    const result = await this.#intake.accept(webhooks);
    // Also when no webhook has a call: calls of earlier webhooks may wait for an identity link of this one.
    if ("receipts" in result && result.receipts.some(({ duplicate }) => !duplicate)) this.#nudge();
    return result;
  }

  #nudge(): void {
    const starts = !this.dispatcher.pumping;
    const pump = this.dispatcher.nudge();
    if (starts) this.deps.waitUntil(pump);
  }

  async alarm(): Promise<void> {
    this.#alarmAt = null;
    this.#retention.run();
    await this.dispatcher.nudge();
    // A pump that runs already sets the next alarm at its end. If the process dies before, this alarm finds the work.
    this.arm(this.dispatcher.pumping ? this.deps.now() + SAFETY : this.#nextAlarm());
  }

  /** Sets the alarm in a commit of webhooks. A webhook without calls costs no alarm while one is set. */
  #committed(now: number, isWaiting: boolean): void {
    // No alarm is set while alarm() runs. One set now replaces it, so it must find the calls that wait.
    if (isWaiting || (this.#alarmAt === null && this.dispatcher.queue.items.size > 0)) this.arm(now + SAFETY);
    if (this.#alarmAt === null) this.arm(this.#retention.next());
    this.#retention.look(now);
  }

  #nextAlarm(): number {
    return Math.min(this.#retention.next(), this.dispatcher.nextStart());
  }

  /** Sets the alarm unless an earlier one is set. Setting an alarm costs a row, so it is never set needlessly. */
  arm(at: number): void {
    if (!Number.isFinite(at) || (this.#alarmAt !== null && this.#alarmAt <= at)) return;
    this.#alarmAt = at;
    this.deps.disk.setAlarm(at);
  }
}
