import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { findPeople } from "../identity/find-people.ts";
import { concerns, findPerson, isAbout, type Person, type PersonQuery } from "../identity/person-search.ts";
import { type ShownPerson, showPerson } from "../identity/shown-person.ts";
import { readDeliveries, readWebhook } from "../journal/read.ts";
import { masked } from "../journal/secrets.ts";
import type { EngineContext } from "../model/dependencies.ts";
import type { Delivery, DeliveryRef, Journaled, Overload } from "../model/journal-types.ts";
import { createAhead } from "../queue/ahead.ts";
import { relink } from "../queue/enqueue.ts";
import { keyOf } from "../queue/person-queues.ts";
import { backlogText, leavesRoomForBulk } from "../queue/quota.ts";
import { type Acted, discard, NOT_FOUND, type RefusalCode, retry, sendAgain, whyNotRetry } from "./actions.ts";
import { listCauses } from "./attention.ts";
import { type Erased, erase } from "./erase.ts";
import {
  type Action,
  checkDeliveries,
  type ReplayDelivery,
  type ReplayPlan,
  replay,
  stored,
  storedOne,
} from "./replay.ts";
import {
  type Filter,
  type Reach,
  type SearchOptions,
  type StateOf,
  searchDeliveries,
  searchWebhooks,
} from "./search.ts";
import { fetchWaitsFor, type WaitsFor, waitsFor } from "./wait-reason.ts";

/** A webhook without secrets. `waits`: by delivery index. `onlyNamed`: only the body names the person. */
export type Shown = { webhook: Journaled; waits: (WaitsFor | undefined)[]; onlyNamed?: true };
export type ShownDelivery = {
  webhook: Omit<Journaled, "deliveries" | "outcomes" | "body">;
  index: number;
  delivery: Delivery;
  waiting?: WaitsFor;
};
export type Part = { before?: number; limit: number };
export type Retried = Reach & { retried: DeliveryRef[]; refused: Partial<Record<RefusalCode, number>> };

const MAX_RETRIES = 200;

export class Operator {
  readonly #deps: EngineContext;
  readonly #dispatcher: Dispatcher;
  readonly #perMinute: () => number;
  #lastSearch: { name: string; person: Person } | undefined;

  /** `perMinute`: deliveries that were settled a minute, measured over the last 15 seconds. */
  constructor(deps: EngineContext, dispatcher: Dispatcher, perMinute: () => number) {
    this.#deps = deps;
    this.#dispatcher = dispatcher;
    this.#perMinute = perMinute;
  }

  show(seq: number): Shown | null {
    const webhook = readWebhook(this.#sql, seq);
    return webhook ? this.#shown(masked(webhook), this.#waits()) : null;
  }

  webhooks(filter: Filter, part: Part): Reach & { webhooks: Shown[] } {
    const options = this.#options(filter, part);
    const { person } = options;
    const { webhooks, ...reach } = searchWebhooks(this.#sql, filter, options);
    const isOnlyNamed = ({ deliveries }: Journaled) =>
      person !== undefined &&
      deliveries.some(({ action }) => action !== "fetch") &&
      !deliveries.some((delivery) => concerns(person, delivery));
    // Secrets are found through the body, so these few bodies are read.
    const safe = webhooks.map((webhook) => (webhook.secretPaths.length > 0 ? this.#masked(webhook) : webhook));
    const waits = this.#waits();
    const shown = safe.map((webhook): Shown => {
      return { ...this.#shown(webhook, waits), ...(isOnlyNamed(webhook) ? { onlyNamed: true } : {}) };
    });
    return { ...reach, webhooks: shown };
  }

  deliveries(filter: Filter, part: Part): Reach & { deliveries: ShownDelivery[] } {
    const { deliveries: found, ...reach } = searchDeliveries(this.#sql, filter, this.#options(filter, part));
    const waitsOf = this.#waits();
    const deliveries = found.map(({ webhook, index }) => {
      const safely = webhook.secretPaths.length > 0 ? this.#masked(webhook) : webhook;
      const { webhook: safe, waits } = this.#shown(safely, waitsOf);
      const { deliveries, outcomes: _outcomes, body: _body, ...rest } = safe;
      const waiting = waits[index];
      return {
        webhook: rest,
        index,
        delivery: deliveries[index] as Delivery,
        ...(waiting === undefined ? {} : { waiting }),
      };
    });
    return { ...reach, deliveries };
  }

  causes(before: number | undefined): ReturnType<typeof listCauses> {
    return listCauses(this.#sql, before);
  }

  person(who: PersonQuery): ShownPerson | null {
    return showPerson(this.#sql, who);
  }

  findPeople(q: string): ReturnType<typeof findPeople> {
    return findPeople(this.#sql, q);
  }

  retry(ref: DeliveryRef, by?: string): Acted {
    return this.#act(ref, (now) => retry(this.#sql, ref, now, by));
  }

  discard(ref: DeliveryRef, by?: string): Acted {
    return this.#act(ref, (now) => discard(this.#sql, ref, now, by));
  }

  /** `key`: the new Idempotency-Key. */
  sendAgain(ref: DeliveryRef, given: Parameters<typeof sendAgain>[2]): Acted {
    return this.#act(ref, (now) => sendAgain(this.#sql, ref, given, now));
  }

  #overload(): Overload | null {
    const { total } = this.#dispatcher.queue.open;
    if (leavesRoomForBulk(total)) return null;
    return {
      message: `Backlog too large for a bulk action (${backlogText(total)}). Nothing was changed; retry later, or use a dry run.`,
      retryAfter: 60,
    };
  }

  /** A dry run only counts. */
  retryAll(filter: Filter, before: number | undefined, dryRun: boolean, by?: string): Retried | { overload: Overload } {
    const overload = dryRun ? null : this.#overload();
    if (overload) return { overload };
    const now = this.#now();
    const part = { ...(before === undefined ? {} : { before }), limit: MAX_RETRIES };
    const wanted: Filter = { states: ["attention"], ...filter };
    const { deliveries, ...reach } = searchDeliveries(this.#sql, wanted, this.#options(wanted, part));
    const result: Retried = { ...reach, retried: [], refused: {} };
    this.#deps.disk.transactionSync(() => {
      for (const { webhook, index } of deliveries) {
        const ref = { seq: webhook.seq, index };
        const current = readDeliveries(this.#sql, webhook.seq);
        const refusal = current ? whyNotRetry(this.#sql, current, ref, now) : NOT_FOUND;
        if (refusal) result.refused[refusal.code] = (result.refused[refusal.code] ?? 0) + 1;
        else result.retried.push(ref);
        if (!refusal && !dryRun) retry(this.#sql, ref, now, by);
      }
    });
    if (!dryRun) this.#changed(result.retried.map(({ seq }) => seq));
    return result;
  }

  stored(filter: Filter, after: number | undefined) {
    return stored(this.#sql, filter, after);
  }

  storedOne(seq: number) {
    return storedOne(this.#sql, seq) ?? null;
  }

  /** A dry run only returns them. */
  replay(
    plans: readonly ReplayPlan[],
    actions: readonly Action[],
    dryRun: boolean,
    by?: string,
  ): ReplayDelivery[] | { overload: Overload } {
    const overload = dryRun ? null : this.#overload();
    if (overload) return { overload };
    const now = this.#now();
    const relinked = new Set<string>();
    const changed: number[] = [];
    const deliveries = this.#deps.disk.transactionSync(() =>
      plans.flatMap((plan) => {
        if (dryRun) {
          const webhook = readDeliveries(this.#sql, plan.seq);
          return webhook ? checkDeliveries(webhook, plan, actions, now) : [];
        }
        const replayed = replay(this.#sql, plan, actions, now, by);
        for (const key of replayed.relinked) relinked.add(key);
        if (replayed.made > 0) changed.push(plan.seq);
        return replayed.deliveries;
      }),
    );
    relink(this.#sql, this.#dispatcher.queue, relinked, now);
    if (changed.length > 0 || relinked.size > 0) this.#changed(changed);
    return deliveries;
  }

  pause(source: string | undefined, paused: boolean): void {
    this.#dispatcher.pause(source, paused);
    if (!paused) this.#changed([]);
  }

  /** A dry run only counts. `keepLinks`: identity links stay for now. */
  erase(
    who: PersonQuery,
    before: number | undefined,
    { dryRun, keepLinks }: { dryRun: boolean; keepLinks: boolean },
  ): Omit<Erased, "changed"> {
    const { queue } = this.#dispatcher;
    const person = findPerson(this.#sql, who);
    // An index of names would take a fifth of the memory.
    const items = [...queue.items.values()].filter(
      ({ contact, keys }) => isAbout(person, contact) || keys.some((key) => person.keys.has(key)),
    );
    const now = this.#now();
    const work = () =>
      erase(this.#sql, person, {
        ...(before === undefined ? {} : { before }),
        // A dry run erases nothing, so the next request would count these deliveries again.
        open: dryRun ? [] : items,
        keepLinks,
        inFlight: !dryRun && items.some(({ inFlight }) => inFlight),
        thin: queue.fetches.size,
        waits: !dryRun,
        now,
      });
    const { changed, ...erased } = dryRun ? this.#rolledBack(work) : this.#deps.disk.transactionSync(work);
    if (!dryRun) this.#changed(changed);
    return erased;
  }

  #rolledBack<T>(work: () => T): T {
    const rollback = new Error("rollback");
    let result: T | undefined;
    try {
      this.#deps.disk.transactionSync(() => {
        result = work();
        throw rollback;
      });
    } catch (error) {
      if (error !== rollback) throw error;
    }
    return result as T;
  }

  #options({ who }: Filter, part: Part): SearchOptions {
    return { ...part, stateOf: this.#stateOf, person: who && this.#person(who, part.before !== undefined) };
  }

  /** Further pages reuse the person, because finding it reads all contacts. */
  #person(who: PersonQuery, again: boolean): Person {
    const name = JSON.stringify(who);
    if (!again || this.#lastSearch?.name !== name) this.#lastSearch = { name, person: findPerson(this.#sql, who) };
    return this.#lastSearch.person;
  }

  #act(ref: DeliveryRef, act: (now: number) => Acted): Acted {
    const acted = this.#deps.disk.transactionSync(() => act(this.#now()));
    if (!("refusal" in acted)) this.#changed([ref.seq]);
    return acted;
  }

  /** If the process dies before, the alarm delivers them. */
  #changed(seqs: readonly number[]): void {
    for (const seq of new Set(seqs)) this.#dispatcher.refresh(seq);
    const fetches = this.#dispatcher.queue.fetches.size > 0;
    this.#deps.arm(fetches ? this.#now() : this.#dispatcher.nextStart());
    this.#deps.waitUntil(this.#dispatcher.nudge());
  }

  /** Tells what the deliveries of a webhook wait for, by index. */
  #waits(): (webhook: Journaled) => Shown["waits"] {
    const { queue, interruption, pauses } = this.#dispatcher;
    const now = this.#now();
    const state = { queue, interruption, pauses, ahead: createAhead(queue, now), perMinute: this.#perMinute() };
    return ({ seq, deliveries }) =>
      deliveries.map(({ action }, index) =>
        action === "fetch" ? fetchWaitsFor(this.#deps, queue, { seq, index }) : waitsFor(state, { seq, index }, now),
      );
  }

  #shown(webhook: Journaled, waitsOf: (webhook: Journaled) => Shown["waits"]): Shown {
    const waits = waitsOf(webhook);
    const deliveries = webhook.deliveries.map((delivery, index) => ({
      ...delivery,
      state: this.#stateOf(webhook.seq, index, delivery),
    }));
    return { webhook: { ...webhook, deliveries }, waits };
  }

  #masked(webhook: Journaled): Journaled {
    const whole = readWebhook(this.#sql, webhook.seq);
    return whole ? { ...masked(whole), body: "" } : webhook;
  }

  readonly #stateOf: StateOf = (seq, index, delivery) =>
    this.#dispatcher.queue.items.get(keyOf({ seq, index }))?.inFlight && delivery.state === "waiting"
      ? "sending"
      : delivery.state;

  get #sql(): SqlStorage {
    return this.#deps.disk.sql;
  }

  #now(): number {
    return this.#deps.now();
  }
}
