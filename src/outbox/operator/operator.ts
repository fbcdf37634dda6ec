import type { Dispatcher } from "../delivery/dispatcher.ts";
import { findPerson, isAbout, type Person, type PersonQuery } from "../identity/find.ts";
import { readCalls, readWebhook } from "../journal/read.ts";
import { masked } from "../journal/secrets.ts";
import type { EngineContext } from "../model/dependencies.ts";
import type { Call, CallRef, Journalled, Overload } from "../model/types.ts";
import { relink } from "../queue/enqueue.ts";
import { keyOf, withKeys } from "../queue/queue.ts";
import { type Acted, discard, NOT_FOUND, type RefusalCode, retry, sendAgain, whyNotRetry } from "./actions.ts";
import { type Forgotten, forget } from "./forget.ts";
import { type Action, judge, type Planned, replay, type Stored, stored, storedOne, type Verdict } from "./replay.ts";
import { type Filter, type Reach, type SearchOptions, type StateOf, searchCalls, searchWebhooks } from "./search.ts";
import { type Waiting, waitingFor } from "./waiting.ts";

/**
 * A webhook for people: one-time secrets erased, and what each undecided call waits for, by its place. `onlyNamed`: its
 * body names who was searched for, and its calls are about others.
 */
export type Shown = { webhook: Journalled; waits: (Waiting | undefined)[]; onlyNamed?: true };
export type ShownCall = {
  webhook: Omit<Journalled, "calls" | "outcomes" | "body">;
  index: number;
  call: Call;
  waiting?: Waiting;
};
/** Which part of a search: webhooks older than `before`, at most `limit`. */
export type Part = { before?: number; limit: number };
export type Retried = Reach & { retried: CallRef[]; refused: Partial<Record<RefusalCode, number>> };

/** Calls that one request of a person tries again. */
const TOGETHER = 200;
/** Undecided calls above which people add none in bulk: live webhooks need the room. */
const CROWDED = 20_000;

/** What people look at and do in the ledger. */
export class Operator {
  readonly #deps: EngineContext;
  readonly #dispatcher: Dispatcher;
  #soughtLast: { name: string; person: Person } | undefined;

  constructor(deps: EngineContext, dispatcher: Dispatcher) {
    this.#deps = deps;
    this.#dispatcher = dispatcher;
  }

  show(seq: number): Shown | null {
    const webhook = readWebhook(this.#sql, seq);
    return webhook ? this.#shown(masked(webhook)) : null;
  }

  webhooks(filter: Filter, part: Part): Reach & { webhooks: Shown[] } {
    const options = this.#options(filter, part);
    const { person } = options;
    const { webhooks, ...reach } = searchWebhooks(this.#sql, filter, options);
    const isOnlyNamed = ({ calls }: Journalled) =>
      person !== undefined && calls.length > 0 && !calls.some(({ contact }) => isAbout(person, contact));
    // Only a body tells what its secrets are, so those of the few that have any are read.
    const safe = webhooks.map((webhook) => (webhook.secretPaths.length > 0 ? this.#masked(webhook) : webhook));
    const shown = safe.map((webhook): Shown => {
      return { ...this.#shown(webhook), ...(isOnlyNamed(webhook) ? { onlyNamed: true } : {}) };
    });
    return { ...reach, webhooks: shown };
  }

  calls(filter: Filter, part: Part): Reach & { calls: ShownCall[] } {
    const { calls: found, ...reach } = searchCalls(this.#sql, filter, this.#options(filter, part));
    const calls = found.map(({ webhook, index }) => {
      const { webhook: safe, waits } = this.#shown(webhook.secretPaths.length > 0 ? this.#masked(webhook) : webhook);
      const { calls, outcomes: _outcomes, body: _body, ...rest } = safe;
      const waiting = waits[index];
      return { webhook: rest, index, call: calls[index] as Call, ...(waiting === undefined ? {} : { waiting }) };
    });
    return { ...reach, calls };
  }

  retry(ref: CallRef): Acted {
    return this.#act(ref, (now) => retry(this.#sql, ref, now));
  }

  discard(ref: CallRef): Acted {
    return this.#act(ref, (now) => discard(this.#sql, ref, now));
  }

  /** @param key the new Idempotency-Key */
  sendAgain(ref: CallRef, confirmed: boolean, key: string): Acted {
    return this.#act(ref, (now) => sendAgain(this.#sql, ref, confirmed, key, now));
  }

  /** Why nothing is to be added in bulk now, or null. */
  #crowded(): Overload | null {
    const { size } = this.#dispatcher.queue.items;
    if (size < CROWDED) return null;
    return { message: `${size} calls wait for delivery already: do this later, or a dry run now.`, retryAfter: 60 };
  }

  /** Tries a slice of the calls again that a filter names; or only says what it would come to. */
  retryAll(filter: Filter, before: number | undefined, dryRun: boolean): Retried | { overload: Overload } {
    const overload = dryRun ? null : this.#crowded();
    if (overload) return { overload };
    const now = this.#now();
    const part = { ...(before === undefined ? {} : { before }), limit: TOGETHER };
    const wanted: Filter = { states: ["attention"], ...filter };
    const { calls, ...reach } = searchCalls(this.#sql, wanted, this.#options(wanted, part));
    const result: Retried = { ...reach, retried: [], refused: {} };
    this.#deps.disk.transactionSync(() => {
      for (const { webhook, index } of calls) {
        const ref = { seq: webhook.seq, index };
        const current = readCalls(this.#sql, webhook.seq);
        const refusal = current ? whyNotRetry(this.#sql, current, ref, now) : NOT_FOUND;
        if (refusal) result.refused[refusal.code] = (result.refused[refusal.code] ?? 0) + 1;
        else result.retried.push(ref);
        if (!refusal && !dryRun) retry(this.#sql, ref, now);
      }
    });
    if (!dryRun) this.#changed(result.retried.map(({ seq }) => seq));
    return result;
  }

  /** Webhooks with their bodies, for the rules to be run again. */
  stored(filter: Filter, after: number | undefined) {
    return stored(this.#sql, filter, after);
  }

  storedOne(seq: number) {
    return storedOne(this.#sql, seq) ?? null;
  }

  /** Takes in what the current rules want done about stored webhooks, in one commit; or only says what it comes to. */
  replay(planned: readonly Planned[], actions: readonly Action[], dryRun: boolean): Verdict[] | { overload: Overload } {
    const overload = dryRun ? null : this.#crowded();
    if (overload) return { overload };
    const now = this.#now();
    const relinked = new Set<string>();
    const changed: number[] = [];
    const verdicts = this.#deps.disk.transactionSync(() =>
      planned.flatMap((one) => {
        if (dryRun) {
          const webhook = readCalls(this.#sql, one.seq);
          return webhook ? judge(webhook, one, actions, now) : [];
        }
        const replayed = replay(this.#sql, one, actions, now);
        for (const key of replayed.relinked) relinked.add(key);
        if (replayed.made > 0) changed.push(one.seq);
        return replayed.verdicts;
      }),
    );
    relink(this.#sql, this.#dispatcher.queue, relinked, now);
    if (changed.length > 0 || relinked.size > 0) this.#changed(changed);
    return verdicts;
  }

  /** Pauses all delivery (source undefined) or a source's, or lets it go on. */
  pause(source: string | undefined, paused: boolean): void {
    this.#dispatcher.pause(source, paused);
    if (!paused) this.#changed([]);
  }

  /** @param dryRun only says what it would come to */
  forget(who: PersonQuery, before: number | undefined, dryRun: boolean): Omit<Forgotten, "changed"> {
    const { queue } = this.#dispatcher;
    const person = findPerson(this.#sql, who);
    const items = withKeys(queue, person.keys).filter(({ gatewayRequest }) => !gatewayRequest);
    const work = () =>
      forget(this.#sql, person, {
        ...(before === undefined ? {} : { before }),
        // A dry run finds those where they stand: what it does first, the next request would count again.
        undecided: dryRun ? [] : items,
        underWay: !dryRun && items.some(({ inFlight }) => inFlight),
        now: this.#now(),
      });
    const { changed, ...forgotten } = dryRun ? this.#tried(work) : this.#deps.disk.transactionSync(work);
    if (!dryRun) this.#changed(changed);
    return forgotten;
  }

  /** What work in a transaction comes to, which is then taken back. */
  #tried<T>(work: () => T): T {
    const back = new Error("taken back");
    let result: T | undefined;
    try {
      this.#deps.disk.transactionSync(() => {
        result = work();
        throw back;
      });
    } catch (error) {
      if (error !== back) throw error;
    }
    return result as T;
  }

  #options({ who }: Filter, part: Part): SearchOptions {
    return { ...part, stateOf: this.#stateOf, person: who && this.#person(who, part.before !== undefined) };
  }

  /** Whom a search is for. The pages after the first do not look through all contacts again. */
  #person(who: PersonQuery, again: boolean): Person {
    const name = JSON.stringify(who);
    if (!again || this.#soughtLast?.name !== name) this.#soughtLast = { name, person: findPerson(this.#sql, who) };
    return this.#soughtLast.person;
  }

  /** One commit, and the queue knows. */
  #act(ref: CallRef, act: (now: number) => Acted): Acted {
    const acted = this.#deps.disk.transactionSync(() => act(this.#now()));
    if (!("refusal" in acted)) this.#changed([ref.seq]);
    return acted;
  }

  /** What people changed goes on at once; should the process die before, the alarm finds it. */
  #changed(seqs: readonly number[]): void {
    for (const seq of new Set(seqs)) this.#dispatcher.refresh(seq);
    this.#deps.arm(this.#dispatcher.nextStart());
    this.#deps.waitUntil(this.#dispatcher.nudge());
  }

  #shown(webhook: Journalled): Shown {
    const { queue, interruption, pauses } = this.#dispatcher;
    const now = this.#now();
    const waits = webhook.calls.map((_, index) =>
      waitingFor({ queue, interruption, pauses }, { seq: webhook.seq, index }, now),
    );
    const calls = webhook.calls.map((call, index) => ({ ...call, state: this.#stateOf(webhook.seq, index, call) }));
    return { webhook: { ...webhook, calls }, waits };
  }

  /** A webhook without its body, its one-time secrets erased all the same. */
  #masked(webhook: Journalled): Journalled {
    const whole = readWebhook(this.#sql, webhook.seq);
    return whole ? { ...masked(whole), body: "" } : webhook;
  }

  readonly #stateOf: StateOf = (seq, index, call) =>
    this.#dispatcher.queue.items.get(keyOf({ seq, index }))?.inFlight && call.state === "waiting"
      ? "sending"
      : call.state;

  get #sql(): SqlStorage {
    return this.#deps.disk.sql;
  }

  #now(): number {
    return this.#deps.now();
  }
}

export type { Stored };
