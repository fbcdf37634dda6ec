import { log } from "../../lib/util/log.ts";
import { openWebhooks, readCalls } from "../journal/read.ts";
import { isOpen } from "../model/calls.ts";
import { configOf, guardOf } from "../model/config.ts";
import type { EngineContext } from "../model/dependencies.ts";
import type { Interruption, Pauses } from "../model/interruption.ts";
import { enqueueCall, enqueueCalls } from "../queue/enqueue.ts";
import { type Candidate, countStart, nextDue, pick, pickProbe, upcoming } from "../queue/pick.ts";
import {
  change,
  createQueue,
  EVERY,
  enqueue,
  following,
  type GatewayRequest,
  isPaused,
  keyOf,
  type Queue,
  type QueueItem,
  remove,
  setPaused,
} from "../queue/queue.ts";
import { type Claims, claim, isClaimed, recover } from "./claims.ts";
import { type Turn, turn } from "./deliver.ts";
import { InFlight } from "./in-flight.ts";
import { DeliveryState } from "./limits/delivery-state.ts";
import { createPace, type Pace, take, waitFor } from "./limits/pace.ts";

/** Starts per invocation: the free plan allows 50 subrequests. */
const MAX_STARTS = 40;
/** A pump that has nothing to do for longer than this ends; the alarm starts the next one. */
const STAY = 2_000;
/** Calls that one row claims. */
const CLAIMED_TOGETHER = 10;
/** Ms after a claim within which a start of it may have reached the host in the last second. */
const BUSY = 10_000;
/** Updates that leave in one request. */
const JOINED = 500;
/** Calls in a row that may come to nothing before others get a word in. */
const IN_PASSING = 64;

/**
 * Lets calls leave, one slot at a time: the queue in memory, the pace, and what stops delivery as a whole. Everything
 * it must not forget is on disk before a call leaves; the rest is rebuilt from the open rows.
 */
export class Dispatcher {
  readonly queue: Queue = createQueue();
  readonly #deps: EngineContext;
  readonly #pace: Pace;
  readonly #inFlight: InFlight;
  readonly #state: DeliveryState;
  #claims: Claims = new Map();
  /** Consecutive calls settled without a request since the pump last yielded. */
  #passed = 0;
  #pumping = false;
  #wakeIdle: () => void = () => {};
  #wakeSlot: () => void = () => {};
  /** After a failure of the pump itself, Unix ms. */
  #notBefore = 0;

  constructor(deps: EngineContext) {
    this.#deps = deps;
    const { disk, env } = deps;
    const now = deps.now();
    const claimedAt = disk.transactionSync(() => recover(disk.sql)) ?? Number.NEGATIVE_INFINITY;
    for (const webhook of openWebhooks(disk.sql)) enqueueCalls(disk.sql, this.queue, webhook);
    this.#state = new DeliveryState(disk, now);
    this.#applyPauses();
    this.#pace = createPace(guardOf(env), now, claimedAt > now - BUSY);
    this.#inFlight = new InFlight(deps, this.queue, this.#state, this.#pace, () => {
      this.#wakeIdle();
      this.#wakeSlot();
    });
  }

  get interruption(): Interruption | undefined {
    return this.#state.interruption;
  }

  get pauses(): Pauses {
    return this.#state.pauses;
  }

  get pumping(): boolean {
    return this.#pumping;
  }

  /** There may be something to start. */
  nudge(): Promise<void> {
    if (!this.#pumping) return this.#pump();
    this.#wakeIdle();
    return Promise.resolve();
  }

  /**
   * Lets a request of somebody who waits for the answer take its turn in a lane. It is not in the journal.
   *
   * @returns takes it back, unless it left already
   */
  enter(lane: QueueItem["lane"], gatewayRequest: GatewayRequest): () => boolean {
    const seq = this.#deps.now() * 1000;
    const index = ++this.#entered;
    const item: QueueItem = {
      ...{
        seq,
        index,
        lane,
        gatewayRequest,
        source: "",
        update: false,
        mail: false,
        person: undefined,
        contact: {},
        keys: [],
      },
      ...{ waits: false, alone: false, tries: 0, failures: 0, due: 0, inFlight: false, joined: false },
    };
    enqueue(this.queue, item);
    return () => {
      if (item.inFlight || !this.queue.items.has(keyOf(item))) return false;
      remove(this.queue, item);
      return true;
    };
  }
  /** Places of what entered, above all indexes of calls. */
  #entered = 1_000_000;

  /** Brings the queue in line with a webhook whose calls a person has changed. What is under way is left to land. */
  refresh(seq: number): void {
    const { sql } = this.#deps.disk;
    const webhook = readCalls(sql, seq);
    webhook?.calls.forEach((call, index) => {
      const item = this.queue.items.get(keyOf({ seq, index }));
      if (!item && isOpen(call)) enqueueCall(sql, this.queue, webhook, index, call);
      else if (item && !item.inFlight && !isOpen(call)) remove(this.queue, item);
    });
  }

  /** Pauses all delivery (source undefined) or the calls of one source, or lets it go on. */
  pause(source: string | undefined, paused: boolean): void {
    if (this.#state.pause(source, paused, this.#deps.now())) this.#applyPauses();
  }

  #applyPauses(): void {
    const { all, sources } = this.pauses;
    setPaused(this.queue, [...(all === undefined ? [] : [EVERY]), ...Object.keys(sources)]);
  }

  /** When the pump should be started again at the latest, Unix ms. */
  nextStart(): number {
    const now = this.#deps.now();
    return Math.max(now, this.#notBefore, nextDue(this.queue), this.interruption?.until ?? 0);
  }

  /** Starts calls, one slot at a time, until nothing is due soon or this invocation has done its share. */
  async #pump(): Promise<void> {
    this.#pumping = true;
    const { disk } = this.#deps;
    let starts = 0;
    try {
      while (starts < MAX_STARTS && this.queue.items.size > 0) {
        const now = this.#deps.now();
        const paused = (this.interruption?.until ?? 0) - now;
        const probing = this.interruption?.reason === "blocked" && this.queue.inFlight.size > 0;
        const next = paused > 0 || probing ? undefined : this.#pick(now);
        if (!next) {
          // Due already but not to be picked: every place in flight is taken, and an answer will wake us.
          const due = nextDue(this.queue) - now;
          const idle = paused > 0 ? paused : due > 0 ? due : STAY;
          if (this.queue.inFlight.size === 0 && idle > STAY) break;
          await this.#sleep(Math.min(idle, STAY), "idle");
          continue;
        }
        if (!next.item.gatewayRequest && !this.#isClaimed(next.item, now)) {
          // Durable before the slot comes, so that it can be taken the moment it does.
          this.#claim(next.item, now);
          await disk.sync();
          continue;
        }
        const slot = waitFor(this.#pace, now);
        if (slot > 0) await this.#sleep(slot, "slot");
        else if (await this.#startFirst(next)) starts++;
      }
    } catch (error) {
      // Nothing of one call throws as far as this: see #turn and InFlight.
      log("pump_failed", { error: (error as Error).message });
      this.#notBefore = this.#deps.now() + STAY;
    } finally {
      this.#pumping = false;
      this.#deps.arm(starts < MAX_STARTS ? this.nextStart() : this.#deps.now());
    }
  }

  #pick(now: number): Candidate | undefined {
    return this.interruption?.reason === "blocked" ? pickProbe(this.queue, now) : pick(this.queue, now);
  }

  #isClaimed(item: QueueItem, now: number): boolean {
    return isClaimed(this.#claims, item, now);
  }

  /** Claims a call and those that come next. What is under way stays claimed. */
  #claim(item: QueueItem, now: number): void {
    const next = [item, ...upcoming(this.queue, now, CLAIMED_TOGETHER)].filter(({ gatewayRequest }) => !gatewayRequest);
    this.#claims = claim(this.#deps.disk.sql, this.#claims, [...this.queue.inFlight], next, now);
  }

  /** Lets a call go, or the first after it that does not come to something without a request. False when none did. */
  async #startFirst(candidate: Candidate): Promise<boolean> {
    const { disk } = this.#deps;
    let next: Candidate | undefined = candidate;
    for (; next && this.#passed < IN_PASSING; this.#passed++) {
      const { item } = next;
      const now = this.#deps.now();
      if (item.gatewayRequest) {
        const wait = item.gatewayRequest.notBefore?.(now) ?? 0;
        if (wait > 0) {
          change(this.queue, item, { due: now + wait });
          next = this.#pick(now);
          continue;
        }
        this.#passed = 0;
        countStart(this.queue, next);
        change(this.queue, item, { inFlight: true });
        void this.#inFlight.host(item, item.gatewayRequest, take(this.#pace, now));
        return true;
      }
      if (!this.#isClaimed(item, now)) return false;
      const came = this.#turn(item, now);
      if (came?.kind === "go") {
        this.#passed = 0;
        countStart(this.queue, next);
        change(this.queue, item, { inFlight: true });
        void this.#inFlight.send(item, came, take(this.#pace, now));
        return true;
      }
      next = this.#pick(now);
    }
    // Many may come to nothing in a row (an hour's expired mail): commit, and let webhooks in between.
    this.#passed = 0;
    await disk.sync();
    await this.#deps.sleep(0);
    return false;
  }

  /** What a call comes to now. What is decided leaves the queue. */
  #turn(item: QueueItem, now: number): Turn | undefined {
    const { disk, env } = this.#deps;
    try {
      const behind = item.update && !item.alone ? this.#behind(item, now) : [];
      const downtime = this.#state.downtimeOf(item.source, now);
      const came = disk.transactionSync(() => turn(disk.sql, configOf(env), item, now, downtime, behind));
      if (came?.kind === "go") {
        for (const { seq, index, call } of came.decided) this.#inFlight.settled({ seq, index, call });
        return came;
      }
      if (came?.kind === "wait") change(this.queue, item, { due: Math.max(now + STAY, came.until), waits: true });
      else remove(this.queue, item);
      if (came) this.#deps.observe({ kind: "call", seq: item.seq, index: item.index, call: came.call });
    } catch (error) {
      this.#inFlight.stepBack(item, error);
    }
    return undefined;
  }

  /** Updates right behind one of the same person that could leave now. */
  #behind(item: QueueItem, now: number): QueueItem[] {
    const behind = following(this.queue, item, JOINED);
    const end = behind.findIndex(
      ({ update, alone, waits, due, source }) =>
        !update || alone || waits || due > now || isPaused(this.queue, { source }),
    );
    return behind.slice(0, end < 0 ? behind.length : end);
  }

  #sleep(ms: number, until: "idle" | "slot"): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      if (until === "idle") this.#wakeIdle = resolve;
      else this.#wakeSlot = resolve;
    });
    return Promise.race([woken, this.#deps.sleep(ms)]);
  }
}
