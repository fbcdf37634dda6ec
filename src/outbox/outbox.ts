import { DurableObject } from "cloudflare:workers";
import { createClient } from "../lib/client.ts";
import { log } from "../lib/log.ts";
import { migrate } from "../lib/migrate.ts";
import { type Acceptance, accept } from "./accept.ts";
import { type Claim, claim, settle } from "./deliver.ts";
import { addressOf, keysOf, personOfContact, purgeContacts, resolve } from "./identity.ts";
import * as journal from "./journal.ts";
import { IDENTITY_WAIT, type Outcome, outcomeOf } from "./outcome.ts";
import { answered, createPace, type Pace, take, waitFor } from "./pace.ts";
import { nextPause, type Pause, probeNow, readPause, savePause } from "./pause.ts";
import { createQueue, enqueue, type Item, inFlight, nextDue, pick, type Queue, remove, started } from "./queue.ts";
import { migrations } from "./schema.ts";
import { configOf, guardOf, type OutboxEnv, retentionOf, type Surroundings, surroundingsOf } from "./surroundings.ts";
import type { Accepted, Call, Journalled, Receipt } from "./types.ts";

/** Ms after which the alarm looks after work whose pump may have been lost with the process. */
const SAFETY = 10_000;
/** Starts per invocation: the free plan allows 50 subrequests. */
const MAX_STARTS = 40;
/** Ms the host has to answer. */
const TIMEOUT = 10_000;
/** A pump that has nothing to do for longer than this ends; the alarm starts the next one. */
const STAY = 2_000;
const PURGE_EVERY = 3_600_000;
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
  #nextPurge = 0;
  #wake: () => void = () => {};

  constructor(ctx: DurableObjectState, env: OutboxEnv) {
    super(ctx, env);
    this.surroundings = surroundingsOf(env);
    this.#sql = ctx.storage.sql;
    migrate(ctx.storage, migrations);
    const now = this.surroundings.now();
    this.#queue = createQueue();
    for (const { seq, calls } of journal.open(this.#sql)) this.#enqueue(seq, calls);
    this.#lastSeq = journal.newest(this.#sql);
    this.#pause = probeNow(readPause(this.#sql), now);
    this.#pace = createPace(guardOf(env), now);
    ctx.blockConcurrencyWhile(async () => {
      this.#alarmAt = await ctx.storage.getAlarm();
      if (this.#queue.items.size > 0) this.#arm(now);
    });
  }

  /** Journals a webhook and its calls in one commit, then starts delivering. Answers once for every event. */
  async accept(webhook: Accepted): Promise<Receipt> {
    const now = this.surroundings.now();
    const seq = Math.max(this.#lastSeq + 1, now * 1000);
    const accepted: Acceptance = this.ctx.storage.transactionSync(() => accept(this.#sql, webhook, seq, now));
    const { receipt, calls, relinked } = accepted;
    if (receipt.duplicate) return receipt;
    // No await since the journal was written: the alarm is part of the same commit.
    if (calls.length > 0) this.#arm(now + SAFETY);
    this.#lastSeq = seq;
    this.#relink(new Set(relinked), now);
    this.#enqueue(seq, calls);
    log("webhook_accepted", { id: receipt.id, source: webhook.source, type: webhook.type, calls: calls.length });
    this.ctx.waitUntil(this.#pump());
    return receipt;
  }

  /** One webhook with its calls and every attempt, or null. */
  webhook(id: string): Journalled | null {
    const seq = journal.seqOf(id);
    return (seq === undefined ? undefined : journal.read(this.#sql, seq)) ?? null;
  }

  /** Webhooks newest first, older than the one with id `before`. */
  webhooks(limit: number, before?: string): Journalled[] {
    const seq = before === undefined ? undefined : journal.seqOf(before);
    return journal.list(this.#sql, seq ?? Number.MAX_SAFE_INTEGER, limit);
  }

  /** What delivery is doing: calls that wait, and why nothing leaves if so. */
  status(): { waiting: number; pause: Pause | null } {
    const pause = this.#pause && this.#pause.until > this.surroundings.now() ? this.#pause : null;
    return { waiting: this.#queue.items.size, pause };
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    try {
      this.#purge();
      await this.#pump();
    } catch (error) {
      log("alarm_failed", { error: (error as Error).message });
    }
    // Whoever holds the pump has it in hand; if it is lost with the process, the next alarm finds out.
    this.#arm(this.#pumping ? this.surroundings.now() + SAFETY : this.#nextAlarm());
  }

  /** Starts calls, one slot at a time, until nothing is due soon or this invocation has made its share of starts. */
  async #pump(): Promise<void> {
    if (this.#pumping) {
      this.#wake();
      return;
    }
    this.#pumping = true;
    let starts = 0;
    let failed = false;
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
        const candidate = paused > 0 || probing ? undefined : pick(this.#queue, now);
        if (candidate) {
          if (await this.#start(candidate.item, candidate.lane)) starts++;
          continue;
        }
        const due = nextDue(this.#queue) - now;
        // Due already but not to be picked: every place in flight is taken, and an answer will wake us.
        const idle = paused > 0 ? paused : due > 0 ? due : STAY;
        if (underWay === 0 && idle > STAY) break;
        await this.#sleepOrWake(Math.min(idle, STAY));
      }
    } catch (error) {
      failed = true;
      log("pump_failed", { error: (error as Error).message });
    } finally {
      this.#pumping = false;
      const now = this.surroundings.now();
      this.#arm(failed ? now + STAY : starts < MAX_STARTS ? this.#nextAlarm() : now);
    }
  }

  /** Claims a call durably, takes the slot and lets it go. False when it came to something without a request. */
  async #start(item: Item, lane: Item["lane"]): Promise<boolean> {
    const now = this.surroundings.now();
    const { seq, index } = item;
    const claimed = this.ctx.storage.transactionSync(() => claim(this.#sql, configOf(this.env), seq, index, now));
    if (!claimed?.claim) {
      if (claimed?.call.state === "waiting") item.due = journal.acceptedAt(seq) + IDENTITY_WAIT;
      else remove(this.#queue, item);
      if (claimed) logCall(seq, claimed.call);
      return false;
    }
    item.inFlight = true;
    started(this.#queue, lane, now);
    await this.ctx.storage.sync();
    const slot = take(this.#pace, this.surroundings.now());
    void this.#send(item, claimed.claim, claimed.call)
      .catch((error) => log("settle_failed", { error: (error as Error).message }))
      .finally(() => {
        answered(this.#pace, slot, this.surroundings.now());
        item.inFlight = false;
        this.#wake();
      });
    return true;
  }

  async #send(item: Item, { send, landing }: Claim, call: Call): Promise<void> {
    const outcome = await this.#try(send, call);
    const { now, random } = this.surroundings;
    this.#afterwards(outcome, now());
    const settled = this.ctx.storage.transactionSync(() =>
      settle(this.#sql, item.seq, item.index, outcome, landing, now(), random()),
    );
    if (settled) logCall(item.seq, settled);
    if (settled && journal.isOpen(settled)) item.due = settled.due;
    else remove(this.#queue, item);
  }

  async #try(send: Claim["send"], call: Call): Promise<Outcome> {
    const { EMAIL_API_URL, EMAIL_API_KEY, EMAIL } = this.env;
    if (!EMAIL_API_KEY || !(EMAIL_API_URL || EMAIL)) {
      return {
        kind: "held",
        status: 401,
        message: "EMAIL_API_KEY is not set: there is no key to call the email service with.",
      };
    }
    const api = createClient({
      baseUrl: EMAIL_API_URL || "http://email",
      apiKey: EMAIL_API_KEY,
      fetch: this.surroundings.fetch,
      headers: { "User-Agent": "mailspan-bridge" },
    });
    try {
      const result = await send(api, AbortSignal.timeout(TIMEOUT));
      const { id } = (result ?? {}) as { id?: unknown };
      return { kind: "done", status: 200, ...(typeof id === "string" ? { result: id } : {}) };
    } catch (error) {
      return outcomeOf(call, error);
    }
  }

  /** What an outcome means for delivery as a whole: a limit or a refused key stops everything for a while. */
  #afterwards(outcome: Outcome, now: number): void {
    const pause = nextPause(this.#pause, outcome, now);
    if (pause === this.#pause) return;
    this.#pause = pause;
    savePause(this.#sql, pause);
    if (pause) log("delivery_paused", { reason: pause.reason, message: pause.message, ms: pause.until - now });
  }

  #enqueue(seq: number, calls: readonly Call[]): void {
    calls.forEach((call, index) => {
      if (!journal.isOpen(call)) return;
      const item = { seq, index, lane: journal.laneOf(call), contact: call.contact, inFlight: false };
      const place = this.#place(item);
      enqueue(this.#queue, { ...item, ...place, due: Math.max(place.due, call.due) });
    });
  }

  /** Whose calls it queues with, and until when it waits for a link that tells. */
  #place({ seq, lane, contact }: Pick<Item, "seq" | "lane" | "contact">): Pick<Item, "person" | "waits" | "due"> {
    const mail = lane === "urgent" || lane === "transactional";
    const waits = (mail ? addressOf(this.#sql, contact) : resolve(this.#sql, contact)) === undefined;
    // Mail does not wait for a person's other calls.
    const person = mail ? undefined : personOfContact(this.#sql, contact);
    return { person, waits, due: waits ? journal.acceptedAt(seq) + IDENTITY_WAIT : 0 };
  }

  /** After links were learned: calls that have not started find their person again. */
  #relink(changed: ReadonlySet<string>, now: number): void {
    if (changed.size === 0) return;
    for (const item of this.#queue.items.values()) {
      const concerned = changed.has(item.person ?? "") || keysOf(item.contact).some((key) => changed.has(key));
      if (!concerned || item.inFlight) continue;
      const place = this.#place(item);
      item.person = place.person;
      if (item.waits && !place.waits) item.due = now;
      item.waits = place.waits;
    }
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
    const before = now - retentionOf(this.env);
    const deleted = journal.purge(this.#sql, before, PURGE_SLICE) + purgeContacts(this.#sql, before, PURGE_SLICE);
    this.#nextPurge = now + (deleted >= PURGE_SLICE ? STAY : PURGE_EVERY);
  }

  #nextAlarm(): number {
    const now = this.surroundings.now();
    const oldest = journal.oldest(this.#sql);
    const purge = oldest === undefined ? Number.POSITIVE_INFINITY : journal.acceptedAt(oldest) + retentionOf(this.env);
    return Math.min(Math.max(this.#nextPurge, purge), Math.max(now, nextDue(this.#queue), this.#pause?.until ?? 0));
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
