import { log } from "../../lib/util/log.ts";
import * as journal from "../journal/journal.ts";
import type { Means } from "../model/dependencies.ts";
import { placeOf } from "../queue/enqueue.ts";
import { change, type Guest, type Item, keyOf, type Queue, remove } from "../queue/queue.ts";
import { attempt } from "./attempt.ts";
import { type Settled, settle, type Turn } from "./deliver.ts";
import type { Brakes } from "./limits/delivery-state.ts";
import { answered, type Pace, type Start } from "./limits/pace.ts";
import type { Outcome } from "./outcome.ts";

const FIRST_STEP_BACK = 2_000;
const LONGEST_STEP_BACK = 600_000;

/** What is under way: from the start of a request until journal, queue, pace and brakes know what came of it. */
export class Flights {
  readonly #means: Means;
  readonly #queue: Queue;
  readonly #brakes: Brakes;
  readonly #pace: Pace;
  readonly #landed: () => void;

  /** @param landed a place in flight is free again */
  constructor(means: Means, queue: Queue, brakes: Brakes, pace: Pace, landed: () => void) {
    this.#means = means;
    this.#queue = queue;
    this.#brakes = brakes;
    this.#pace = pace;
    this.#landed = landed;
  }

  /** Something of ours failed on this call: the others go on, and it comes again later and later. */
  stepBack(item: Item, error: unknown): void {
    const failures = item.failures + 1;
    const due = this.#means.surroundings.now() + Math.min(LONGEST_STEP_BACK, FIRST_STEP_BACK * 2 ** failures);
    change(this.#queue, item, { failures, due });
    log("call_failed", { id: journal.idOf(item.seq), failures, error: (error as Error).message });
  }

  /** A claimed call leaves, with those that were put into its request, and comes to an outcome. Never throws. */
  async send(item: Item, { request, call, with: others }: Turn & { kind: "go" }, slot: Start): Promise<void> {
    const { disk, env, surroundings } = this.#means;
    const { now, random } = surroundings;
    const joined = others.flatMap((ref) => this.#queue.items.get(keyOf(ref)) ?? []);
    // What left together is under way together.
    for (const other of joined) change(this.#queue, other, { inFlight: true, joined: true });
    const landed = (changes: Partial<Item>) => {
      for (const one of [item, ...joined])
        if (this.#queue.items.has(keyOf(one))) change(this.#queue, one, { inFlight: false, joined: false, ...changes });
    };
    try {
      for (const { tries, lane, seq } of [item, ...joined])
        if (tries === 0) this.#means.tell({ kind: "start", lane, waited: slot.at - journal.acceptedAt(seq) });
      const outcome = await attempt(env, surroundings, request, call);
      this.#afterwards(outcome, slot.at, now());
      this.#means.tell({ kind: "try", action: call.action, outcome: outcome.kind, ms: now() - slot.at });
      const settlement = {
        ...{ outcome, request, calls: [item, ...joined], startedAt: slot.at, now: now(), random: random() },
        ...{ resumesAt: this.#brakes.pause?.until ?? now(), acceptedAt: this.#brakes.acceptedAt },
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
  async host(item: Item, guest: Guest, slot: Start): Promise<void> {
    const { now } = this.#means.surroundings;
    try {
      const outcome = await guest.run();
      this.#afterwards(outcome, slot.at, now());
      this.#means.tell({ kind: "try", action: "gateway", outcome: outcome.kind, ms: now() - slot.at });
    } finally {
      remove(this.#queue, item);
      answered(this.#pace, slot, now());
      this.#landed();
    }
  }

  /** Brings the queue in line with the journal, and tells. */
  settled({ seq, index, call }: Settled): void {
    const item = this.#queue.items.get(keyOf({ seq, index }));
    this.#means.tell({ kind: "call", seq, index, call });
    if (!item) return;
    if (!journal.isOpen(call)) remove(this.#queue, item);
    else {
      const { due: _, ...place } = placeOf(this.#means.disk.sql, item);
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
    if (!this.#brakes.learn(outcome, startedAt, now)) return;
    const { pause } = this.#brakes;
    // Without the host's message: a refusal about one contact may name it.
    if (pause) log("delivery_paused", { reason: pause.reason, status: outcome.status, ms: pause.until - now });
    this.#means.tell({ kind: "pause", pause });
  }
}
