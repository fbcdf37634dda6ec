import { log } from "../../lib/util/log.ts";
import type { Contact } from "../../rules/types.ts";
import { type Rows, rowsOf } from "../identity/identity-rows.ts";
import { newestSeq } from "../journal/read.ts";
import type { EngineContext } from "../model/dependencies.ts";
import type { AcceptResult, Attempt, DeliveryRef, PlannedWebhook } from "../model/journal-types.ts";
import type { Arrival } from "../model/observation.ts";
import { enqueueDeliveries, enqueueDelivery, relink } from "../queue/enqueue.ts";
import { dropFetch } from "../queue/fetches.ts";
import { keyOf, type Queue } from "../queue/person-queues.ts";
import { type Admission, admissionOf, countAdmitted, noRoom } from "./admission.ts";
import { completeWebhook, type JournaledWebhook, journalWebhook, type Known } from "./journal-webhook.ts";

/** Limits of waiting webhooks and body characters. */
export const LIMITS = { waiting: 5_000, characters: 32_000_000 };

/** Milliseconds. */
const MAX_COLLECTING = 20;

type PendingRequest = {
  webhooks: readonly PlannedWebhook[];
  admission: Admission;
  resolve(result: AcceptResult): void;
  reject(error: unknown): void;
};

/** Accepts webhooks with group commit: arrivals during a commit share the next one. */
export class Intake {
  readonly #deps: EngineContext;
  readonly #queue: Queue;
  readonly #arm: (now: number, isWaiting: boolean) => void;
  #pending: PendingRequest[] = [];
  #count = 0;
  #characters = 0;
  #lastSeq: number;
  /** Requests of the newest commit. */
  #lastCount = 0;
  /** Commits that are not durable yet. */
  #syncing = 0;

  constructor(deps: EngineContext, queue: Queue, arm: (now: number, isWaiting: boolean) => void) {
    this.#deps = deps;
    this.#queue = queue;
    this.#arm = arm;
    this.#lastSeq = newestSeq(deps.disk.sql);
  }

  add(webhooks: readonly PlannedWebhook[]): Promise<AcceptResult> {
    const admission = admissionOf(webhooks);
    const full = noRoom(this.#queue, admission);
    if (full) return Promise.resolve({ overload: full });
    const characters = webhooks.reduce((sum, { raw }) => sum + raw.length, 0);
    const first = this.#pending.length === 0;
    if (
      !first &&
      (this.#count + webhooks.length > LIMITS.waiting || this.#characters + characters > LIMITS.characters)
    ) {
      const message = "Too many webhooks arrive at once. This webhook was not accepted; retry after 1 s.";
      return Promise.resolve({ overload: { message, retryAfter: 1 } });
    }
    this.#count += webhooks.length;
    this.#characters += characters;
    countAdmitted(this.#queue, admission, 1);
    return new Promise<AcceptResult>((resolve, reject) => {
      this.#pending.push({ webhooks, admission, resolve, reject });
      if (first) this.#begin(this.#deps.now());
    });
  }

  /** Commits at once, unless others came with the last commit or while it becomes durable: then it waits for more. */
  #begin(now: number): void {
    if (this.#lastCount <= 1 && this.#syncing === 0) this.#flush();
    else void this.#collect(1, now);
  }

  async #collect(known: number, since: number): Promise<void> {
    const { now, sleep } = this.#deps;
    await sleep(0);
    const count = this.#pending.length;
    if (count > known && now() - since < MAX_COLLECTING) return this.#collect(count, since);
    this.#flush();
  }

  /** Gives a thin webhook the fetched event, unless it has its data. "duplicate": another webhook is the same event. */
  complete({ seq, index }: DeliveryRef, planned: PlannedWebhook, attempt: Attempt): "duplicate" | undefined {
    const { disk } = this.#deps;
    const now = this.#deps.now();
    const [rows, journaled] = disk.transactionSync(() => {
      const read = rowsOf(disk.sql, contactsOf(planned));
      return [read, completeWebhook(disk.sql, planned, { seq, index }, attempt, now, this.#around(read))] as const;
    });
    if (journaled === "duplicate") return journaled;
    if (journaled) this.#enqueue([planned], [journaled], rows, now);
    else dropFetch(this.#queue, { seq, index });
    return undefined;
  }

  #around(rows: Rows): Known {
    return { rows, isInFlight: (ref) => this.#queue.items.get(keyOf(ref))?.inFlight === true };
  }

  /** After a failed commit each request is committed separately, so that only the bad one is rejected. */
  #flush(): void {
    const all = this.#pending;
    this.#lastCount = all.length;
    this.#pending = [];
    this.#count = 0;
    this.#characters = 0;
    for (const { admission } of all) countAdmitted(this.#queue, admission, -1);
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

  #commit(all: readonly PendingRequest[]): void {
    const { disk } = this.#deps;
    const now = this.#deps.now();
    const webhooks = all.flatMap((request) => request.webhooks);
    const first = Math.max(this.#lastSeq + 1, now * 1000);
    const [rows, journaled] = disk.transactionSync(() => {
      const read = rowsOf(disk.sql, webhooks.flatMap(contactsOf));
      const around = this.#around(read);
      return [read, webhooks.map((webhook, i) => journalWebhook(disk.sql, webhook, first + i, now, around))] as const;
    });
    this.#lastSeq = first + webhooks.length - 1;
    this.#syncing++;
    const synced = () => {
      this.#syncing--;
    };
    disk.sync().then(synced, synced);
    try {
      this.#enqueue(webhooks, journaled, rows, now);
    } catch (error) {
      // Journaled webhooks are confirmed. The alarm, or the next start of the object, queues them.
      log("queue_failed", { error: (error as Error).message });
      this.#arm(now, true);
    }
    let from = 0;
    for (const { webhooks: own, resolve } of all) {
      resolve({ receipts: journaled.slice(from, from + own.length).map(({ receipt }) => receipt) });
      from += own.length;
    }
  }

  /** Runs without `await` after the commit, so that the alarm is part of it. */
  #enqueue(webhooks: readonly PlannedWebhook[], journaled: readonly JournaledWebhook[], rows: Rows, now: number): void {
    const fresh = journaled.filter(({ receipt }) => !receipt.duplicate);
    const isFound = relink(rows, this.#queue, new Set(fresh.flatMap(({ relinked }) => relinked)), now);
    this.#arm(now, isFound || fresh.some(({ deliveries, added }) => deliveries.length + added.length > 0));
    const arrivals = journaled.map(({ receipt: { duplicate }, seq, deliveries, completes }, i): Arrival => {
      const { source = "", type = "", lane } = webhooks[i] ?? {};
      if (completes) for (const index of deliveries.keys()) dropFetch(this.#queue, { seq, index });
      if (!duplicate) enqueueDeliveries(rows, this.#queue, { seq, source, deliveries });
      return {
        seq,
        source,
        type,
        duplicate,
        deliveries,
        ...(lane === undefined ? {} : { lane }),
        ...(completes && { completes }),
      };
    });
    for (const { seq, index, source, delivery } of fresh.flatMap(({ added }) => added))
      enqueueDelivery(rows, this.#queue, { seq, source }, index, delivery);
    this.#deps.observe({ kind: "webhooks", webhooks: arrivals });
  }
}

/** Mail with an address needs no identity row. */
const contactsOf = ({ links, deliveries }: PlannedWebhook): Contact[] => {
  const contacts: Contact[] = [...links];
  for (const { to } of links) if (to) contacts.push({ ref: to });
  for (const { action, contact } of deliveries)
    if (action !== "transactional" || !contact.email) contacts.push(contact);
  return contacts;
};
