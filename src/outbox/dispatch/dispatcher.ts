import { log } from "../../lib/util/log.ts";
import { readDeliveries } from "../journal/read.ts";
import { configOf, guardOf } from "../model/config.ts";
import { isOpen } from "../model/delivery-state.ts";
import type { EngineContext } from "../model/dependencies.ts";
import type { ForeignAnswers, Interruption, Pauses } from "../model/interruption.ts";
import type { Lane } from "../model/journal-types.ts";
import type { Outcome } from "../model/outcome.ts";
import { enqueueDelivery, enqueueGatewayRequest } from "../queue/enqueue.ts";
import { dropFetch, enqueueFetch } from "../queue/fetches.ts";
import { joinable } from "../queue/join.ts";
import { MAX_IN_FLIGHT } from "../queue/max-in-flight.ts";
import {
  change,
  createQueue,
  EVERY,
  type GatewayRequest,
  keyOf,
  type Queue,
  type QueueItem,
  remove,
  setPaused,
  yieldToUpdates,
} from "../queue/person-queues.ts";
import { type Candidate, countStart, countTurn, firstDelivery, nextDue, pick, upcoming } from "../queue/pick.ts";
import { type Claims, claim, isClaimed, recover } from "./claims.ts";
import { type Decision, decide } from "./decide-delivery.ts";
import { DispatchState } from "./limits/dispatch-state.ts";
import { createKeyCheck, type KeyCheck } from "./limits/key-check.ts";
import { createPace, type Pace, startsBySecond, take, waitFor } from "./limits/pace.ts";
import { reportInterruption } from "./limits/report.ts";
import { createQueueReader } from "./read-queue.ts";
import { InFlight } from "./send-and-settle.ts";

/** Limit because the free plan allows 50 subrequests per invocation. Other events may use a part of them. */
const MAX_STARTS = 40;
/** Milliseconds. After this idle time the pump ends, and the alarm restarts it. */
const MAX_IDLE = 2_000;
const CLAIM_BATCH = 10;
/** Milliseconds since the newest claim; until then, all of the rate limit may be used. */
const BUSY = 10_000;
/** Milliseconds in which a request may be without an answer: a claim is used for 5 s, and a request waits for 10 s. */
const OPEN = 15_000;
const MAX_SETTLED = 64;
/** Milliseconds. */
const IDLE_PROBE = 60_000;

/** Sends deliveries from memory. Everything that must survive a crash is stored before sending. */
export class Dispatcher {
  readonly queue: Queue = createQueue();
  readonly #deps: EngineContext;
  readonly #pace: Pace;
  readonly #inFlight: InFlight;
  readonly #keyCheck: KeyCheck;
  readonly #state: DispatchState;
  readonly #reader: ReturnType<typeof createQueueReader>;
  #claims: Claims = new Map();
  #settledInARow = 0;
  #pumping = false;
  /** True if the platform has refused a request of this event. */
  #spent = false;
  #wakeIdle: () => void = () => {};
  #wakeSlot: () => void = () => {};
  /** Unix ms; set after a failure of the pump itself. */
  #notBefore = 0;
  #gatewayRequests = 0;
  /** True if a probe is asked for although nothing is sent. */
  #probes = false;

  constructor(deps: EngineContext) {
    this.#deps = deps;
    const { disk, env } = deps;
    const now = deps.now();
    const before = disk.transactionSync(() => recover(disk.sql, now));
    this.#reader = createQueueReader(disk.sql, this.queue, (ms) => deps.sleep(ms));
    this.#state = new DispatchState(disk, now, (outcome, at, { before, failed }) => {
      this.#hasten(failed, at);
      reportInterruption(deps, this.interruption, before, outcome, at);
    });
    this.#applyPauses();
    this.#pace = createPace(guardOf(env), now, this.#earlier(before, now));
    const onFree = (outcome?: Outcome) => {
      this.#spent ||= outcome?.kind === "deferred";
      this.#wakeIdle();
      this.#wakeSlot();
    };
    const onWanted = () => {
      onFree();
      void this.nudge();
    };
    const limits = { state: this.#state, pace: this.#pace };
    this.#keyCheck = createKeyCheck(deps, this.#state, this.#pace, {
      isIdle: () => nextDue(this.queue) > deps.now(),
      nextDue: () => firstDelivery(this.queue)?.due,
      onWanted,
      onFree,
    });
    this.#inFlight = new InFlight(deps, this.queue, { ...limits, keyCheck: this.#keyCheck }, onFree);
  }

  get interruption(): Interruption | undefined {
    return this.#state.interruption;
  }

  /** The former process left claims of its deliveries, and none of its probe. */
  #earlier(before: ReturnType<typeof recover>, now: number): { unanswered: number; isFull: boolean } {
    const { claimedAt, unanswered } = before ?? { claimedAt: Number.NEGATIVE_INFINITY, unanswered: 0 };
    const deliveries = claimedAt > now - OPEN ? Math.min(unanswered, MAX_IN_FLIGHT) : 0;
    return { unanswered: deliveries + Number(this.#isStopped()), isFull: claimedAt > now - BUSY };
  }

  foreignAnswers(now: number): ForeignAnswers | undefined {
    return this.#state.foreignAnswers(now);
  }

  /** Returns the limit per second and the starts per second of the last minute. */
  pace(now: number): { limit: number; last60: number[]; serviceRemaining: number | null } {
    const { limit, remaining } = this.#pace;
    return { limit, last60: startsBySecond(this.#pace, now), serviceRemaining: remaining ?? null };
  }

  heard({ headers }: Pick<Response, "headers">): void {
    const said = headers.get("x-ratelimit-remaining");
    if (said !== null && /^\d{1,6}$/.test(said)) this.#pace.remaining = Number(said);
  }

  get pauses(): Pauses {
    return this.#state.pauses;
  }

  get pumping(): boolean {
    return this.#pumping;
  }

  get hasWork(): boolean {
    return this.queue.items.size > 0 || this.#reader.isUnread() || this.interruption?.reason === "outage";
  }

  /** Returns when a probe has to ask although nothing was sent for a minute, Unix ms. */
  nextIdleProbe(): number {
    if (this.#isStopped() || this.pauses.all !== undefined) return Number.POSITIVE_INFINITY;
    return Math.max(this.#state.lookedAt + IDLE_PROBE, this.interruption?.until ?? 0);
  }

  /** Asks the email service for a sign of life. */
  probe(): Promise<void> {
    this.#probes = true;
    return this.nudge();
  }

  /** Makes deliveries due that an outage delayed. */
  #hasten(keys: readonly string[], now: number): void {
    for (const key of keys) {
      const item = this.queue.items.get(key);
      if (item && !item.inFlight && !item.waits && item.due > now) change(this.queue, item, { due: now });
    }
  }

  /** Starts or wakes the pump. Resolves when a started pump has ended. */
  nudge(): Promise<void> {
    if (!this.#pumping) return this.#pump();
    this.#wakeIdle();
    return Promise.resolve();
  }

  /** @returns a function that removes the request; false if it was sent already */
  enter(lane: Lane, gatewayRequest: GatewayRequest): () => boolean {
    const seq = this.#deps.now() * 1000;
    const item = enqueueGatewayRequest(this.queue, { lane, gatewayRequest, seq, count: ++this.#gatewayRequests });
    return () => {
      if (item.inFlight || !this.queue.items.has(keyOf(item))) return false;
      remove(this.queue, item);
      return true;
    };
  }

  refresh(seq: number): void {
    const { sql } = this.#deps.disk;
    const webhook = readDeliveries(sql, seq);
    webhook?.deliveries.forEach((delivery, index) => {
      const item = this.queue.items.get(keyOf({ seq, index }));
      if (delivery.action === "fetch") {
        if (isOpen(delivery)) enqueueFetch(this.queue, webhook, index, delivery);
        else dropFetch(this.queue, { seq, index });
      } else if (!item && isOpen(delivery)) enqueueDelivery(sql, this.queue, webhook, index, delivery);
      else if (item && !item.inFlight && !isOpen(delivery)) remove(this.queue, item);
    });
  }

  pause(source: string | undefined, paused: boolean): void {
    if (this.#state.pause(source, paused, this.#deps.now())) this.#applyPauses();
  }

  #applyPauses(): void {
    const { all, sources } = this.pauses;
    setPaused(this.queue, [...(all === undefined ? [] : [EVERY]), ...Object.keys(sources)]);
  }

  /** Returns the latest time at which the pump must restart, in Unix ms. */
  nextStart(): number {
    const now = this.#deps.now();
    if (this.#reader.isUnread()) return Math.max(now, this.#notBefore);
    const due = Math.max(nextDue(this.queue), this.interruption?.until ?? 0);
    const ask = this.#keyCheck.isWanted() || this.#probes ? now : this.#nextAsk();
    const isOutage = this.interruption?.reason === "outage";
    const next = this.#state.letsOneThrough() ? now : ask;
    return Math.max(now, this.#notBefore, isOutage ? next : Math.min(ask, due));
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    this.#spent = false;
    const { disk } = this.#deps;
    let starts = 0;
    try {
      if (this.#reader.isUnread()) {
        await this.#reader.read();
        // The next event has all of its budget left.
        this.#spent = true;
      }
      while (starts < MAX_STARTS && !this.#spent && this.#isBusy()) {
        const now = this.#deps.now();
        if (this.#needsKeyCheck(now)) {
          const slot = waitFor(this.#pace, now);
          if (slot > 0) await this.#sleep(slot, "slot");
          else {
            starts++;
            this.#keyCheck.start(take(this.#pace, now));
          }
          continue;
        }
        const interrupted = (this.interruption?.until ?? 0) - now;
        const next = interrupted > 0 ? undefined : this.#pick(now);
        if (!next) {
          // A due delivery that cannot be picked waits for a slot: the next response wakes the pump.
          const due = nextDue(this.queue) - now;
          const rest = interrupted > 0 ? interrupted : due > 0 ? due : MAX_IDLE;
          const idle = Math.min(rest, Math.max(1, this.#nextAsk() - now));
          const isQuiet = this.queue.inFlight.size === 0 && !this.#keyCheck.isInFlight();
          if (isQuiet && idle > MAX_IDLE) break;
          await this.#sleep(Math.min(idle, MAX_IDLE), "idle");
          continue;
        }
        if (!next.item.gatewayRequest && !isClaimed(this.#claims, next.item, now)) {
          this.#claim(next.item, now);
          await disk.sync();
          continue;
        }
        const slot = waitFor(this.#pace, now);
        if (slot > 0) await this.#sleep(slot, "slot");
        else if (await this.#startFirst(next)) starts++;
      }
    } catch (error) {
      // Failures of a single delivery are caught in #decide and InFlight.
      log("pump_failed", { error: (error as Error).message });
      this.#notBefore = this.#deps.now() + MAX_IDLE;
    } finally {
      this.#pumping = false;
      this.#deps.arm(starts < MAX_STARTS && !this.#spent ? this.nextStart() : this.#deps.now());
    }
  }

  /** In an outage, an answered probe lets one delivery through, though it may be due later. */
  #pick(now: number): Candidate | undefined {
    if (!this.#isStopped()) return pick(this.queue, now);
    if (!this.#state.letsOneThrough()) return undefined;
    const first = nextDue(this.queue) > now ? firstDelivery(this.queue) : undefined;
    if (first) change(this.queue, first, { due: now });
    return pick(this.queue, now);
  }

  /** True until a key check is accepted. A backoff ends by its time. */
  #isStopped(): boolean {
    return this.interruption?.reason === "blocked" || this.interruption?.reason === "outage";
  }

  #isBusy(): boolean {
    if (this.queue.items.size > 0 || this.#keyCheck.isWanted() || this.#keyCheck.isInFlight()) return true;
    return this.#probes || this.#nextAsk() < Number.POSITIVE_INFINITY;
  }

  /** Unix ms. */
  #nextAsk(): number {
    return this.#keyCheck.isInFlight() ? Number.POSITIVE_INFINITY : this.#state.nextAsk();
  }

  #needsKeyCheck(now: number): boolean {
    if (this.#state.isHalted(now)) this.#keyCheck.giveUp();
    if (this.#keyCheck.isWanted()) return true;
    if (this.#keyCheck.isInFlight()) return false;
    if (this.#probes || this.#nextAsk() <= now) {
      this.#probes = false;
      return this.pauses.all === undefined;
    }
    const { interruption } = this;
    if (interruption?.reason !== "blocked") return false;
    return interruption.until <= now && nextDue(this.queue) <= now;
  }

  #claim(item: QueueItem, now: number): void {
    const next = [item, ...upcoming(this.queue, now, CLAIM_BATCH)].filter(({ gatewayRequest }) => !gatewayRequest);
    this.#claims = claim(this.#deps.disk.sql, this.#claims, [...this.queue.inFlight], next, now);
  }

  async #startFirst(candidate: Candidate): Promise<boolean> {
    const { disk } = this.#deps;
    let next: Candidate | undefined = candidate;
    for (; next && this.#settledInARow < MAX_SETTLED; this.#settledInARow++) {
      const { item } = next;
      const now = this.#deps.now();
      if (item.gatewayRequest) {
        const wait = item.gatewayRequest.notBefore?.(now) ?? 0;
        if (wait > 0) {
          change(this.queue, item, { due: now + wait });
          next = pick(this.queue, now);
          continue;
        }
        this.#settledInARow = 0;
        countTurn(this.queue, next);
        countStart(this.queue, next);
        change(this.queue, item, { inFlight: true });
        void this.#inFlight.sendGatewayRequest(item, item.gatewayRequest, take(this.#pace, now));
        return true;
      }
      if (!isClaimed(this.#claims, item, now)) return false;
      countTurn(this.queue, next);
      const decision = this.#decide(item, now);
      if (decision?.kind === "send") {
        this.#settledInARow = 0;
        countStart(this.queue, next);
        change(this.queue, item, { inFlight: true });
        if (this.#isStopped()) this.#state.trying(keyOf(item), now);
        void this.#inFlight.send(item, decision, take(this.#pace, now));
        return true;
      }
      next = pick(this.queue, now);
    }
    this.#settledInARow = 0;
    // Many deliveries in a row may need no request. The commit admits new webhooks.
    await disk.sync();
    await this.#deps.sleep(0);
    return false;
  }

  #decide(item: QueueItem, now: number): Decision | undefined {
    const { disk, env } = this.#deps;
    if (yieldToUpdates(this.queue, item, now)) return undefined;
    try {
      const behind = item.update && !item.alone ? joinable(this.queue, item, now) : [];
      const downtime = this.#state.downtimeOf(item.source, now);
      const decision = disk.transactionSync(() => decide(disk.sql, configOf(env), item, now, downtime, behind));
      if (decision?.kind === "send") {
        for (const settled of decision.settled) this.#inFlight.applySettled(settled);
        return decision;
      }
      if (decision?.kind === "wait")
        change(this.queue, item, { due: Math.max(now + MAX_IDLE, decision.until), waits: true });
      else remove(this.queue, item);
      const { seq, index, source } = item;
      if (decision) this.#deps.observe({ kind: "delivery", seq, index, source, delivery: decision.delivery });
      if (decision?.kind === "settled" && decision.grown) this.refresh(seq);
    } catch (error) {
      this.#inFlight.delayAfterFailure(item, error);
    }
    return undefined;
  }

  #sleep(ms: number, until: "idle" | "slot"): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      if (until === "idle") this.#wakeIdle = resolve;
      else this.#wakeSlot = resolve;
    });
    return Promise.race([woken, this.#deps.sleep(ms)]);
  }
}
