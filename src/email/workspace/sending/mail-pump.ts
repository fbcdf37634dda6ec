import { log } from "../../../lib/util/log.ts";
import { CAPACITY, LANES } from "../../delivery/mailer/mailer-queue.ts";
import type { MailClass } from "../../types/mail-handover.ts";
import {
  type Batch,
  type Claim,
  type Fate,
  type MailerRpc,
  mailerName,
  readMailerName,
  type SendResult,
} from "../../types/mailer-rpc.ts";
import { type Candidate, createLimits, type LimitDependencies, type Limits } from "../limits/limits.ts";
import { claimSends, LEASE_MS, release, settle } from "./claims.ts";
import { claimsOf, isBehind, lostClaims, nothingSearched } from "./leases.ts";
import { nextDue } from "./sends.ts";

const CLAIM = 50;
const ASK = 200;
const SEARCH_PAUSE_MS = 1_000;
const ROOM_PAUSE_MS = 100;

export type MailPumpDependencies = {
  sql: SqlStorage;
  transaction<T>(work: () => T): T;
  team(): string;
  mailer(name: string): MailerRpc;
  mailers(mailClass: MailClass): number;
  /** True if the sender deduplicates by id. */
  isIdempotent(mailClass: MailClass): boolean;
  copiesOf(revision: number, values: string): readonly string[];
  routeOf: LimitDependencies["routeOf"];
  onlyRoute: LimitDependencies["onlyRoute"];
  sendersChanged?: () => void;
  now(): number;
  random(): number;
  wake(at: number): void;
};

const CLASSES: readonly MailClass[] = ["transactional", "marketing"];

/** Moves mails to the Mailers and records results. */
export class MailPump {
  readonly #dependencies: MailPumpDependencies;
  /** New rows are claimed without an index search. */
  readonly #fresh: Record<MailClass, number[]> = { transactional: [], marketing: [] };
  /** The known load per Mailer, too low after a restart. A number too high would keep a Mailer idle forever. */
  readonly #loads = new Map<string, number>();
  readonly #searched = nothingSearched();
  readonly limits: Limits;

  constructor(dependencies: MailPumpDependencies) {
    this.#dependencies = dependencies;
    const { mailers, now, wake, sendersChanged } = dependencies;
    this.limits = createLimits({
      ...dependencies,
      lanes: (mailClass) => LANES * Math.max(1, mailers(mailClass)),
      sendersChanged: () => {
        sendersChanged?.();
        // Mail of the other class may wait for the same provider without an active Mailer.
        if (CLASSES.every((mailClass) => this.limits.opensAt(mailClass, now()) <= now())) wake(now());
      },
    });
  }

  add(numbers: readonly number[]): void {
    this.#fresh.transactional.push(...numbers);
  }

  /** Fills the Mailers, least busy first. The returned work outlives the request. */
  run(): Promise<void>[] {
    return CLASSES.flatMap((mailClass) => {
      const { team, mailers } = this.#dependencies;
      const names = Array.from({ length: mailers(mailClass) }, (_, number) => mailerName(team(), mailClass, number));
      const works: Promise<void>[] = [];
      for (const name of names.sort((a, b) => this.#loadOf(a) - this.#loadOf(b))) {
        const { batch, more } = this.#claim(name, CAPACITY - this.#loadOf(name));
        if (batch) works.push(this.#deliver(name, batch));
        if (more) break;
      }
      return works;
    });
  }

  report(name: string, results: readonly SendResult[], wants: number): Batch | undefined {
    this.#lower(name, results.length);
    const { mailClass } = readMailerName(name);
    this.#transaction(() => {
      for (const result of results) this.#settle(result, mailClass);
    });
    return this.#dependencies.mailers(mailClass) === 0 ? undefined : this.#claim(name, wants).batch;
  }

  async reclaim(): Promise<void> {
    const lost = this.#transaction(() => lostClaims(this.#clock(), this.#searched, ASK));
    if (isBehind(this.#searched)) this.#dependencies.wake(this.#dependencies.now() + SEARCH_PAUSE_MS);
    await Promise.all([...lost].map(([name, claims]) => this.#ask(name, claims)));
  }

  /** Recalls mails of stopped origins (ids). Mails without a Mailer answer leave, or wait for their lease end. */
  async recall(origins: readonly string[]): Promise<void> {
    const claims = claimsOf(this.#clock(), origins, LEASE_MS);
    await Promise.all([...claims].map(([name, some]) => this.#recallFrom(name, some)));
  }

  #loadOf(name: string): number {
    return this.#loads.get(name) ?? 0;
  }

  #lower(name: string, by: number): void {
    this.#loads.set(name, Math.max(0, this.#loadOf(name) - by));
  }

  #clock() {
    const { sql, now, random } = this.#dependencies;
    return { sql, now: now(), random };
  }

  #transaction<T>(work: () => T): T {
    return this.#dependencies.transaction(work);
  }

  #claim(name: string, wants: number): { batch?: Batch; more: boolean } {
    const { mailClass } = readMailerName(name);
    const { copiesOf, now } = this.#dependencies;
    const at = now();
    const passage = this.limits.passage(mailClass, at);
    if (passage !== "all") this.#leaveToIndex(mailClass, at);
    const { sendLimits } = this.limits;
    const left = mailClass === "marketing" ? sendLimits.left(at) : Number.POSITIVE_INFINITY;
    const limit = passage === "none" ? 0 : Math.min(passage === "one" ? 1 : CLAIM, wants, left);
    if (limit <= 0) {
      if (left === 0) this.#waitForRoom(at);
      return { more: false };
    }
    const numbers = this.#fresh[mailClass];
    const sieve = this.limits.isQuiet(mailClass, at)
      ? undefined
      : (mails: readonly Candidate[]) => this.limits.sieve(at, mailClass, mails);
    const areFew = left < Number.POSITIVE_INFINITY;
    const wanted = { mailClass, mailer: name, limit, numbers, copiesOf, sieve, areFew };
    const { more, hasEnded, ...batch } = this.#transaction(() => {
      const fullUntil = areFew ? sendLimits.fullUntil(at) : 0;
      const claimed = claimSends(this.#clock(), { ...wanted, fullUntil });
      sendLimits.count(at, claimed.sends.length);
      return claimed;
    });
    if (batch.sends.length === left) this.#waitForRoom(at);
    // The ended mail may be a campaign's last. Otherwise, later results wake the campaign.
    const mayBeLast = hasEnded && mailClass === "marketing" && batch.sends.length === 0;
    if (more || mayBeLast) this.#dependencies.wake(at);
    if (batch.sends.length === 0) return { more };
    this.#loads.set(name, this.#loadOf(name) + batch.sends.length);
    this.#dependencies.wake(batch.until);
    return { batch, more };
  }

  #waitForRoom(at: number): void {
    const opensAt = this.limits.sendLimits.opensAt(at);
    this.#dependencies.wake(Math.max(opensAt, at + ROOM_PAUSE_MS, nextDue(this.#dependencies.sql, "marketing")));
  }

  /** This object may leave memory and lose the numbers of waiting mails. */
  #leaveToIndex(mailClass: MailClass, at: number): void {
    const numbers = this.#fresh[mailClass].splice(0);
    if (numbers.length === 0) return;
    this.#dependencies.sql.exec(
      "UPDATE sends SET due = ? WHERE n IN (SELECT value FROM json_each(?)) AND state = 'queued'",
      at,
      JSON.stringify(numbers),
    );
    this.#dependencies.wake(Math.max(at, this.limits.opensAt(mailClass, at)));
  }

  async #deliver(name: string, batch: Batch): Promise<void> {
    try {
      await this.#dependencies.mailer(name).deliver(name, batch);
    } catch (error) {
      logLost(name, error);
    }
    this.#loads.delete(name);
  }

  #settle(result: SendResult, mailClass?: MailClass): void {
    const clock = this.#clock();
    const { n, handover } = result;
    const due = settle(clock, result, (mail) =>
      mailClass === undefined ? undefined : this.limits.heard(clock.now, { n, mailClass, ...mail, handover }),
    );
    if (due !== undefined) this.#dependencies.wake(due);
  }

  async #ask(name: string, claims: readonly Claim[]): Promise<void> {
    this.#applyAll(name, await this.#fatesOf(name, claims));
  }

  async #recallFrom(name: string, claims: readonly Claim[]): Promise<void> {
    try {
      this.#applyAll(name, await this.#dependencies.mailer(name).recall(name, claims));
      this.#dependencies.wake(this.#dependencies.now());
    } catch (error) {
      logLost(name, error);
    }
  }

  #applyAll(name: string, fates: readonly Fate[]): void {
    this.#lower(name, fates.filter(({ state }) => state === "not_started").length);
    this.#transaction(() => {
      for (const fate of fates) this.#apply(fate, name);
    });
  }

  async #fatesOf(name: string, claims: readonly Claim[]): Promise<Fate[]> {
    try {
      return await this.#dependencies.mailer(name).reclaim(name, claims);
    } catch (error) {
      logLost(name, error);
      return [];
    }
  }

  #apply(fate: Fate, name: string): void {
    if (fate.state === "done") this.#settle(fate.result, readMailerName(name).mailClass);
    else if (fate.state === "not_started") {
      release(this.#clock(), fate);
      this.limits.released(this.#clock().now, fate.n);
    } else if (fate.state === "lost") {
      const message = "The process that handed this mail over ended before it had an answer.";
      const isIdempotent = this.#dependencies.isIdempotent(readMailerName(name).mailClass);
      const handover = { outcome: isIdempotent ? "deferred" : "unknown", message } as const;
      this.#settle({ n: fate.n, attempt: fate.attempt, sender: "", handover });
    }
  }
}

const logLost = (mailer: string, error: unknown): void =>
  log("mailer_lost", { mailer, error: error instanceof Error ? error.message : String(error) });
