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
  isReadOnly,
  mayHastenAt,
  nextAsk,
  outageAfterTrial,
  outageFrom,
  type Silence,
  silenceAfter,
  type Trial,
  trialAt,
  type Unwritten,
  unwrittenAfter,
} from "./outage.ts";

const MAX_DELAYED = 100;

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
  #unwritten: Unwritten | undefined;
  #ended: Ended | undefined;
  #trial: Trial | undefined;
  /** `failed`: since the outage began; `at`: start of the last one, Unix ms. */
  #trials = { failed: 0, at: 0 };
  /** Keys in the queue of deliveries that failed before an answered probe. */
  #delayed: readonly string[] = [];
  /** Unix ms; start of the last key check. */
  #askedAt: number;
  /** Unix ms of the last answer in the form of the API. */
  #heardAt: number;
  /** Unix ms of the last answer to a write. */
  #writtenAt: number;
  #succeededAt: number | undefined;
  readonly #onChange: (outcome: Outcome, now: number, change: Change) => void;

  /** @param onChange called when an outcome has changed the interruption */
  constructor(disk: Disk, now: number, onChange: (outcome: Outcome, now: number, change: Change) => void) {
    this.#disk = disk;
    this.#askedAt = 0;
    this.#heardAt = now;
    this.#writtenAt = now;
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

  /** @param call `key`: of the delivery in the queue; `person`: of a call that may meet an outage; `reads`: true if it writes nothing */
  applyOutcome(
    outcome: Outcome,
    call: { key: string; person: string; startedAt: number; reads: boolean },
    now: number,
  ): void {
    this.#foreignAnswers = withOutcome(this.#foreignAnswers, outcome, now);
    this.#limited = limitedAfter(this.#limited, outcome, call.key);
    const whole = limitedAll(this.#limited, outcome);
    const before = this.#interruption;
    const old = this.#hear(whole, call, now);
    if (!call.reads) this.#hearWrite(whole, call, now);
    if (isHeard(whole) && !old) this.#ended = undefined;
    if (outcome.kind === "done" && !call.reads) this.#succeededAt = now;
    let next = nextInterruption(before, whole, { startedAt: call.startedAt, now, old });
    if (before?.reason === "outage" && !next && call.reads) {
      // Answered reads say nothing about writes.
      next = before;
      this.#trial = trialAt(now);
    } else if (next?.reason === "outage" && this.#trial?.key === call.key) {
      this.#trial = undefined;
      this.#trials.failed++;
      next = outageAfterTrial(next, downOf(whole) ?? next.message, this.#trials.failed, now);
    }
    this.#change(this.#outageAfter(next, whole, now), whole, now);
  }

  /**
   * @param isIdle true if nothing could be sent
   * @param nextDue due time of the first delivery that can be tried, Unix ms; undefined if there is none
   */
  applyKeyCheck(
    outcome: Outcome,
    startedAt: number,
    now: number,
    { isIdle, nextDue }: { isIdle: boolean; nextDue: number | undefined },
  ): void {
    this.#foreignAnswers = withOutcome(this.#foreignAnswers, outcome, now);
    const before = this.#interruption;
    const old = this.#hear(outcome, { startedAt }, now);
    let next = afterKeyCheck(before, outcome, { startedAt, now, isIdle, old });
    if (before?.reason === "outage" && !next && nextDue !== undefined)
      next = this.#afterAnsweredProbe(before, nextDue, now);
    this.#change(this.#outageAfter(next, outcome, now), outcome, now);
  }

  /** A probe is a read: the outage lasts until a delivery is answered. */
  #afterAnsweredProbe(outage: Interruption, nextDue: number, now: number): Interruption {
    const { failed, at } = this.#trials;
    if (nextDue > now && now < mayHastenAt(at, failed)) return outageAfterTrial(outage, outage.message, failed, now);
    this.#trial = trialAt(now);
    return { ...outage, until: now };
  }

  /** True while an answered probe of an outage lets one delivery through. */
  letsOneThrough(): boolean {
    return this.#interruption?.reason === "outage" && this.#trial !== undefined && this.#trial.key === undefined;
  }

  /** Notes the start of that delivery, Unix ms. */
  trying(key: string, now: number): void {
    this.#trial = trialAt(now, key);
    this.#trials.at = now;
  }

  /** @returns true for an answer that says nothing about the host now */
  #hear(outcome: Outcome, call: { key?: string; person?: string; startedAt: number }, now: number): boolean {
    if (isHeard(outcome)) this.#heardAt = now;
    const old = isOld(this.#silence, outcome, call.startedAt, now);
    const since = Math.min(now, Math.max(call.startedAt, this.#heardAt));
    if (!old) {
      if (isHeard(outcome)) this.#delayed = [...this.#delayed, ...(this.#silence?.keys ?? [])].slice(-MAX_DELAYED);
      this.#silence = silenceAfter(this.#silence, outcome, call, since);
    }
    return old;
  }

  #hearWrite(outcome: Outcome, call: { person: string; startedAt: number }, now: number): void {
    this.#unwritten = unwrittenAfter(this.#unwritten, outcome, call, this.#writtenAt, now);
    if (isHeard(outcome)) this.#writtenAt = now;
  }

  #outageAfter(next: Interruption | undefined, outcome: Outcome, now: number): Interruption | undefined {
    const down = downOf(outcome);
    const isNew = next === undefined || next.reason === "backoff";
    if (down === undefined || !isNew) return next;
    const isAll = this.#silence && isOutage(this.#silence, now);
    const failing = isAll ? this.#silence : this.#unwritten && isReadOnly(this.#unwritten, now) && this.#unwritten;
    return failing ? outageFrom(down, failing, this.#ended, this.#succeededAt, now) : next;
  }

  /** Returns when a key check has to ask whether the email service answers at all, Unix ms. */
  nextAsk(): number {
    if (this.#pauses.all !== undefined || this.#interruption?.reason === "blocked") return Number.POSITIVE_INFINITY;
    if (this.#interruption?.reason === "outage") return Math.max(this.#interruption.until, this.#trial?.until ?? 0);
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

  #change(interruption: Interruption | undefined, outcome: Outcome, now: number): void {
    const before = this.#interruption;
    const delayed = this.#delayed;
    if (interruption?.reason !== "outage") this.#delayed = [];
    if (interruption === before) return;
    this.#interruption = interruption;
    const isTried = this.#trials.failed > 0;
    if (interruption?.reason !== "outage") {
      this.#trial = undefined;
      this.#trials = { failed: 0, at: 0 };
      if (before?.reason === "outage") this.#unwritten = undefined;
    }
    if (before?.reason === "outage" && interruption?.reason !== "outage")
      this.#ended = interruption === undefined ? endedAt(before, this.#ended, now) : undefined;
    // A failed probe of an outage writes nothing: the next life asks at once.
    const isSame = before?.reason === "outage" && before.since === interruption?.since;
    if (!isSame)
      this.#disk.transactionSync(() => {
        saveValue(this.#disk.sql, "interruption", interruption);
        if (before && before.since !== interruption?.since) this.#addDowntime("", before.since, now);
      });
    const isOver = before?.reason === "outage" && (before.probes > 0 || isTried) && interruption === undefined;
    this.#onChange(outcome, now, { before, failed: isOver ? delayed : [] });
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
