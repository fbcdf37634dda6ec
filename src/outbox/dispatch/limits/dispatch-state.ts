import { readValue, saveValue } from "../../../lib/util/kv.ts";
import type { Disk } from "../../model/dependencies.ts";
import type { ForeignAnswers, Interruption, Pauses } from "../../model/interruption.ts";
import type { Outcome } from "../../model/outcome.ts";
import { addDowntime, type Downtime } from "./downtime.ts";
import { isRecent, limitedAfter, limitedAll, withOutcome } from "./foreign-answers.ts";
import { afterKeyCheck, nextInterruption, resumed } from "./next-interruption.ts";

/** Stores the interruption, the operators' pauses and the downtime, so that they survive an eviction. */
export class DispatchState {
  readonly #disk: Disk;
  #interruption: Interruption | undefined;
  #pauses: Pauses;
  /** Keyed by source; "" is all deliveries. */
  #downtime: Readonly<Record<string, Downtime>>;
  #foreignAnswers: ForeignAnswers | undefined;
  #limited: readonly string[] = [];
  readonly #onChange: (outcome: Outcome, now: number) => void;

  /** @param onChange called when an outcome has changed the interruption */
  constructor(disk: Disk, now: number, onChange: (outcome: Outcome, now: number) => void) {
    this.#disk = disk;
    this.#onChange = onChange;
    this.#interruption = resumed(readValue<Interruption>(disk.sql, "interruption"), now);
    this.#pauses = readValue<Pauses>(disk.sql, "pauses") ?? { sources: {} };
    this.#downtime = readValue<Record<string, Downtime>>(disk.sql, "downtime") ?? {};
  }

  get interruption(): Interruption | undefined {
    return this.#interruption;
  }

  get pauses(): Pauses {
    return this.#pauses;
  }

  foreignAnswers(now: number): ForeignAnswers | undefined {
    return isRecent(this.#foreignAnswers, now) ? this.#foreignAnswers : undefined;
  }

  isHalted(now: number): boolean {
    return this.#pauses.all !== undefined || now < (this.#interruption?.until ?? 0);
  }

  /** @param key the delivery's key in the queue */
  applyOutcome(outcome: Outcome, key: string, startedAt: number, now: number): void {
    this.#foreignAnswers = withOutcome(this.#foreignAnswers, outcome, now);
    this.#limited = limitedAfter(this.#limited, outcome, key);
    const whole = limitedAll(this.#limited, outcome);
    this.#change(nextInterruption(this.#interruption, whole, startedAt, now), whole, now);
  }

  applyKeyCheck(outcome: Outcome, startedAt: number, now: number): void {
    this.#foreignAnswers = withOutcome(this.#foreignAnswers, outcome, now);
    this.#change(afterKeyCheck(this.#interruption, outcome, startedAt, now), outcome, now);
  }

  #change(interruption: Interruption | undefined, outcome: Outcome, now: number): void {
    const before = this.#interruption;
    if (interruption === before) return;
    this.#interruption = interruption;
    this.#disk.transactionSync(() => {
      saveValue(this.#disk.sql, "interruption", interruption);
      if (before && before.since !== interruption?.since) this.#addDowntime("", before.since, now);
    });
    this.#onChange(outcome, now);
  }

  /** Pauses or resumes a source, or all deliveries if undefined. Returns true if changed. */
  pause(source: string | undefined, paused: boolean, now: number): boolean {
    const { all, sources } = this.#pauses;
    const since = source === undefined ? all : sources[source];
    if (paused === (since !== undefined)) return false;
    const { [source ?? ""]: _, ...others } = sources;
    this.#pauses =
      source === undefined
        ? { ...(paused ? { all: now } : {}), sources }
        : { ...(all === undefined ? {} : { all }), sources: { ...others, ...(paused ? { [source]: now } : {}) } };
    this.#disk.transactionSync(() => {
      saveValue(this.#disk.sql, "pauses", this.#pauses);
      if (since !== undefined) this.#addDowntime(source ?? "", since, now);
    });
    return true;
  }

  downtimeOf(source: string, now: number): Downtime {
    const since = this.#interruption?.since;
    return [
      ...(this.#downtime[""] ?? []),
      ...(source === "" ? [] : (this.#downtime[source] ?? [])),
      ...(since === undefined ? [] : [[since, now] as const]),
    ];
  }

  #addDowntime(name: string, from: number, to: number): void {
    this.#downtime = { ...this.#downtime, [name]: addDowntime(this.#downtime[name] ?? [], from, to) };
    saveValue(this.#disk.sql, "downtime", this.#downtime);
  }
}
