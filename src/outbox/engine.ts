import { log } from "../lib/util/log.ts";
import { migrate } from "../lib/util/migrate.ts";
import { Dispatcher } from "./delivery/dispatcher.ts";
import { Gateway } from "./delivery/gateway.ts";
import { anyContact, purgeContacts } from "./identity/links.ts";
import { Intake } from "./intake/intake.ts";
import * as journal from "./journal/journal.ts";
import { acceptedAt } from "./model/calls.ts";
import { retentionOf, sizeOf } from "./model/config.ts";
import type { Dependencies } from "./model/dependencies.ts";
import { migrations } from "./model/schema.ts";
import type { AcceptResult, PlannedWebhook } from "./model/types.ts";

/** Ms after which the alarm looks after work whose pump may have been lost with the process. */
const SAFETY = 10_000;
const PURGE_EVERY = 86_400_000;
const PURGE_AGAIN = 2_000;
const PURGE_SLICE = 500;

/** What an engine is built from: its dependencies. `arm` is its own. */
export type Parts = Omit<Dependencies, "arm">;

/**
 * All of the Outbox but its being a Durable Object: intake, delivery, and the alarm that looks after both. Whoever
 * builds it brings disk, clock and network, so that a simulation runs the same code.
 */
export class Engine {
  /** May be exchanged by tests, in parts. */
  readonly deps: Dependencies;
  readonly dispatcher: Dispatcher;
  readonly gateway: Gateway;
  readonly #intake: Intake;
  #alarmAt: number | null = null;
  #nextPurge = 0;
  #purgedTo: string | undefined;
  /** Bodies up to here were purged for their size. */
  #bodiesTo = 0;
  /** The database is too large, and no body is left that could go. */
  #bodiesGone = false;
  #purgesAgain = false;

  constructor(parts: Parts) {
    migrate(parts.disk, migrations);
    this.deps = { ...parts, arm: (at) => this.arm(at) };
    this.dispatcher = new Dispatcher(this.deps);
    this.gateway = new Gateway(this.deps, this.dispatcher);
    this.#intake = new Intake(this.deps, this.dispatcher.queue, (now) => this.arm(now + SAFETY));
  }

  /** Finds the alarm as it was left. Nothing may be asked of the engine before. */
  async wake(): Promise<void> {
    this.#alarmAt = await this.deps.disk.getAlarm();
    if (this.dispatcher.queue.items.size > 0) this.arm(this.deps.now());
  }

  /**
   * Journals the webhooks of one request and their calls, in one commit with whatever else arrives at the moment, then
   * starts delivering. Answers once for every event; or says that there is too much to do.
   */
  async accept(webhooks: readonly PlannedWebhook[]): Promise<AcceptResult> {
    const taken = await this.#intake.accept(webhooks);
    // Without calls too: a link that it told may be what others wait for.
    if ("receipts" in taken && taken.receipts.some(({ duplicate }) => !duplicate)) this.#nudge();
    return taken;
  }

  #nudge(): void {
    const starts = !this.dispatcher.pumping;
    const pump = this.dispatcher.nudge();
    if (starts) this.deps.waitUntil(pump);
  }

  async alarm(): Promise<void> {
    this.#alarmAt = null;
    this.#purge();
    await this.dispatcher.nudge();
    // Whoever holds the pump has it in hand; if it is lost with the process, the next alarm finds out.
    this.arm(this.dispatcher.pumping ? this.deps.now() + SAFETY : this.#nextAlarm());
  }

  /** Sets the alarm unless an earlier one is set. An alarm costs a row, so a needless one is never written. */
  arm(at: number): void {
    if (!Number.isFinite(at) || (this.#alarmAt !== null && this.#alarmAt <= at)) return;
    this.#alarmAt = at;
    this.deps.disk.setAlarm(at);
  }

  #purge(): void {
    const { disk, env } = this.deps;
    const now = this.deps.now();
    if (now < this.#nextPurge && !this.#isTooLarge()) return;
    try {
      const before = now - retentionOf(env);
      const deleted = journal.purge(disk.sql, before, PURGE_SLICE);
      this.#purgedTo = purgeContacts(disk.sql, before, this.#purgedTo ?? "", PURGE_SLICE);
      this.#purgesAgain = deleted >= PURGE_SLICE || this.#purgedTo !== undefined || this.#purgeBodies();
      this.#nextPurge = now + (this.#purgesAgain ? PURGE_AGAIN : PURGE_EVERY);
    } catch (error) {
      this.#nextPurge = now + PURGE_EVERY;
      log("purge_failed", { error: (error as Error).message });
    }
  }

  /** Whether the database is larger than its bound, and something may be done about it. */
  #isTooLarge(): boolean {
    const { disk, env } = this.deps;
    return !this.#bodiesGone && disk.sql.databaseSize > sizeOf(env);
  }

  /**
   * Makes room where the database is larger than its bound, and says so: those webhooks cannot be replayed any more.
   *
   * @returns whether more may have to go
   */
  #purgeBodies(): boolean {
    const { disk } = this.deps;
    // Undecided ones keep theirs; what was decided since is looked for once a day.
    if (this.#bodiesGone) this.#bodiesTo = 0;
    this.#bodiesGone = false;
    if (!this.#isTooLarge()) return false;
    const purged = journal.purgeBodies(disk.sql, this.#bodiesTo, PURGE_SLICE);
    this.#bodiesTo = purged.reduce((a, b) => Math.max(a, b), this.#bodiesTo);
    this.#bodiesGone = purged.length === 0;
    const megabytes = Math.round(disk.sql.databaseSize / 1_000_000);
    log("bodies_purged", { count: purged.length, megabytes });
    return this.#isTooLarge();
  }

  #nextAlarm(): number {
    const { disk, env } = this.deps;
    const now = this.deps.now();
    const oldest = journal.oldest(disk.sql);
    const purge = this.#purgesAgain
      ? this.#nextPurge
      : oldest !== undefined
        ? Math.max(this.#nextPurge, acceptedAt(oldest) + retentionOf(env))
        : anyContact(disk.sql)
          ? now + PURGE_EVERY
          : Number.POSITIVE_INFINITY;
    return Math.min(purge, this.dispatcher.nextStart());
  }
}
