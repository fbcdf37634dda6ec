import { log } from "../../lib/util/log.ts";
import { acceptedAt, idOf, isOpen } from "../model/calls.ts";
import type { EngineContext } from "../model/dependencies.ts";
import type { Outcome } from "../model/outcome.ts";
import { positionOf } from "../queue/enqueue.ts";
import { change, type GatewayRequest, keyOf, type Queue, type QueueItem, remove } from "../queue/queue.ts";
import { attempt } from "./attempt.ts";
import { type Settled, settle, type Turn } from "./deliver.ts";
import type { DeliveryState } from "./limits/delivery-state.ts";
import { answered, type Pace, type Start } from "./limits/pace.ts";

const FIRST_STEP_BACK = 2_000;
const LONGEST_STEP_BACK = 600_000;

/** What is under way: from the start of a request until journal, queue, pace and brakes know what came of it. */
export class InFlight {
  readonly #deps: EngineContext;
  readonly #queue: Queue;
  readonly #state: DeliveryState;
  readonly #pace: Pace;
  readonly #landed: () => void;

  /** @param landed a place in flight is free again */
  constructor(deps: EngineContext, queue: Queue, state: DeliveryState, pace: Pace, landed: () => void) {
    this.#deps = deps;
    this.#queue = queue;
    this.#state = state;
    this.#pace = pace;
    this.#landed = landed;
  }

  /** Something of ours failed on this call: the others go on, and it comes again later and later. */
  stepBack(item: QueueItem, error: unknown): void {
    const failures = item.failures + 1;
    const due = this.#deps.now() + Math.min(LONGEST_STEP_BACK, FIRST_STEP_BACK * 2 ** failures);
    change(this.#queue, item, { failures, due });
    log("call_failed", { id: idOf(item.seq), failures, error: (error as Error).message });
  }

  /** A claimed call leaves, with those that were put into its request, and comes to an outcome. Never throws. */
  async send(item: QueueItem, { request, call, with: others }: Turn & { kind: "go" }, slot: Start): Promise<void> {
    const { disk } = this.#deps;
    const { now, random } = this.#deps;
    const joined = others.flatMap((ref) => this.#queue.items.get(keyOf(ref)) ?? []);
    // What left together is under way together.
    for (const other of joined) change(this.#queue, other, { inFlight: true, joined: true });
    const landed = (changes: Partial<QueueItem>) => {
      for (const one of [item, ...joined])
        if (this.#queue.items.has(keyOf(one))) change(this.#queue, one, { inFlight: false, joined: false, ...changes });
    };
    try {
      for (const { tries, lane, seq } of [item, ...joined])
        if (tries === 0) this.#deps.observe({ kind: "start", lane, waited: slot.at - acceptedAt(seq) });
      const outcome = await attempt(this.#deps, request, call);
      this.#afterwards(outcome, slot.at, now());
      this.#deps.observe({ kind: "attempt", action: call.action, outcome: outcome.kind, ms: now() - slot.at });
      const settlement = {
        ...{ outcome, request, calls: [item, ...joined], startedAt: slot.at, now: now(), random: random() },
        ...{ resumesAt: this.#state.interruption?.until ?? now(), acceptedAt: this.#state.acceptedAt },
      };
      const { settled, split } = disk.transactionSync(() => settle(disk.sql, settlement));
      for (const one of settled) this.settled(one);
      landed(split ? { alone: true } : {});
    } catch (error) {
      landed({});
      this.stepBack(item, error);
    } finally {
      answered(this.#pace, slot, now());
      this.#landed();
    }
  }

  /** Somebody else's request leaves. */
  async host(item: QueueItem, gatewayRequest: GatewayRequest, slot: Start): Promise<void> {
    const { now } = this.#deps;
    try {
      const outcome = await gatewayRequest.run();
      this.#afterwards(outcome, slot.at, now());
      this.#deps.observe({ kind: "attempt", action: "gateway", outcome: outcome.kind, ms: now() - slot.at });
    } finally {
      remove(this.#queue, item);
      answered(this.#pace, slot, now());
      this.#landed();
    }
  }

  /** Brings the queue in line with the journal, and tells. */
  settled({ seq, index, call }: Settled): void {
    const item = this.#queue.items.get(keyOf({ seq, index }));
    this.#deps.observe({ kind: "call", seq, index, call });
    if (!item) return;
    if (!isOpen(call)) remove(this.#queue, item);
    else {
      const { due: _, ...place } = positionOf(this.#deps.disk.sql, item);
      change(this.#queue, item, {
        ...place,
        inFlight: false,
        joined: false,
        due: call.due,
        tries: call.tries ?? 0,
        refused: call.refusals?.count ?? 0,
        failures: 0,
      });
    }
  }

  /** What an outcome means for delivery as a whole: a limit or a refused key stops everything for a while. */
  #afterwards(outcome: Outcome, startedAt: number, now: number): void {
    if (!this.#state.learn(outcome, startedAt, now)) return;
    const { interruption } = this.#state;
    // Without the host's message: a refusal about one contact may name it.
    if (interruption)
      log("delivery_interrupted", {
        reason: interruption.reason,
        status: outcome.status,
        ms: interruption.until - now,
      });
    this.#deps.observe({ kind: "interruption", interruption });
  }
}
