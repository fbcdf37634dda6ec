import { DurableObject } from "cloudflare:workers";
import { log } from "../lib/log.ts";
import { migrate } from "../lib/migrate.ts";
import { type Acceptance, accept } from "./accept.ts";
import { attempt } from "./attempt.ts";
import { type Claim, claim, settle } from "./deliver.ts";
import { anyContact, purgeContacts } from "./identity.ts";
import * as journal from "./journal.ts";
import { IDENTITY_WAIT, type Outcome } from "./outcome.ts";
import { answered, createPace, type Pace, type Start, take, waitFor } from "./pace.ts";
import { nextPause, type Pause, readPause, resumed, savePause } from "./pause.ts";
import { enqueueCalls, placeOf, relink } from "./place.ts";
import {
  createQueue,
  type Item,
  inFlight,
  keyOf,
  nextDue,
  pick,
  type Queue,
  type Ready,
  remove,
  started,
} from "./queue.ts";
import { migrations } from "./schema.ts";
import { configOf, guardOf, type OutboxEnv, retentionOf, type Surroundings, surroundingsOf } from "./surroundings.ts";
import type { Accepted, Call, Journalled, Receipt } from "./types.ts";

/** Ms after which the alarm looks after work whose pump may have been lost with the process. */
const SAFETY = 10_000;
/** Starts per invocation: the free plan allows 50 subrequests. */
const MAX_STARTS = 40;
/** A pump that has nothing to do for longer than this ends; the alarm starts the next one. */
const STAY = 2_000;
const PURGE_EVERY = 86_400_000;
const LONGEST_STEP_BACK = 600_000;
const PURGE_SLICE = 500;

/**
 * Journal, scheduler, limiter and ledger of one team's deliveries. One webhook is one row; everything that must be true
 * together is one transaction. The queue in memory is rebuilt from the open rows.
 */
export class Outbox extends DurableObject<OutboxEnv> {
  protected surroundings: Surroundings;
  #sql: SqlStorage;
  #queue: Queue;
  #pace: Pace;
  #pause: Pause | undefined;
  #lastSeq: number;
  #alarmAt: number | null = null;
  #pumping = false;
  /** After a failure of the pump itself, Unix ms. */
  #notBefore = 0;
  #nextPurge = 0;
  #purgedTo: string | undefined;
  /** Start of the newest try whose key the host accepted, Unix ms. */
  #acceptedAt = 0;
  #wake: () => void = () => {};

  constructor(ctx: DurableObjectState, env: OutboxEnv) {
    super(ctx, env);
    this.surroundings = surroundingsOf(env);
    this.#sql = ctx.storage.sql;
    migrate(ctx.storage, migrations);
    const now = this.surroundings.now();
    this.#queue = createQueue();
    for (const { seq, calls } of journal.open(this.#sql)) enqueueCalls(this.#sql, this.#queue, seq, calls);
    this.#lastSeq = journal.newest(this.#sql);
    this.#pause = resumed(readPause(this.#sql), now);
    this.#pace = createPace(guardOf(env), now);
    ctx.blockConcurrencyWhile(async () => {
      this.#alarmAt = await ctx.storage.getAlarm();
      if (this.#queue.items.size > 0) this.#arm(now);
    });
  }

  /**
   * Journals the webhooks of one request and their calls in one commit, then starts delivering. Answers once for every
   * event.
   */
  async accept(webhooks: readonly Accepted[]): Promise<Receipt[]> {
    const now = this.surroundings.now();
    const first = Math.max(this.#lastSeq + 1, now * 1000);
    const all: Acceptance[] = this.ctx.storage.transactionSync(() =>
      webhooks.map((webhook, i) => accept(this.#sql, webhook, first + i, now)),
    );
    const fresh = all.filter(({ receipt }) => !receipt.duplicate);
    const receipts = all.map(({ receipt }) => receipt);
    if (fresh.length === 0) return receipts;
    // No await since the journal was written: the alarm is part of the same commit.
    if (fresh.some(({ calls }) => calls.length > 0)) this.#arm(now + SAFETY);
    this.#lastSeq = first + webhooks.length - 1;
    relink(this.#sql, this.#queue, new Set(fresh.flatMap(({ relinked }) => relinked)), now);
    for (const { seq, calls } of fresh) enqueueCalls(this.#sql, this.#queue, seq, calls);
    all.forEach(({ receipt, calls }, i) => {
      if (receipt.duplicate) return;
      const { source, type = "" } = webhooks[i] ?? {};
      log("webhook_accepted", { id: receipt.id, source, type: type.slice(0, 100), calls: calls.length });
    });
    this.ctx.waitUntil(this.#pump());
    return receipts;
  }

  /** One webhook with its calls and every attempt, or null. */
  webhook(id: string): Journalled | null {
    const seq = journal.seqOf(id);
    const webhook = seq === undefined ? undefined : journal.read(this.#sql, seq);
    webhook?.calls.forEach((call, index) => {
      const item = this.#queue.items.get(keyOf({ seq: webhook.seq, index }));
      if (item?.waits) call.message ??= `Waits for a webhook that tells who ${call.contact.ref ?? "this"} is.`;
    });
    return webhook ?? null;
  }

  /** Webhooks newest first, older than the one with id `before`. */
  webhooks(limit: number, before?: string): Journalled[] {
    const seq = before === undefined ? undefined : journal.seqOf(before);
    return journal.list(this.#sql, seq ?? Number.MAX_SAFE_INTEGER, limit);
  }

  /** What delivery is doing: calls that wait, for how many ms the oldest could have left, and why nothing leaves if so. */
  status(): { waiting: number; late: number; pause: Pause | null } {
    const now = this.surroundings.now();
    let oldest = now;
    for (const { seq, waits } of this.#queue.items.values()) {
      if (!waits) oldest = Math.min(oldest, journal.acceptedAt(seq));
    }
    const pause = this.#pause && this.#pause.until > now ? this.#pause : null;
    return { waiting: this.#queue.items.size, late: now - oldest, pause };
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    this.#purge();
    await this.#pump();
    // Whoever holds the pump has it in hand; if it is lost with the process, the next alarm finds out.
    this.#arm(this.#pumping ? this.surroundings.now() + SAFETY : this.#nextAlarm());
  }

  /** Starts calls, one slot at a time, until nothing is due soon or this invocation has done its share. */
  async #pump(): Promise<void> {
    if (this.#pumping) {
      this.#wake();
      return;
    }
    this.#pumping = true;
    let starts = 0;
    try {
      while (starts < MAX_STARTS && this.#queue.items.size > 0) {
        const now = this.surroundings.now();
        const paused = (this.#pause?.until ?? 0) - now;
        const slot = waitFor(this.#pace, now);
        if (paused <= 0 && slot > 0) {
          // Nothing can start before the slot: the queue is looked through once per start, not for each webhook that comes.
          await this.#sleepOrWake(slot);
          continue;
        }
        const underWay = inFlight(this.#queue);
        const probing = this.#pause?.reason === "held" && underWay > 0;
        const ready = paused > 0 || probing ? undefined : pick(this.#queue, now);
        if (ready && ready.candidates.length > 0) {
          if (await this.#startFirst(ready)) starts++;
          continue;
        }
        const due = nextDue(this.#queue) - now;
        // Due already but not to be picked: every place in flight is taken, and an answer will wake us.
        const idle = paused > 0 ? paused : due > 0 ? due : STAY;
        if (underWay === 0 && idle > STAY) break;
        await this.#sleepOrWake(Math.min(idle, STAY));
      }
    } catch (error) {
      // Nothing of one call throws as far as this: see #startFirst and #send.
      log("pump_failed", { error: (error as Error).message });
      this.#notBefore = this.surroundings.now() + STAY;
    } finally {
      this.#pumping = false;
      this.#arm(starts < MAX_STARTS ? this.#nextAlarm() : this.surroundings.now());
    }
  }

  /** Lets the first call go that does not come to something without a request. False when none did. */
  async #startFirst({ candidates, lanes }: Ready): Promise<boolean> {
    for (const { item, lane } of candidates) {
      const now = this.surroundings.now();
      const claimed = this.#claim(item, now);
      if (!claimed) continue;
      item.inFlight = true;
      started(this.#queue, lane, lanes);
      // The claim is durable before the slot is taken, and the slot before the call leaves.
      await this.ctx.storage.sync();
      void this.#send(item, claimed.claim, claimed.call, take(this.#pace, this.surroundings.now()));
      return true;
    }
    // Many may come to nothing in a row (an hour's expired mail): commit, and let webhooks in between.
    await this.ctx.storage.sync();
    await this.surroundings.sleep(0);
    return false;
  }

  /** Claims a call durably. Undefined when it was decided without a request, waits, or failed. */
  #claim(item: Item, now: number): { claim: Claim; call: Call } | undefined {
    try {
      const { seq, index } = item;
      const claimed = this.ctx.storage.transactionSync(() => claim(this.#sql, configOf(this.env), seq, index, now));
      if (claimed?.claim) return { claim: claimed.claim, call: claimed.call };
      if (claimed?.call.state === "waiting") item.due = Math.max(now + STAY, journal.acceptedAt(seq) + IDENTITY_WAIT);
      else remove(this.#queue, item);
      if (claimed) logCall(seq, claimed.call);
    } catch (error) {
      this.#stepBack(item, error);
    }
    return undefined;
  }

  /** Something of ours failed on this call: the others go on, and it comes again later and later. */
  #stepBack(item: Item, error: unknown): void {
    item.failures++;
    item.due = this.surroundings.now() + Math.min(LONGEST_STEP_BACK, STAY * 2 ** item.failures);
    log("call_failed", { id: journal.idOf(item.seq), failures: item.failures, error: (error as Error).message });
  }

  async #send(item: Item, claim: Claim, call: Call, slot: Start): Promise<void> {
    const { now, random } = this.surroundings;
    try {
      const outcome = await attempt(this.env, this.surroundings, claim, call);
      this.#afterwards(outcome, slot.at, now());
      const resumesAt = this.#pause?.until ?? now();
      const settlement = { outcome, claim, now: now(), random: random(), resumesAt, acceptedAt: this.#acceptedAt };
      const settled = this.ctx.storage.transactionSync(() => settle(this.#sql, item.seq, item.index, settlement));
      if (settled) logCall(item.seq, settled);
      item.failures = 0;
      if (!settled || !journal.isOpen(settled)) remove(this.#queue, item);
      else Object.assign(item, placeOf(this.#sql, item), { due: settled.due });
    } catch (error) {
      this.#stepBack(item, error);
    } finally {
      answered(this.#pace, slot, now());
      item.inFlight = false;
      this.#wake();
    }
  }

  /** What an outcome means for delivery as a whole: a limit or a refused key stops everything for a while. */
  #afterwards(outcome: Outcome, startedAt: number, now: number): void {
    if (outcome.kind === "done" || outcome.kind === "dead") this.#acceptedAt = Math.max(this.#acceptedAt, startedAt);
    const pause = nextPause(this.#pause, outcome, startedAt, now);
    if (pause === this.#pause) return;
    this.#pause = pause;
    savePause(this.#sql, pause);
    if (pause) log("delivery_paused", { reason: pause.reason, message: pause.message, ms: pause.until - now });
  }

  #sleepOrWake(ms: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return Promise.race([woken, this.surroundings.sleep(ms)]);
  }

  #purge(): void {
    const now = this.surroundings.now();
    if (now < this.#nextPurge) return;
    try {
      const before = now - retentionOf(this.env);
      const deleted = journal.purge(this.#sql, before, PURGE_SLICE);
      this.#purgedTo = purgeContacts(this.#sql, before, this.#purgedTo ?? "", PURGE_SLICE);
      this.#nextPurge = now + (deleted >= PURGE_SLICE || this.#purgedTo !== undefined ? STAY : PURGE_EVERY);
    } catch (error) {
      this.#nextPurge = now + PURGE_EVERY;
      log("purge_failed", { error: (error as Error).message });
    }
  }

  #nextAlarm(): number {
    const now = this.surroundings.now();
    const oldest = journal.oldest(this.#sql);
    const purge =
      this.#purgedTo !== undefined
        ? this.#nextPurge
        : oldest !== undefined
          ? Math.max(this.#nextPurge, journal.acceptedAt(oldest) + retentionOf(this.env))
          : anyContact(this.#sql)
            ? now + PURGE_EVERY
            : Number.POSITIVE_INFINITY;
    return Math.min(purge, Math.max(now, this.#notBefore, nextDue(this.#queue), this.#pause?.until ?? 0));
  }

  /** Sets the alarm unless an earlier one is set. An alarm costs a row, so a needless one is never written. */
  #arm(at: number): void {
    if (!Number.isFinite(at) || (this.#alarmAt !== null && this.#alarmAt <= at)) return;
    this.#alarmAt = at;
    this.ctx.storage.setAlarm(at);
  }
}

const logCall = (seq: number, call: Call): void =>
  log("call", {
    ...{ id: journal.idOf(seq), rule: call.rule, action: call.action, state: call.state },
    ...{ tries: call.attempts.length, status: call.attempts.at(-1)?.status, message: call.message },
  });
