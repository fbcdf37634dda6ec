import { log } from "../../lib/util/log.ts";
import { rowsOf } from "../identity/links.ts";
import * as journal from "../journal/journal.ts";
import type { Dependencies } from "../model/dependencies.ts";
import type { AcceptResult, PlannedWebhook } from "../model/types.ts";
import { enqueueCalls, relink } from "../queue/enqueue.ts";
import type { Queue } from "../queue/queue.ts";
import { type Acceptance, accept } from "./accept.ts";

/** Webhooks and characters of theirs that may wait for the next commit; undecided calls that may wait for delivery. */
export const MOST = { waiting: 5_000, characters: 32_000_000, undecided: 100_000 };

/** Ms that webhooks are gathered for one commit while more keep coming. */
const LONGEST_GATHERING = 20;

type Waiting = {
  webhooks: readonly PlannedWebhook[];
  resolve(taken: AcceptResult): void;
  reject(error: unknown): void;
};

/**
 * Takes webhooks in. All that arrive while a commit is under way go into the next one together: one write to disk
 * answers them all, each after it.
 */
export class Intake {
  readonly #deps: Dependencies;
  readonly #queue: Queue;
  readonly #arm: (now: number) => void;
  #waiting: Waiting[] = [];
  #count = 0;
  #characters = 0;
  #lastSeq: number;

  /** @param arm sees to it that what was journalled is looked after, in the same commit */
  constructor(deps: Dependencies, queue: Queue, arm: (now: number) => void) {
    this.#deps = deps;
    this.#queue = queue;
    this.#arm = arm;
    this.#lastSeq = journal.newest(deps.disk.sql);
  }

  accept(webhooks: readonly PlannedWebhook[]): Promise<AcceptResult> {
    if (this.#queue.items.size >= MOST.undecided) {
      const message = `${MOST.undecided} calls wait for delivery already. Nothing is lost: send it again later.`;
      return Promise.resolve({ overload: { message, retryAfter: 60 } });
    }
    const characters = webhooks.reduce((sum, { raw }) => sum + raw.length, 0);
    const first = this.#waiting.length === 0;
    if (!first && (this.#count + webhooks.length > MOST.waiting || this.#characters + characters > MOST.characters)) {
      return Promise.resolve({
        overload: { message: "Too many webhooks arrive at once. Send it again.", retryAfter: 1 },
      });
    }
    this.#count += webhooks.length;
    this.#characters += characters;
    return new Promise<AcceptResult>((resolve, reject) => {
      this.#waiting.push({ webhooks, resolve, reject });
      if (first) void this.#gather(1, this.#deps.now());
    });
  }

  /** Waits for as long as more keep coming, a moment at most, then commits. */
  async #gather(known: number, since: number): Promise<void> {
    const { now, sleep } = this.#deps;
    await sleep(0);
    const count = this.#waiting.length;
    if (count > known && now() - since < LONGEST_GATHERING) return this.#gather(count, since);
    this.#flush();
  }

  /** One commit for all that wait. Where that fails, one each, so that what cannot be written fails alone. */
  #flush(): void {
    const all = this.#waiting;
    this.#waiting = [];
    this.#count = 0;
    this.#characters = 0;
    try {
      this.#commit(all);
    } catch (error) {
      if (all.length === 1) {
        all[0]?.reject(error);
        return;
      }
      for (const one of all) {
        try {
          this.#commit([one]);
        } catch (reason) {
          one.reject(reason);
        }
      }
    }
  }

  #commit(all: readonly Waiting[]): void {
    const { disk } = this.#deps;
    const now = this.#deps.now();
    const webhooks = all.flatMap((waiting) => waiting.webhooks);
    const first = Math.max(this.#lastSeq + 1, now * 1000);
    const accepted: Acceptance[] = disk.transactionSync(() => {
      const rows = rowsOf(
        disk.sql,
        webhooks.flatMap(({ links }) => links),
      );
      return webhooks.map((webhook, i) => accept(disk.sql, webhook, first + i, now, rows));
    });
    this.#lastSeq = first + webhooks.length - 1;
    const fresh = accepted.filter(({ receipt }) => !receipt.duplicate);
    try {
      this.#queueAll(webhooks, accepted, fresh, now);
    } catch (error) {
      // It is written, so it is answered: the alarm, or whoever starts next, finds it.
      log("queue_failed", { error: (error as Error).message });
      this.#arm(now);
    }
    let from = 0;
    for (const { webhooks: own, resolve } of all) {
      resolve({ receipts: accepted.slice(from, from + own.length).map(({ receipt }) => receipt) });
      from += own.length;
    }
  }

  /** Brings the queue in line with what was journalled. No await since: the alarm is part of the same commit. */
  #queueAll(
    webhooks: readonly PlannedWebhook[],
    accepted: readonly Acceptance[],
    fresh: readonly Acceptance[],
    now: number,
  ): void {
    const { disk } = this.#deps;
    const isFound = relink(disk.sql, this.#queue, new Set(fresh.flatMap(({ relinked }) => relinked)), now);
    if (isFound || fresh.some(({ calls }) => calls.length > 0)) this.#arm(now);
    accepted.forEach(({ receipt, seq, calls }, i) => {
      const { source = "", type = "", lane } = webhooks[i] ?? {};
      const { duplicate } = receipt;
      if (!duplicate) enqueueCalls(disk.sql, this.#queue, { seq, source, calls });
      const kind = "webhook";
      this.#deps.observe({ kind, seq, source, type, duplicate, calls, ...(lane === undefined ? {} : { lane }) });
    });
  }
}
