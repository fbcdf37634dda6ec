import { fullJitter } from "../../lib/util/backoff.ts";
import { log } from "../../lib/util/log.ts";
import { type Found, ProviderError } from "../../lib/webhook/provider.ts";
import type { Engine } from "../engine.ts";
import { learn } from "../identity/links.ts";
import { readCalls, save } from "../journal/journal.ts";
import type { Observation } from "../model/observation.ts";
import type { SourceSettings } from "../model/source-settings.ts";
import { relink } from "../queue/enqueue.ts";
import { type Item, keyOf, withKeys } from "../queue/queue.ts";
import type { Meters } from "./meters.ts";

/** Ms between two questions to one provider. */
const APART = 250;
/** Questions per invocation: what delivery leaves of the 50 requests of the free plan. */
const QUESTIONS = 5;
/** Ms after which a ref that the provider could not tell is asked for again. */
const AGAIN = 6 * 3_600_000;
const TIMEOUT = 10_000;
const FIRST_BACKOFF = 2_000;
const LONGEST_BACKOFF = 600_000;
/** A key that is refused is a matter for people. */
const REFUSED_BACKOFF = 300_000;

/** What is asked of one source. */
type Asking = {
  /** Refs without the name of the source, and when each is to be asked, Unix ms. */
  refs: Map<string, number>;
  asking: boolean;
  notBefore: number;
  failures: number;
  problem?: string;
};

type Settings = NonNullable<SourceSettings["fetchBack"]>;

/**
 * Asks providers whose a ref is, for calls that wait for it. Everything about it is in memory: who waits is in the
 * journal, and to ask twice does no harm. One question at a time to each provider; nothing else waits for an answer.
 */
export class FetchBacks {
  readonly #engine: Engine;
  readonly #meters: Meters;
  readonly #asking = new Map<string, Asking>();

  constructor(engine: Engine, meters: Meters) {
    this.#engine = engine;
    this.#meters = meters;
    this.look();
  }

  /** Whoever waits now is to be asked for. */
  look(): void {
    for (const item of this.#engine.dispatcher.queue.items.values()) this.#want(item);
  }

  observe(observation: Observation): void {
    if (observation.kind !== "webhook" || !this.#settingsOf(observation.source)) return;
    const { items } = this.#engine.dispatcher.queue;
    let wanted = false;
    for (const index of observation.calls.keys()) {
      const item = items.get(keyOf({ seq: observation.seq, index }));
      if (item && this.#want(item)) wanted = true;
    }
    if (wanted) this.#engine.deps.waitUntil(this.run());
  }

  /** When there is a question to ask, Unix ms. What is under way is looked after by itself. */
  next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [source, { refs, asking, notBefore }] of this.#asking) {
      if (asking || !this.#settingsOf(source)) continue;
      for (const at of refs.values()) next = Math.min(next, Math.max(notBefore, at));
    }
    return next;
  }

  /** Sources that cannot be asked, and why. */
  problems(): { source: string; problem: string }[] {
    return [...this.#asking].flatMap(([source, { problem, refs }]) =>
      problem === undefined || refs.size === 0 ? [] : [{ source, problem }],
    );
  }

  /** Asks what is due, a few questions at most. Never throws. */
  async run(): Promise<void> {
    await Promise.all([...this.#asking].map(([source, asking]) => this.#ask(source, asking)));
    this.#engine.arm(this.next());
  }

  /** True where the call is the first that waits for its ref. */
  #want({ waits, contact, source }: Item): boolean {
    // A ref carries the name of its source: "stripe:cus_1".
    if (!waits || !contact.ref?.startsWith(`${source}:`) || !this.#settingsOf(source)) return false;
    const asking = this.#asking.get(source) ?? { refs: new Map(), asking: false, notBefore: 0, failures: 0 };
    this.#asking.set(source, asking);
    const ref = contact.ref.slice(source.length + 1);
    if (asking.refs.has(ref)) return false;
    asking.refs.set(ref, this.#now());
    return true;
  }

  async #ask(source: string, asking: Asking): Promise<void> {
    if (asking.asking) return;
    asking.asking = true;
    try {
      for (let asked = 0; asked < QUESTIONS; ) {
        const now = this.#now();
        const ref = firstDue(asking.refs, now);
        const settings = this.#settingsOf(source);
        if (ref === undefined || !settings || now < asking.notBefore) return;
        if (this.#waiting(source, ref).length === 0) {
          asking.refs.delete(ref);
          continue;
        }
        asked++;
        await this.#askFor(source, settings, asking, ref);
        await this.#engine.deps.sleep(APART);
      }
    } catch (error) {
      asking.notBefore = this.#now() + LONGEST_BACKOFF;
      log("fetch_back_failed", { source, error: (error as Error).message });
    } finally {
      asking.asking = false;
    }
  }

  async #askFor(source: string, settings: Settings, asking: Asking, ref: string): Promise<void> {
    const { timeout } = this.#engine.deps;
    const startedAt = this.#now();
    let found: Found;
    try {
      const api = {
        key: this.#variable(settings.key),
        baseUrl: (this.#variable(settings.url) || settings.baseUrl).replace(/\/+$/, ""),
        fetch: (url: string, init: RequestInit) =>
          this.#engine.deps.fetchExternal(url, { ...init, redirect: "manual", signal: timeout(TIMEOUT) }),
      };
      found = await settings.with.find(ref, api, settings.userIdField);
    } catch (error) {
      const wait = this.#failed(source, asking, error);
      // The others first: it may be this one alone that cannot be told.
      asking.refs.delete(ref);
      asking.refs.set(ref, this.#now() + wait);
      return;
    }
    asking.failures = 0;
    delete asking.problem;
    const told =
      "gone" in found ? found.gone : found.email || found.userId ? undefined : "it knows no address of this customer";
    this.#meters.lookups.add([source, told === undefined ? "found" : "gone" in found ? "gone" : "unknown"]);
    log("fetch_back", { source, outcome: told === undefined ? "found" : "gone" in found ? "gone" : "unknown" });
    if (told === undefined && !("gone" in found)) {
      this.#learn(`${source}:${ref}`, found, startedAt);
      // Mail still waits where there was no address, only a user id.
      if (this.#waiting(source, ref).length === 0) asking.refs.delete(ref);
      else asking.refs.set(ref, this.#now() + AGAIN);
    } else {
      this.#note(source, ref, `${source} was asked: ${told}.`);
      // What is gone does not come back; a customer may still get an address.
      asking.refs.set(ref, "gone" in found ? Number.POSITIVE_INFINITY : this.#now() + AGAIN);
    }
  }

  /** As if a webhook had told it. */
  #learn(ref: string, found: { email?: string; userId?: string }, toldAt: number): void {
    const { dispatcher, deps } = this.#engine;
    const now = this.#now();
    const changed = deps.disk.transactionSync(() => learn(deps.disk.sql, [{ ref, ...found }], toldAt, now));
    relink(deps.disk.sql, dispatcher.queue, new Set(changed), now);
    this.#engine.deps.waitUntil(dispatcher.nudge());
  }

  /** Keeps with each call that waits what the provider said: one row each, where it said something new. */
  #note(source: string, ref: string, asked: string): void {
    const { sql, transactionSync } = this.#engine.deps.disk;
    for (const { seq, index } of this.#waiting(source, ref)) {
      transactionSync.call(this.#engine.deps.disk, () => {
        const webhook = readCalls(sql, seq);
        const call = webhook?.calls[index];
        if (!webhook || call?.state !== "waiting" || call.asked === asked) return;
        call.asked = asked;
        save(sql, webhook);
      });
    }
  }

  /** The provider did not answer the question: nothing is asked of it for a while, and nothing is forgotten. */
  #failed(source: string, asking: Asking, error: unknown): number {
    asking.failures++;
    const { status, retryAfter } =
      error instanceof ProviderError ? error : { status: undefined, retryAfter: undefined };
    const refused = status === 401 || status === 403;
    const random = this.#engine.deps.random();
    const span = FIRST_BACKOFF + fullJitter(asking.failures, random, FIRST_BACKOFF, LONGEST_BACKOFF);
    const wait = Math.max(refused ? REFUSED_BACKOFF : span, Math.min(retryAfter ?? 0, LONGEST_BACKOFF));
    asking.notBefore = this.#now() + wait;
    asking.problem = status === undefined ? "it cannot be reached" : `it answers with status ${status}`;
    this.#meters.lookups.add([source, "failed"]);
    log("fetch_back_failed", { source, status, failures: asking.failures, wait: Math.round(wait) });
    return wait;
  }

  /** Calls that wait for a ref. */
  #waiting(source: string, ref: string): Item[] {
    const whole = `${source}:${ref}`;
    const { queue } = this.#engine.dispatcher;
    return withKeys(queue, new Set([`ref:${whole}`])).filter(({ waits, contact }) => waits && contact.ref === whole);
  }

  /** Undefined where it is not configured, or has no key. */
  #settingsOf(source: string): Settings | undefined {
    const { sources } = this.#engine.deps;
    const settings = Object.hasOwn(sources, source) ? sources[source]?.fetchBack : undefined;
    return settings && this.#variable(settings.key) !== "" ? settings : undefined;
  }

  #variable(name: string): string {
    const value = (this.#engine.deps.env as Readonly<Record<string, unknown>>)[name];
    return typeof value === "string" ? value.trim() : "";
  }

  #now(): number {
    return this.#engine.deps.now();
  }
}

const firstDue = (refs: ReadonlyMap<string, number>, now: number): string | undefined => {
  for (const [ref, at] of refs) if (at <= now) return ref;
  return undefined;
};
