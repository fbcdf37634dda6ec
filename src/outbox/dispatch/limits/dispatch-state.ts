import { readValue, saveValue } from "../../../lib/util/kv.ts";
import type { Disk } from "../../model/dependencies.ts";
import type { ForeignAnswers, Interruption, Pauses } from "../../model/interruption.ts";
import { downOf, isHeard, type Outcome } from "../../model/outcome.ts";
import { addDowntime, type Downtime } from "./downtime.ts";
import { isRecent, limitedAfter, limitedAll, withOutcome } from "./foreign-answers.ts";
import { afterKeyCheck, nextInterruption, resumed } from "./next-interruption.ts";
import {
  ASK_AFTER,
  type Ended,
  endedAt,
  isOld,
  isOutage,
  nextAsk,
  outageFrom,
  type Silence,
  silenceAfter,
} from "./outage.ts";

/** `before`: the former interruption; `failed`: keys in the queue of deliveries that failed in an outage that is over. */
export type Change = { before: Interruption | undefined; failed: readonly string[] };

/** Stores the interruption, the operators' pauses and the downtime, so that they survive an eviction. */
export class DispatchState {
  readonly #disk: Disk;
  #interruption: Interruption | undefined;
  #pauses: Pauses;
  /** Keyed by source; "" is all deliveries. */
  #downtime: Readonly<Record<string, Downtime>>;
  #foreignAnswers: ForeignAnswers | undefined;
  #limited: readonly string[] = [];
  #silence: Silence | undefined;
  #ended: Ended | undefined;
  /** Unix ms; start of the last key check. */
  #askedAt: number;
  /** Unix ms of the last answer in the form of the API. */
  #heardAt: number;
  #succeededAt: number | undefined;
  readonly #onChange: (outcome: Outcome, now: number, change: Change) => void;

  /** @param onChange called when an outcome has changed the interruption */
  constructor(disk: Disk, now: number, onChange: (outcome: Outcome, now: number, change: Change) => void) {
    this.#disk = disk;
    this.#askedAt = 0;
    this.#heardAt = now;
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

  /** Notes the start of a call, Unix ms. */
  started(at: number): void {
    this.#silence ??= { since: at, people: [], keys: [] };
  }

  /** Notes the start of a key check, Unix ms. */
  asked(at: number): void {
    this.#askedAt = at;
    this.started(at);
  }

  /** @param call `key`: of the delivery in the queue; `person`: the person of the call */
  applyOutcome(outcome: Outcome, call: { key: string; person: string; startedAt: number }, now: number): void {
    this.#foreignAnswers = withOutcome(this.#foreignAnswers, outcome, now);
    this.#limited = limitedAfter(this.#limited, outcome, call.key);
    const whole = limitedAll(this.#limited, outcome);
    const failed = this.#silence?.keys ?? [];
    const old = this.#hear(whole, call, now);
    if (isHeard(whole) && !old) this.#ended = undefined;
    const next = nextInterruption(this.#interruption, whole, { startedAt: call.startedAt, now, old });
    this.#change(this.#outageAfter(next, whole, now), whole, now, failed);
  }

  /** @param isIdle true if nothing could be sent */
  applyKeyCheck(outcome: Outcome, startedAt: number, now: number, isIdle: boolean): void {
    this.#foreignAnswers = withOutcome(this.#foreignAnswers, outcome, now);
    const failed = this.#silence?.keys ?? [];
    const old = this.#hear(outcome, { startedAt }, now);
    const next = afterKeyCheck(this.#interruption, outcome, { startedAt, now, isIdle, old });
    this.#change(this.#outageAfter(next, outcome, now), outcome, now, failed);
  }

  /** @returns true for an answer that says nothing about the host now */
  #hear(outcome: Outcome, call: { key?: string; person?: string; startedAt: number }, now: number): boolean {
    if (isHeard(outcome)) this.#heardAt = now;
    if (outcome.kind === "done") this.#succeededAt = now;
    const old = isOld(this.#silence, outcome, call.startedAt, now);
    const since = Math.min(now, Math.max(call.startedAt, this.#heardAt));
    if (!old) this.#silence = silenceAfter(this.#silence, outcome, call, since);
    return old;
  }

  #outageAfter(next: Interruption | undefined, outcome: Outcome, now: number): Interruption | undefined {
    const down = downOf(outcome);
    const isNew = next === undefined || next.reason === "backoff";
    if (down === undefined || !isNew || !this.#silence || !isOutage(this.#silence, now)) return next;
    return outageFrom(down, this.#silence, this.#ended, this.#succeededAt, now);
  }

  /** Returns when a key check has to ask whether the email service answers at all, Unix ms. */
  nextAsk(): number {
    if (this.#pauses.all !== undefined || this.#interruption?.reason === "blocked") return Number.POSITIVE_INFINITY;
    if (this.#interruption?.reason === "outage") return this.#interruption.until;
    const ask = this.#silence ? nextAsk(this.#silence, this.#askedAt) : Number.POSITIVE_INFINITY;
    return Math.max(ask, this.#interruption?.until ?? 0);
  }

  /** Unix ms of the last answer or key check. */
  get lookedAt(): number {
    return Math.max(this.#heardAt, this.#askedAt);
  }

  /** True if calls got no answer lately and that is not called an outage yet. */
  isDoubted(now: number): boolean {
    return this.#interruption === undefined && this.#silence !== undefined && now >= this.#silence.since + ASK_AFTER;
  }

  #change(interruption: Interruption | undefined, outcome: Outcome, now: number, failed: readonly string[]): void {
    const before = this.#interruption;
    if (interruption === before) return;
    this.#interruption = interruption;
    if (before?.reason === "outage" && interruption?.reason !== "outage")
      this.#ended = interruption === undefined ? endedAt(before, this.#ended, now) : undefined;
    // A failed probe of an outage writes nothing: the next life asks at once.
    const isSame = before?.reason === "outage" && before.since === interruption?.since;
    if (!isSame)
      this.#disk.transactionSync(() => {
        saveValue(this.#disk.sql, "interruption", interruption);
        if (before && before.since !== interruption?.since) this.#addDowntime("", before.since, now);
      });
    const isOver = before?.reason === "outage" && before.probes > 0 && interruption === undefined;
    this.#onChange(outcome, now, { before, failed: isOver ? failed : [] });
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
