import { log } from "../../lib/util/log.ts";
import { acceptedAt, isOpen, webhookIdOf } from "../model/calls.ts";
import type { EngineContext } from "../model/dependencies.ts";
import type { Outcome } from "../model/outcome.ts";
import { positionOf } from "../queue/enqueue.ts";
import { change, type GatewayRequest, keyOf, type Queue, type QueueItem, remove } from "../queue/queue.ts";
import type { DeliveryState } from "./limits/delivery-state.ts";
import { answered, type Pace, type Start } from "./limits/pace.ts";
import { attempt } from "./send-request.ts";
import { type Settled, settle } from "./settle.ts";
import type { Decision } from "./turn.ts";

const FIRST_DELAY = 2_000;
const MAX_DELAY = 600_000;

/** Sends a claimed call and records the result in journal, queue, rate limiter and delivery state. */
export class InFlight {
  readonly #deps: EngineContext;
  readonly #queue: Queue;
  readonly #state: DeliveryState;
  readonly #pace: Pace;
  readonly #onFree: () => void;

  /** @param onFree called after each request, when its slot is free again */
  constructor(deps: EngineContext, queue: Queue, state: DeliveryState, pace: Pace, onFree: () => void) {
    this.#deps = deps;
    this.#queue = queue;
    this.#state = state;
    this.#pace = pace;
    this.#onFree = onFree;
  }

  /** Delays a call on which the bridge itself failed, longer with each failure, so that other calls can go on. */
  delayAfterFailure(item: QueueItem, error: unknown): void {
    const failures = item.failures + 1;
    const due = this.#deps.now() + Math.min(MAX_DELAY, FIRST_DELAY * 2 ** failures);
    change(this.#queue, item, { failures, due });
    log("call_failed", { id: webhookIdOf(item.seq), failures, error: (error as Error).message });
  }

  /** Sends a claimed call, with the calls that joined its request, and settles them. Never throws. */
  async send(item: QueueItem, { request, call, joined }: Decision & { kind: "send" }, slot: Start): Promise<void> {
    const { disk, now, random } = this.#deps;
    const others = joined.flatMap((ref) => this.#queue.items.get(keyOf(ref)) ?? []);
    for (const other of others) change(this.#queue, other, { inFlight: true, joined: true });
    const items = [item, ...others];
    const release = (changes: Partial<QueueItem>) => {
      for (const one of items)
        if (this.#queue.items.has(keyOf(one))) change(this.#queue, one, { inFlight: false, joined: false, ...changes });
    };
    try {
      for (const { attempts, lane, seq } of items)
        if (attempts === 0) this.#deps.observe({ kind: "start", lane, waited: slot.at - acceptedAt(seq) });
      const outcome = await attempt(this.#deps, request, call);
      this.#applyOutcome(outcome, slot.at, now());
      this.#deps.observe({ kind: "attempt", action: call.action, outcome: outcome.kind, ms: now() - slot.at });
      const settlement = {
        ...{ outcome, request, calls: items, startedAt: slot.at, now: now(), random: random() },
        ...{ resumesAt: this.#state.interruption?.until ?? now(), keyAcceptedAt: this.#state.keyAcceptedAt },
      };
      const { settled, split } = disk.transactionSync(() => settle(disk.sql, settlement));
      for (const one of settled) this.applySettled(one);
      release(split ? { alone: true } : {});
    } catch (error) {
      release({});
      this.delayAfterFailure(item, error);
    } finally {
      answered(this.#pace, slot, now());
      this.#onFree();
    }
  }

  /** Sends a gateway request. */
  async sendGatewayRequest(item: QueueItem, gatewayRequest: GatewayRequest, slot: Start): Promise<void> {
    const { now } = this.#deps;
    try {
      const outcome = await gatewayRequest.run();
      this.#applyOutcome(outcome, slot.at, now());
      this.#deps.observe({ kind: "attempt", action: "gateway", outcome: outcome.kind, ms: now() - slot.at });
    } finally {
      remove(this.#queue, item);
      answered(this.#pace, slot, now());
      this.#onFree();
    }
  }

  /** Updates the queue from a call that was saved, and reports it. */
  applySettled({ seq, index, call }: Settled): void {
    const item = this.#queue.items.get(keyOf({ seq, index }));
    this.#deps.observe({ kind: "call", seq, index, call });
    if (!item) return;
    if (!isOpen(call)) remove(this.#queue, item);
    else {
      const attempts = call.tries ?? 0;
      const { due: _, ...position } = positionOf(this.#deps.disk.sql, { ...item, attempts });
      change(this.#queue, item, {
        ...position,
        inFlight: false,
        joined: false,
        due: call.due,
        attempts,
        refused: call.refusals?.count ?? 0,
        failures: 0,
      });
    }
  }

  /** Interrupts or resumes all delivery if the outcome is about the rate limit or the key. */
  #applyOutcome(outcome: Outcome, startedAt: number, now: number): void {
    if (!this.#state.applyOutcome(outcome, startedAt, now)) return;
    const { interruption } = this.#state;
    if (interruption) {
      // Without the host's message: a refusal about one contact may name it.
      const { reason, until } = interruption;
      log("delivery_interrupted", { reason, status: outcome.status, ms: until - now });
    }
    this.#deps.observe({ kind: "interruption", interruption });
  }
}
