import { log } from "../../lib/util/log.ts";
import { keysOf, personOf } from "../identity/identity-rows.ts";
import { acceptedAt, isOpen, webhookIdOf } from "../model/delivery-state.ts";
import type { EngineContext } from "../model/dependencies.ts";
import type { Delivery } from "../model/journal-types.ts";
import { downOf, kindOf, type Outcome } from "../model/outcome.ts";
import { reasons } from "../model/reasons.ts";
import { enqueueDelivery, positionOf } from "../queue/enqueue.ts";
import {
  change,
  following,
  type GatewayRequest,
  keyOf,
  orderOf,
  type Queue,
  type QueueItem,
  remove,
} from "../queue/person-queues.ts";
import type { Decision } from "./decide-delivery.ts";
import { createKeptAddresses } from "./kept-addresses.ts";
import type { DispatchState } from "./limits/dispatch-state.ts";
import { FRESH, type KeyCheck } from "./limits/key-check.ts";
import { answered, type Pace, type Start } from "./limits/pace.ts";
import { attempt } from "./send-request.ts";
import type { ServiceRequest } from "./service-request.ts";
import { refusedBefore, type Settled, settle } from "./settle.ts";

const FIRST_DELAY = 2_000;
const MAX_DELAY = 600_000;
const MAX_BEHIND = 500;

/** All gateway requests count as those of one person: a program may repeat one bad request. */
const GATEWAY = "(gateway)";

/** The queue knows no person for a mail with an address. */
const personIn = (sql: SqlStorage, { person, contact }: QueueItem): string =>
  person ?? personOf(sql, keysOf(contact)[0] ?? "");

export class InFlight {
  readonly #deps: EngineContext;
  readonly #queue: Queue;
  readonly #state: DispatchState;
  readonly #pace: Pace;
  readonly #keyCheck: KeyCheck;
  readonly #onFree: (outcome?: Outcome) => void;
  readonly #kept: ReturnType<typeof createKeptAddresses>;

  /** @param onFree called with the outcome of each request, when its slot is free again */
  constructor(
    deps: EngineContext,
    queue: Queue,
    { state, pace, keyCheck }: { state: DispatchState; pace: Pace; keyCheck: KeyCheck },
    onFree: (outcome?: Outcome) => void,
  ) {
    this.#deps = deps;
    this.#queue = queue;
    this.#state = state;
    this.#pace = pace;
    this.#keyCheck = keyCheck;
    this.#onFree = onFree;
    this.#kept = createKeptAddresses(queue);
  }

  delayAfterFailure(item: QueueItem, error: unknown): void {
    const failures = item.failures + 1;
    const due = this.#deps.now() + Math.min(MAX_DELAY, FIRST_DELAY * 2 ** failures);
    change(this.#queue, item, { failures, due });
    log("delivery_failed", { id: webhookIdOf(item.seq), failures, error: (error as Error).message });
  }

  /** Never throws. */
  async send(item: QueueItem, { request, delivery, joined }: Decision & { kind: "send" }, slot: Start): Promise<void> {
    const { disk, now, random } = this.#deps;
    const others = joined.flatMap((ref) => this.#queue.items.get(keyOf(ref)) ?? []);
    for (const other of others) change(this.#queue, other, { inFlight: true, joined: true });
    const items = [item, ...others];
    const release = (changes: Partial<QueueItem>) => {
      for (const one of items)
        if (this.#queue.items.has(keyOf(one))) change(this.#queue, one, { inFlight: false, joined: false, ...changes });
    };
    let outcome: Outcome | undefined;
    try {
      for (const one of items)
        if (one.attempts === 0)
          this.#deps.observe({ kind: "start", lane: one.lane, waited: slot.at - acceptedAt(orderOf(one)) });
      this.#state.started(slot.at);
      const answer = await attempt(this.#deps, request, delivery);
      const ms = now() - slot.at;
      answered(this.#pace, slot, now());
      outcome = answer.kind === "key_refused" ? await this.#judge(answer, delivery, slot.at) : answer;
      const person = downOf(outcome) === undefined ? "" : personIn(disk.sql, item);
      const call = { key: keyOf(item), person, startedAt: slot.at, reads: request.asks === true };
      this.#state.applyOutcome(outcome, call, now());
      this.#deps.observe({ kind: "attempt", action: delivery.action, ...kindOf(outcome), ms });
      const settlement = {
        outcome,
        request,
        deliveries: items,
        repeatsAt: this.#repeatsAt(items),
        startedAt: slot.at,
        ms,
        now: now(),
        random: random(),
        resumesAt: this.#state.interruption?.until ?? now(),
      };
      const { settled, added, split } = disk.transactionSync(() => settle(disk.sql, settlement));
      for (const one of settled) this.applySettled(one);
      if (outcome.kind === "done") this.#noteAddress(item, request, outcome, settled);
      for (const { seq, index, source, delivery } of added)
        enqueueDelivery(disk.sql, this.#queue, { seq, source }, index, delivery);
      release(split ? { alone: true } : {});
    } catch (error) {
      release({});
      this.delayAfterFailure(item, error);
    } finally {
      if (slot.answeredAt === undefined) answered(this.#pace, slot, now());
      this.#onFree(outcome);
    }
  }

  /** Notes who has an address that another one waits for, and that a person may have left one. */
  #noteAddress(
    item: QueueItem,
    request: ServiceRequest,
    outcome: Outcome & { kind: "done" },
    settled: readonly Settled[],
  ) {
    const { asks, person, to } = request;
    const keeper = outcome.found?.[0]?.userId;
    if (asks && typeof keeper === "string" && settled[0]?.delivery.former?.waits)
      this.#kept.add(`user:${keeper}`, item);
    else if (!asks && person !== undefined && (to === undefined || to.email !== undefined))
      this.#kept.left(person, this.#deps.now());
  }

  /** A withdrawn key must not fail deliveries, so a key check explains each 401 or 403. */
  async #judge(refused: Outcome & { kind: "key_refused" }, delivery: Delivery, startedAt: number): Promise<Outcome> {
    const key = await this.#keyCheck.ask(refused, Math.max(refusedBefore(delivery)?.at ?? 0, startedAt - FRESH));
    if (key.kind === "key_refused") return refused;
    const { status, message, plain } = refused;
    if (key.kind === "done" && plain)
      return { kind: "unknown", status, foreign: true, message: `${reasons.plainRefusal} ${status}.` };
    if (key.kind === "done") return { kind: "failed", status, message, keyAccepted: true };
    return {
      kind: "unknown",
      status,
      message: `${message.replace(/\.?$/, ".")} Whether the email service accepts the API key is not known.`,
    };
  }

  #repeatsAt(items: readonly QueueItem[]): number {
    const behind = items.slice(-1).flatMap((last) => following(last, MAX_BEHIND));
    return Math.max(0, ...behind.map(({ repeats, order = 0 }) => (repeats ? order / 1000 : 0)));
  }

  async sendGatewayRequest(item: QueueItem, gatewayRequest: GatewayRequest, slot: Start): Promise<void> {
    const { now } = this.#deps;
    let outcome: Outcome | undefined;
    try {
      this.#state.started(slot.at);
      outcome = await gatewayRequest.run();
      // The caller already has its response.
      if (outcome.kind === "key_refused") void this.#keyCheck.ask(outcome, slot.at - FRESH).catch(() => {});
      else
        this.#state.applyOutcome(
          outcome,
          { key: keyOf(item), person: GATEWAY, startedAt: slot.at, reads: true },
          now(),
        );
      this.#deps.observe({ kind: "attempt", action: "gateway", ...kindOf(outcome), ms: now() - slot.at });
    } finally {
      remove(this.#queue, item);
      answered(this.#pace, slot, now());
      this.#onFree(outcome);
    }
  }

  applySettled({ seq, index, source, delivery }: Settled): void {
    const item = this.#queue.items.get(keyOf({ seq, index }));
    this.#deps.observe({ kind: "delivery", seq, index, source, delivery });
    if (!item) return;
    if (!isOpen(delivery)) remove(this.#queue, item);
    else {
      const attempts = delivery.attemptCount ?? 0;
      const { due: _, ...position } = positionOf(this.#deps.disk.sql, { ...item, attempts });
      const { waits } = delivery.former ?? {};
      change(this.#queue, item, {
        ...position,
        ...(waits ? { order: waits.until * 1000 } : {}),
        inFlight: false,
        joined: false,
        due: delivery.due,
        attempts,
        failures: 0,
      });
    }
  }
}
