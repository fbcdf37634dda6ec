import { HOUR_MS } from "../../lib/util/dates.ts";
import { fullJitter } from "../../lib/util/jitter.ts";
import { log } from "../../lib/util/log.ts";
import { neverLeft } from "../../lib/util/never-left.ts";
import { type FoundPerson, ProviderError } from "../../lib/webhook/provider.ts";
import type { Engine } from "../engine.ts";
import { learnLinks } from "../identity/links.ts";
import { readDeliveries } from "../journal/read.ts";
import { saveDeliveries } from "../journal/write.ts";
import { variableOf } from "../model/config.ts";
import type { Observation } from "../model/observation.ts";
import type { Problem } from "../model/problem.ts";
import type { SourceSettings } from "../model/source-settings.ts";
import { relink } from "../queue/enqueue.ts";
import { keyOf, type QueueItem, withKeys } from "../queue/person-queues.ts";
import type { Counters } from "./counters.ts";

/** Milliseconds. */
const INTERVAL = 250;
/** People of all sources per invocation, each by up to two requests. Delivery needs the rest of the free plan's 50. */
const PER_RUN = 3;
/** Milliseconds. */
const AGAIN = 6 * HOUR_MS;
const TIMEOUT = 10_000;
const FIRST_BACKOFF = 2_000;
const LONGEST_BACKOFF = 600_000;
/** Milliseconds. A refused provider key needs a person, so retries are rare. */
const REFUSED_BACKOFF = 300_000;

type Planned = {
  /** Unix ms by ref, without source. */
  refs: Map<string, number>;
  running: boolean;
  notBefore: number;
  failures: number;
  problem?: string;
};

type Settings = NonNullable<SourceSettings["fetchBack"]>;

/** Asks a provider's API for the address and user id of a ref (`cus_…`). */
export class FetchBack {
  readonly #engine: Engine;
  readonly #counters: Counters;
  readonly #bySource = new Map<string, Planned>();

  constructor(engine: Engine, counters: Counters) {
    this.#engine = engine;
    this.#counters = counters;
    this.check();
  }

  check(): void {
    for (const item of this.#engine.dispatcher.queue.items.values()) this.#plan(item);
  }

  observe(observation: Observation): void {
    if (observation.kind !== "webhooks") return;
    const { items } = this.#engine.dispatcher.queue;
    let planned = false;
    for (const { seq, source, deliveries } of observation.webhooks) {
      if (!this.#settingsOf(source)) continue;
      for (const index of deliveries.keys()) {
        const item = items.get(keyOf({ seq, index }));
        if (item && this.#plan(item)) planned = true;
      }
    }
    if (planned) this.#engine.deps.waitUntil(this.run());
  }

  next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [source, { refs, running, notBefore }] of this.#bySource) {
      if (running || !this.#settingsOf(source)) continue;
      for (const at of refs.values()) next = Math.min(next, Math.max(notBefore, at));
    }
    return next;
  }

  problems(): Problem[] {
    return [...this.#bySource].flatMap(([source, { problem, refs }]): Problem[] => {
      if (problem === undefined || refs.size === 0) return [];
      return [{ kind: "fetch_back", source, message: `fetch-back: the API of ${source} ${problem}` }];
    });
  }

  async run(): Promise<void> {
    const budget = { left: PER_RUN };
    await Promise.all([...this.#bySource].map(([source, planned]) => this.#runSource(source, planned, budget)));
    this.#engine.arm(this.next());
  }

  #plan({ waits, contact, source }: QueueItem): boolean {
    // A ref begins with its source: "stripe:cus_1".
    if (!waits || !contact.ref?.startsWith(`${source}:`) || !this.#settingsOf(source)) return false;
    const planned = this.#bySource.get(source) ?? { refs: new Map(), running: false, notBefore: 0, failures: 0 };
    this.#bySource.set(source, planned);
    const ref = contact.ref.slice(source.length + 1);
    if (planned.refs.has(ref)) return false;
    planned.refs.set(ref, this.#now());
    return true;
  }

  async #runSource(source: string, planned: Planned, budget: { left: number }): Promise<void> {
    if (planned.running) return;
    planned.running = true;
    try {
      while (budget.left > 0) {
        const now = this.#now();
        const ref = firstDue(planned.refs, now);
        const settings = this.#settingsOf(source);
        if (ref === undefined || !settings || now < planned.notBefore) return;
        if (this.#waitingFor(source, ref).length === 0) {
          planned.refs.delete(ref);
          continue;
        }
        budget.left--;
        if ((await this.#ask(source, settings, planned, ref)) === "never left") budget.left = 0;
        await this.#engine.deps.sleep(INTERVAL);
      }
    } catch (error) {
      planned.notBefore = this.#now() + LONGEST_BACKOFF;
      log("fetch_back_failed", { source, error: (error as Error).message });
    } finally {
      planned.running = false;
    }
  }

  async #ask(source: string, settings: Settings, planned: Planned, ref: string): Promise<"never left" | undefined> {
    const startedAt = this.#now();
    let found: FoundPerson;
    try {
      found = await this.#find(settings, ref);
    } catch (error) {
      if (neverLeft(error)) return "never left";
      const wait = this.#failed(source, planned, error);
      // The ref moves to the end: perhaps only this one makes the provider fail.
      planned.refs.delete(ref);
      planned.refs.set(ref, this.#now() + wait);
      return undefined;
    }
    planned.failures = 0;
    delete planned.problem;
    const outcome = "gone" in found ? "gone" : found.email || found.userId ? "found" : "unknown";
    this.#counters.fetchBacks.add([source, outcome]);
    log("fetch_back", { source, outcome });
    if (outcome === "found" && !("gone" in found)) {
      this.#learn(`${source}:${ref}`, found, startedAt);
      // Mail keeps waiting if the provider knows a user id but no address.
      if (this.#waitingFor(source, ref).length === 0) planned.refs.delete(ref);
      else planned.refs.set(ref, this.#now() + AGAIN);
      return undefined;
    }
    const answer = "gone" in found ? found.gone : "it knows no email address of this customer";
    this.#note(source, ref, `${source} was asked: ${answer}.`);
    // A deleted customer does not return; an existing one may still get an address.
    planned.refs.set(ref, outcome === "gone" ? Number.POSITIVE_INFINITY : this.#now() + AGAIN);
    return undefined;
  }

  #find(settings: Settings, ref: string): Promise<FoundPerson> {
    const { timeout, fetchExternal } = this.#engine.deps;
    const api = {
      key: this.#variable(settings.key),
      baseUrl: (this.#variable(settings.url) || settings.baseUrl).replace(/\/+$/, ""),
      fetch: (url: string, init: RequestInit) =>
        fetchExternal(url, { ...init, redirect: "manual", signal: timeout(TIMEOUT) }),
      now: () => this.#now(),
    };
    return settings.with.find(ref, api, settings.userIdField);
  }

  #learn(ref: string, found: { email?: string; userId?: string }, at: number): void {
    const { dispatcher, deps } = this.#engine;
    const now = this.#now();
    const changed = deps.disk.transactionSync(() => learnLinks(deps.disk.sql, [{ ref, ...found }], at, now));
    relink(deps.disk.sql, dispatcher.queue, new Set(changed), now);
    this.#engine.deps.waitUntil(dispatcher.nudge());
  }

  #note(source: string, ref: string, asked: string): void {
    const { disk } = this.#engine.deps;
    for (const { seq, index } of this.#waitingFor(source, ref)) {
      disk.transactionSync(() => {
        const webhook = readDeliveries(disk.sql, seq);
        const delivery = webhook?.deliveries[index];
        if (!webhook || delivery?.state !== "waiting" || delivery.asked === asked) return;
        delivery.asked = asked;
        saveDeliveries(disk.sql, webhook);
      });
    }
  }

  /** Returns ms until the provider's next request. */
  #failed(source: string, planned: Planned, error: unknown): number {
    planned.failures++;
    const { status, retryAfter } =
      error instanceof ProviderError ? error : { status: undefined, retryAfter: undefined };
    const refused = status === 401 || status === 403;
    const random = this.#engine.deps.random();
    const span = FIRST_BACKOFF + fullJitter(planned.failures, random, FIRST_BACKOFF, LONGEST_BACKOFF);
    const wait = Math.max(refused ? REFUSED_BACKOFF : span, Math.min(retryAfter ?? 0, LONGEST_BACKOFF));
    planned.notBefore = this.#now() + wait;
    planned.problem = status === undefined ? "cannot be reached" : `answers with status ${status}`;
    this.#counters.fetchBacks.add([source, "failed"]);
    log("fetch_back_failed", { source, status, failures: planned.failures, wait: Math.round(wait) });
    return wait;
  }

  #waitingFor(source: string, ref: string): QueueItem[] {
    const whole = `${source}:${ref}`;
    const { queue } = this.#engine.dispatcher;
    return withKeys(queue, new Set([`ref:${whole}`])).filter(({ waits, contact }) => waits && contact.ref === whole);
  }

  #settingsOf(source: string): Settings | undefined {
    const { sources } = this.#engine.deps;
    const settings = Object.hasOwn(sources, source) ? sources[source]?.fetchBack : undefined;
    return settings && this.#variable(settings.key) !== "" ? settings : undefined;
  }

  #variable(name: string): string {
    return variableOf(this.#engine.deps.env, name).trim();
  }

  #now(): number {
    return this.#engine.deps.now();
  }
}

const firstDue = (refs: ReadonlyMap<string, number>, now: number): string | undefined => {
  for (const [ref, at] of refs) if (at <= now) return ref;
  return undefined;
};
