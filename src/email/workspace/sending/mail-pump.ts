import type { Budget } from "../../../lib/plan.ts";
import { log } from "../../../lib/util/log.ts";
import { keyOf, LANES } from "../../delivery/mailer/mailer-queue.ts";
import type { MailClass } from "../../types/mail-handover.ts";
import {
  type Answer,
  type Claim,
  type ClaimedSend,
  type MailerRpc,
  mailerName,
  type Order,
  readMailerName,
  type SendResult,
} from "../../types/mailer-rpc.ts";
import type { QueueState } from "../../types/pulse.ts";
import { type DayRows, ROWS_PER_MAIL } from "../core/day-rows.ts";
import type { EventCalls } from "../core/event-calls.ts";
import { type CampaignMail, claimedMails, ensureRow, keepMails } from "../core/mailer-claims.ts";
import { type Candidate, createLimits, type LimitDependencies, type Limits } from "../limits/limits.ts";
import { createResultTally } from "../limits/result-tally.ts";
import { type AnswerCounts, createAnswerCounts } from "./answer-counts.ts";
import { acceptedClaims, claimSends, openClaims, release, settle } from "./claims.ts";
import { type ClaimedRecipients, noRecipients, type WantedRecipients } from "./wanted-recipients.ts";

const CLAIM = 50;
/** Ms of one order. The Mailer answers earlier when it has enough results. */
const WAIT_MS = 5_000;
/** Ms after which an order in transit starts nothing. */
const LATE_MS = 30_000;
const ROOM_PAUSE_MS = 100;
/** Ms, times the number of failed orders in a row. */
const RETRY_MS = 100;
/** Failed orders in a row until the alarm goes on. */
const MAX_FAILURES = 5;
const BACKOFF_MS = { least: 1_000, most: 30_000 };
/** Ms until the alarm looks after open claims, in case this object is reset meanwhile. */
const LOOK_MS: Readonly<Record<MailClass, number>> = { transactional: 30_000, marketing: 4_000 };

export type MailPumpDependencies = {
  sql: SqlStorage;
  transaction<T>(work: () => T): T;
  team(): string;
  /** A new stub for each call: one that threw is broken. */
  mailer(name: string): MailerRpc;
  mailers(mailClass: MailClass): number;
  budget: Budget;
  /** True if the sender deduplicates by id. */
  isIdempotent(mailClass: MailClass): boolean;
  copiesOf(revision: number, values: string): readonly string[];
  routeOf: LimitDependencies["routeOf"];
  onlyRoute: LimitDependencies["onlyRoute"];
  sendersChanged?: () => void;
  dayRows?: DayRows;
  calls?: EventCalls;
  /** Claims mail of campaigns, in the same transaction. */
  recipients(wanted: WantedRecipients): ClaimedRecipients;
  /** Called with the error of an exchange with a Mailer. */
  failed?(error: unknown): void;
  /** Called after results are settled. */
  settled(): void;
  now(): number;
  random(): number;
  sleep(ms: number): Promise<void>;
  wake(at: number): void;
};

const CLASSES: readonly MailClass[] = ["transactional", "marketing"];

type Claimed = { sends: readonly ClaimedSend[]; more: boolean; mails: readonly CampaignMail[] };

/**
 * `mails`: those of `held` that were claimed without a row, by n. `newest`: number of the newest order, 0 without an
 * open one. `promised`: mails of this event that are claimed for it. `heardAt`: Unix ms of the newest result, or of its
 * first mail. `noted`: the note of the Mailer has results.
 */
type Link = {
  held: Map<string, Claim>;
  mails: Map<number, CampaignMail>;
  newest: number;
  failures: number;
  promised: number;
  heardAt: number;
  noted: boolean;
};

/** Moves mails to the Mailers and records results. A claim belongs to one Mailer until it says what became of it. */
export class MailPump {
  readonly #dependencies: MailPumpDependencies;
  readonly #links = new Map<string, Link>();
  readonly limits: Limits;
  readonly results: ReturnType<typeof createResultTally>;
  #epoch: number;
  #number = 0;
  #ordersLeft = 0;

  constructor(dependencies: MailPumpDependencies) {
    this.#dependencies = dependencies;
    const { mailers, now, wake, sendersChanged } = dependencies;
    this.#epoch = now();
    this.results = createResultTally(now);
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

  /** Reads the claims of an earlier life of this object. */
  restore(): void {
    const { sql } = this.#dependencies;
    for (const { mailer, ...claim } of openClaims(sql)) this.#linkOf(mailer).held.set(keyOf(claim), claim);
    for (const { mailer, ...mail } of claimedMails(sql)) {
      const link = this.#linkOf(mailer);
      link.mails.set(mail.n, mail);
      link.held.set(keyOf(claimOf(mail)), claimOf(mail));
    }
  }

  /** The time to look after open claims, in Unix ms. */
  next(): number {
    const { now } = this.#dependencies;
    const open = [...this.#links].filter(([, { held }]) => held.size > 0);
    return Math.min(...open.map(([name]) => now() + LOOK_MS[readMailerName(name).mailClass]), Number.POSITIVE_INFINITY);
  }

  /** Returns the mails that Mailers have, since when one of them gave no result, and the last result. Unix ms. */
  claimsOf(mailClass: MailClass): Omit<QueueState, "oldestDue"> {
    const busy = [...this.#links].filter(
      ([name, { held }]) => held.size > 0 && readMailerName(name).mailClass === mailClass,
    );
    const claims = busy.reduce((sum, [, { held }]) => sum + held.size, 0);
    const silentSince = claims === 0 ? null : Math.min(...busy.map(([, { heardAt }]) => heardAt));
    return { claims, silentSince, lastResult: this.results.last(mailClass) ?? null };
  }

  /**
   * Returns the least busy Mailer with room for a transactional mail that nothing limits. The accepting transaction then
   * claims the mail, which saves a row.
   */
  freeMailer(): string | undefined {
    const { budget, mailers, now } = this.#dependencies;
    const at = now();
    const isLimited =
      mailers("transactional") === 0 ||
      !this.limits.isQuiet("transactional", at) ||
      this.limits.passage("transactional", at) !== "all" ||
      this.limits.sendLimits.left(at) < Number.POSITIVE_INFINITY;
    const [first] = isLimited ? [] : this.#linksOf("transactional");
    if (!first) return undefined;
    const [name, link] = first;
    if (link.held.size + link.promised >= budget.capacity.transactional) return undefined;
    link.promised += 1;
    return name;
  }

  /**
   * Fills the Mailers, least busy first, and asks for results. The returned work outlives the request.
   *
   * @param accepted mails (n) of this event; some were claimed when they were accepted
   */
  run(accepted: readonly number[] = []): Promise<void>[] {
    const { sql, budget, copiesOf } = this.#dependencies;
    this.#ordersLeft = budget.orders;
    const given = accepted.length === 0 ? [] : acceptedClaims(sql, accepted, copiesOf);
    for (const link of this.#links.values()) link.promised = 0;
    for (const { mailer, send } of given) this.#keep(mailer, { ...NOTHING, sends: [send] });
    return CLASSES.flatMap((mailClass) => {
      const works: Promise<void>[] = [];
      let isEmpty = false;
      for (const [name, link] of this.#linksOf(mailClass)) {
        const claimed: Claimed = isEmpty ? NOTHING : this.#transaction(() => this.#claim(name, []));
        this.#keep(name, claimed);
        const { more } = claimed;
        const atBirth = given.filter(({ mailer }) => mailer === name).map(({ send }) => send);
        const sends = [...atBirth, ...claimed.sends];
        // A loop without an open order has ended.
        if (sends.length > 0 || ((link.held.size > 0 || link.noted) && link.newest === 0))
          works.push(this.#work(name, sends));
        isEmpty ||= more;
      }
      return works;
    });
  }

  /** Recalls mails of stopped origins (ids). A started mail leaves. */
  async recall(origins: readonly string[]): Promise<void> {
    const { sql } = this.#dependencies;
    const listed = JSON.stringify(origins);
    await Promise.all(
      [...this.#links].map(async ([name, { held, mails }]) => {
        const numbers = JSON.stringify([...held.values()].map(({ n }) => n));
        const stopped = new Set(
          sql
            .exec<{ n: number }>(
              `SELECT n FROM sends WHERE n IN (SELECT value FROM json_each(?)) AND origin IN (SELECT value FROM json_each(?))`,
              numbers,
              listed,
            )
            .toArray()
            .map(({ n }) => n),
        );
        const isStopped = (n: number) => stopped.has(n) || origins.includes(mails.get(n)?.origin ?? "");
        const claims = [...held.values()].filter(({ n }) => isStopped(n));
        if (claims.length > 0) await this.#recallFrom(name, claims);
      }),
    );
  }

  #linkOf(name: string): Link {
    const link = this.#links.get(name) ?? {
      held: new Map(),
      mails: new Map(),
      newest: 0,
      failures: 0,
      promised: 0,
      heardAt: this.#dependencies.now(),
      noted: false,
    };
    this.#links.set(name, link);
    return link;
  }

  /** A Mailer that is no longer configured still has its claims. */
  #linksOf(mailClass: MailClass): [name: string, Link][] {
    const { team, mailers } = this.#dependencies;
    const slug = team();
    for (let number = 0; number < mailers(mailClass); number++) this.#linkOf(mailerName(slug, mailClass, number));
    return [...this.#links]
      .filter(([name]) => readMailerName(name).mailClass === mailClass)
      .sort(([, a], [, b]) => a.held.size + a.promised - (b.held.size + b.promised));
  }

  #clock() {
    const { sql, now, random } = this.#dependencies;
    return { sql, now: now(), random };
  }

  #transaction<T>(work: () => T): T {
    return this.#dependencies.transaction(work);
  }

  /** Memory changes after the commit: a transaction that fails leaves the claims as they were. */
  #keep(name: string, { sends, mails }: Claimed): void {
    const link = this.#linkOf(name);
    if (link.held.size === 0) link.heardAt = this.#dependencies.now();
    for (const { n, attempt } of sends) link.held.set(keyOf({ n, attempt }), { n, attempt });
    for (const mail of mails) link.mails.set(mail.n, mail);
  }

  #drop(name: string, ended: readonly Claim[]): void {
    const { held, mails } = this.#linkOf(name);
    for (const claim of ended) {
      held.delete(keyOf(claim));
      mails.delete(claim.n);
    }
  }

  #isSpent(): boolean {
    return this.#ordersLeft <= 0 || this.#dependencies.calls?.hasLeft() === false;
  }

  /** Claims mails in the place of `ended` claims. */
  #claim(name: string, ended: readonly Claim[], counts?: AnswerCounts): Claimed {
    const { sql } = this.#dependencies;
    const claimed = this.#claimUpTo(name, ended.length, counts);
    const { mails } = this.#linkOf(name);
    const open = new Map(mails);
    for (const { n } of ended) open.delete(n);
    if (open.size < mails.size || claimed.mails.length > 0) keepMails(sql, name, [...open.values(), ...claimed.mails]);
    return claimed;
  }

  #claimUpTo(name: string, freed: number, counts?: AnswerCounts): Claimed {
    const { mailClass } = readMailerName(name);
    const { copiesOf, now, budget, mailers, wake } = this.#dependencies;
    const wants = mailers(mailClass) === 0 ? 0 : budget.capacity[mailClass] - this.#linkOf(name).held.size + freed;
    const at = now();
    // Mails that no order of this event can give would come back as never started, and be claimed twice.
    if (this.#isSpent()) {
      wake(at);
      return NOTHING;
    }
    const passage = this.limits.passage(mailClass, at);
    const { sendLimits } = this.limits;
    const left = mailClass === "marketing" ? sendLimits.left(at) : Number.POSITIVE_INFINITY;
    const limit = passage === "none" ? 0 : Math.min(passage === "one" ? 1 : CLAIM, wants, left);
    if (limit <= 0) {
      if (left === 0) this.#waitForRoom(at);
      else if (passage === "none") wake(Math.max(at, this.limits.opensAt(mailClass, at)));
      return NOTHING;
    }
    const sieve = this.limits.isQuiet(mailClass, at)
      ? undefined
      : (mails: readonly Candidate[]) => this.limits.sieve(at, mailClass, mails);
    const areFew = left < Number.POSITIVE_INFINITY;
    const fullUntil = areFew ? sendLimits.fullUntil(at) : 0;
    const wanted = { mailClass, mailer: name, limit, copiesOf, sieve, areFew, fullUntil };
    const { sends: ofRows, more, hasEnded } = claimSends({ ...this.#clock(), counts }, wanted);
    // Campaigns read them.
    counts?.write();
    const next = mailClass === "marketing" && !more ? this.#recipients(at, limit - ofRows.length) : noRecipients;
    const sends = [...ofRows, ...next.sends];
    sendLimits.count(at, sends.length);
    if (sends.length === left) this.#waitForRoom(at);
    // The ended mail may be a campaign's last. Otherwise, later results wake the campaign.
    const mayBeLast = hasEnded && mailClass === "marketing" && sends.length === 0;
    if (more || mayBeLast) wake(at);
    if (sends.length > 0) wake(at + LOOK_MS[mailClass]);
    if (next.wakeAt < Number.POSITIVE_INFINITY) wake(next.wakeAt);
    return { sends, more, mails: next.mails };
  }

  #recipients(at: number, wanted: number): ClaimedRecipients {
    const { copiesOf, recipients, dayRows } = this.#dependencies;
    // Claimed mails write most of their rows with their results.
    const rows = (dayRows?.left("campaigns", at) ?? Number.POSITIVE_INFINITY) / ROWS_PER_MAIL;
    const limit = Math.min(wanted, Math.floor(rows - this.claimsOf("marketing").claims));
    if (limit <= 0) return noRecipients;
    return recipients({
      limit,
      copiesOf,
      sieve: this.limits.isQuiet("marketing", at) ? undefined : (mails) => this.limits.sieve(at, "marketing", mails),
      left: (domain) => this.limits.warmups.left(at, domain),
    });
  }

  /** Recipients without a row may wait too, so the next due time of a row says nothing. */
  #waitForRoom(at: number): void {
    this.#dependencies.wake(Math.max(this.limits.sendLimits.opensAt(at), at + ROOM_PAUSE_MS));
  }

  /** Orders until the Mailer has nothing, a newer loop takes over, or the budget of this event is spent. */
  async #work(name: string, sends: readonly ClaimedSend[]): Promise<void> {
    const { now, wake, mailer, sleep } = this.#dependencies;
    const link = this.#linkOf(name);
    for (let given = sends; ; ) {
      if (this.#isSpent()) {
        link.newest = 0;
        wake(now());
        return;
      }
      this.#ordersLeft -= 1;
      this.#dependencies.calls?.take();
      const order = this.#order(link, given);
      const [, number] = order.stamp;
      link.newest = number;
      try {
        const answer = await mailer(name).exchange(name, order);
        if (link.newest !== number) return;
        if ("superseded" in answer) {
          this.#raise(answer.superseded);
          given = [];
          continue;
        }
        given = this.#settleAll(name, answer);
        link.noted = answer.noted ?? false;
        link.failures = 0;
      } catch (error) {
        if (link.newest !== number) return;
        logLost(name, error);
        this.#dependencies.failed?.(error);
        link.failures += 1;
        given = [];
        if (link.failures % MAX_FAILURES === 0) {
          link.newest = 0;
          wake(now() + Math.min(BACKOFF_MS.most, BACKOFF_MS.least * link.failures));
          return;
        }
        await sleep(RETRY_MS * link.failures);
        if (link.newest !== number) return;
      }
      if (given.length === 0 && link.held.size === 0 && (!link.noted || order.known.length === 0)) {
        link.newest = 0;
        return;
      }
    }
  }

  #order({ held }: Link, sends: readonly ClaimedSend[]): Order {
    this.#number += 1;
    const until = this.#dependencies.now() + LATE_MS;
    return { stamp: [this.#epoch, this.#number], until, sends, known: [...held.values()], wait: WAIT_MS };
  }

  /** A clock that was set back must not keep this object out. */
  #raise([epoch]: Order["stamp"]): void {
    if (epoch > this.#epoch) this.#epoch = epoch + 1;
  }

  #settleAll(name: string, answer: Extract<Answer, { results: unknown }>): readonly ClaimedSend[] {
    const { results, lost, never, rows = 0 } = answer;
    const { mailClass } = readMailerName(name);
    const link = this.#linkOf(name);
    const { held } = link;
    this.#dependencies.dayRows?.add(rows);
    const ended = [...results, ...lost, ...never].filter((claim) => held.has(keyOf(claim)));
    const claimed = this.#transaction(() => {
      const counts = createAnswerCounts(this.#clock());
      for (const result of results) this.#settle(name, result, counts, mailClass);
      for (const claim of lost) this.#settle(name, this.#unknown(claim, mailClass), counts);
      for (const claim of never) this.#release(name, claim);
      const given = this.#claim(name, ended, counts);
      counts.write();
      return given;
    });
    this.#drop(name, ended);
    if (ended.length > 0) link.heardAt = this.#dependencies.now();
    this.#keep(name, claimed);
    if (results.length + lost.length > 0) this.#dependencies.settled();
    return claimed.sends;
  }

  #settle(name: string, result: SendResult, counts: AnswerCounts, mailClass?: MailClass): void {
    const clock = { ...this.#clock(), counts };
    const { n, handover } = result;
    if (mailClass) this.results.add(result, mailClass);
    const due = settle(
      clock,
      result,
      (mail) =>
        mailClass === undefined ? undefined : this.limits.heard(clock.now, { n, mailClass, ...mail, handover }),
      this.#withoutRow(name, n),
    );
    if (due !== undefined) this.#dependencies.wake(due);
  }

  #withoutRow(name: string, n: number): (CampaignMail & { mailer: string }) | undefined {
    const mail = this.#linkOf(name).mails.get(n);
    return mail && { ...mail, mailer: name };
  }

  #unknown({ n, attempt }: Claim, mailClass: MailClass): SendResult {
    const message = "The process that handed this mail over ended before it had an answer.";
    const outcome = this.#dependencies.isIdempotent(mailClass) ? "deferred" : "unknown";
    return { n, attempt, sender: "", handover: { outcome, message } };
  }

  #release(name: string, claim: Claim): void {
    const clock = this.#clock();
    const mail = this.#withoutRow(name, claim.n);
    if (mail) ensureRow(clock.sql, mail.n);
    release(clock, claim);
    this.limits.released(clock.now, claim.n);
  }

  async #recallFrom(name: string, claims: readonly Claim[]): Promise<void> {
    const { mailer, now, wake } = this.#dependencies;
    this.#dependencies.calls?.take();
    try {
      const unstarted = await mailer(name).recall(name, claims);
      const { held } = this.#linkOf(name);
      const ours = unstarted.filter((claim) => held.has(keyOf(claim)));
      const mails = [...this.#linkOf(name).mails.values()];
      const kept = mails.filter(({ n }) => ours.every((claim) => claim.n !== n));
      this.#transaction(() => {
        for (const claim of ours) this.#release(name, claim);
        if (kept.length < mails.length) keepMails(this.#dependencies.sql, name, kept);
      });
      this.#drop(name, ours);
      wake(now());
    } catch (error) {
      logLost(name, error);
    }
  }
}

const NOTHING: Claimed = { sends: [], more: false, mails: [] };

const claimOf = ({ n }: CampaignMail): Claim => ({ n, attempt: 1 });

const logLost = (mailer: string, error: unknown): void =>
  log("mailer_lost", { mailer, error: error instanceof Error ? error.message : String(error) });
