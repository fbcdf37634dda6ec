import type { Disk } from "../../model/dependencies.ts";
import type { Interruption, Pauses } from "../../model/interruption.ts";
import { readValue, saveValue } from "../../model/kv.ts";
import type { Outcome } from "../../model/outcome.ts";
import { addDowntime, type Downtime } from "./downtime.ts";
import { nextInterruption, resumed } from "./interruption.ts";

/**
 * Whether delivery may send: the interruption by the host, the pauses by operators, and the downtime that both caused.
 * All three are stored, so they survive an eviction.
 */
export class DeliveryState {
  readonly #disk: Disk;
  #interruption: Interruption | undefined;
  #pauses: Pauses;
  /** By source; "" is all delivery. */
  #downtime: Readonly<Record<string, Downtime>>;
  /** Start of the newest attempt whose key the host accepted, Unix ms. */
  #keyAcceptedAt = 0;

  constructor(disk: Disk, now: number) {
    this.#disk = disk;
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

  get keyAcceptedAt(): number {
    return this.#keyAcceptedAt;
  }

  /** Interrupts or resumes delivery after an outcome. True when the interruption changed. */
  applyOutcome(outcome: Outcome, startedAt: number, now: number): boolean {
    if (outcome.kind === "done" || outcome.kind === "dead")
      this.#keyAcceptedAt = Math.max(this.#keyAcceptedAt, startedAt);
    const before = this.#interruption;
    const interruption = nextInterruption(before, outcome, startedAt, now);
    if (interruption === before) return false;
    this.#interruption = interruption;
    this.#disk.transactionSync(() => {
      saveValue(this.#disk.sql, "interruption", interruption);
      if (before && before.since !== interruption?.since) this.#addDowntime("", before.since, now);
    });
    return true;
  }

  /** Pauses or resumes all delivery (source undefined) or one source. True when that changed something. */
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

  /** The downtime of a source until now. */
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
