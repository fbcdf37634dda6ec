import { fullJitter } from "../../lib/util/jitter.ts";
import { log } from "../../lib/util/log.ts";
import { neverLeft } from "../../lib/util/never-left.ts";
import { type FetchedEvent, ProviderError } from "../../lib/webhook/provider.ts";
import { readWebhook } from "../journal/read.ts";
import { saveDeliveries } from "../journal/write.ts";
import { variableOf } from "../model/config.ts";
import { acceptedAt, isOpen, withAttempt } from "../model/delivery-state.ts";
import type { EngineContext } from "../model/dependencies.ts";
import type { Attempt, Delivery, FetchedWebhook, PlannedWebhook } from "../model/journal-types.ts";
import type { Problem } from "../model/problem.ts";
import { noKey, reasons } from "../model/reasons.ts";
import type { SourceSettings } from "../model/source-settings.ts";
import { dropFetch } from "../queue/fetches.ts";
import type { FetchItem, Queue } from "../queue/person-queues.ts";

/** Milliseconds between two webhooks of a source. */
const INTERVAL = 50;
/** Webhooks of all sources in one event, each with up to four requests. Delivery needs the rest of the free plan's 50. */
const PER_RUN = 6;
/** Milliseconds. */
const TIMEOUT = 10_000;
const FIRST_BACKOFF = 2_000;
const LONGEST_BACKOFF = 600_000;
const LONGEST_RETRY_AFTER = 3_600_000;
/** Milliseconds. A refused key needs a person, so retries are rare. */
const REFUSED_BACKOFF = 300_000;
/** Milliseconds. The alarm finds the work of a run that was lost with its object. */
const SAFETY = 2_500;

/** Unix ms. */
type Pace = { running: boolean; notBefore: number; failures: number; problem?: string };

/** Gives a webhook its data, unless it has it. "duplicate": another webhook is the same event. */
type Complete = (item: FetchItem, planned: PlannedWebhook, attempt: Attempt) => "duplicate" | undefined;

type Settings = NonNullable<SourceSettings["thinEvents"]>;

/** Fetches what thin webhooks name, one at a time per source, and gives it to the rules. */
export class Fetcher {
  readonly #deps: EngineContext;
  readonly #queue: Queue;
  readonly #complete: Complete;
  readonly #paces = new Map<string, Pace>();

  constructor(deps: EngineContext, queue: Queue, complete: Complete) {
    this.#deps = deps;
    this.#queue = queue;
    this.#complete = complete;
  }

  /** Unix ms. */
  next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const item of this.#queue.fetches.values()) next = Math.min(next, this.#dueAt(item));
    return next;
  }

  problems(): Problem[] {
    const waiting = new Map<string, { count: number; first: number }>();
    for (const { source, seq } of this.#queue.fetches.values()) {
      const { count, first } = waiting.get(source) ?? { count: 0, first: seq };
      waiting.set(source, { count: count + 1, first: Math.min(first, seq) });
    }
    return [...waiting].flatMap(([source, { count, first }]): Problem[] => {
      const settings = this.#settingsOf(source);
      const isMissing = settings && !this.#keyOf(settings);
      const problem = isMissing ? `${settings.key} is not set` : this.#paces.get(source)?.problem;
      if (problem === undefined) return [];
      const what = count === 1 ? "1 webhook waits for its data" : `${count} webhooks wait for their data`;
      const since = acceptedAt(first);
      return [{ kind: "thin_events", source, count, since, message: `thin events: ${what}: ${problem}` }];
    });
  }

  async run(): Promise<void> {
    const budget = { left: PER_RUN };
    const sources = new Set([...this.#queue.fetches.values()].map(({ source }) => source));
    await Promise.all([...sources].map((source) => this.#runSource(source, budget)));
    this.#deps.arm(this.next());
  }

  async #runSource(source: string, budget: { left: number }): Promise<void> {
    const pace = this.#paceOf(source);
    if (pace.running) return;
    pace.running = true;
    try {
      while (budget.left > 0) {
        const item = this.#firstDue(source);
        budget.left--;
        if (!item || (await this.#take(item, pace)) === "never left") return;
        await this.#deps.sleep(INTERVAL);
      }
    } catch (error) {
      pace.notBefore = this.#deps.now() + LONGEST_BACKOFF;
      log("fetch_failed", { source, error: (error as Error).message });
    } finally {
      pace.running = false;
    }
  }

  async #take(item: FetchItem, pace: Pace): Promise<"never left" | undefined> {
    const webhook = readWebhook(this.#deps.disk.sql, item.seq);
    const delivery = webhook?.deliveries[item.index];
    if (!webhook || !delivery || !isOpen(delivery)) {
      dropFetch(this.#queue, item);
      return undefined;
    }
    const settings = this.#settingsOf(item.source);
    if (!settings) {
      this.#settle(item, "failed", undefined, reasons.notFetched);
      return undefined;
    }
    if (!this.#keyOf(settings)) return this.#giveUp(item, noKey(settings.key));
    const at = this.#deps.now();
    try {
      const fetched = await this.#fetch(settings, webhook.body);
      pace.failures = 0;
      delete pace.problem;
      await this.#run(item, webhook, fetched, { at, ms: this.#deps.now() - at, status: 200 });
    } catch (error) {
      if (neverLeft(error)) return "never left";
      if (!(error instanceof ProviderError))
        log("fetch_failed", { source: item.source, error: (error as Error).message });
      this.#failed(item, pace, error instanceof ProviderError ? error : UNUSABLE, at);
    }
    return undefined;
  }

  #fetch(settings: Settings, body: string): Promise<FetchedEvent> {
    const { timeout, fetchExternal, env } = this.#deps;
    return settings.with.fetch(parsed(body), {
      key: this.#keyOf(settings),
      baseUrl: (variableOf(env, settings.url).trim() || settings.baseUrl).replace(/\/+$/, ""),
      fetch: (url, init) => fetchExternal(url, { ...init, redirect: "manual", signal: timeout(TIMEOUT) }),
      now: () => this.#deps.now(),
    });
  }

  async #run(item: FetchItem, webhook: Known, fetched: FetchedEvent, attempt: Attempt): Promise<void> {
    const { source } = item;
    if ("gone" in fetched) {
      log("fetched", { source, outcome: "gone" });
      this.#settle(item, "skipped", attempt, `${reasons.gone} ${fetched.gone}.`);
      return;
    }
    const { test } = webhook;
    const { id: eventId = webhook.eventId, type, body, occurredAt = webhook.occurredAt } = fetched;
    const planned = await this.#deps.plan({ source, eventId, test, type, occurredAt, raw: JSON.stringify(body) });
    if (!planned) this.#settle(item, "failed", attempt, reasons.notFetched);
    // Its snapshot event may have completed it meanwhile, or may have come as a webhook of its own.
    else if (this.#complete(item, planned, attempt) === "duplicate")
      this.#settle(item, "skipped", attempt, `${reasons.cameWithData} ${eventId}.`);
    log("fetched", { source, outcome: "found" });
  }

  #failed(item: FetchItem, pace: Pace, error: ProviderError, at: number): void {
    const { status, message, retryAfter } = error;
    const now = this.#deps.now();
    const refused = status === 401 || status === 403;
    // Another 4xx is about this object alone.
    const ofObject =
      error === UNUSABLE || (status !== undefined && status >= 400 && status < 500 && !refused && status !== 429);
    if (!ofObject) pace.failures++;
    const random = this.#deps.random();
    const span = (failures: number) => FIRST_BACKOFF + fullJitter(failures, random, FIRST_BACKOFF, LONGEST_BACKOFF);
    const least = Math.max(refused ? REFUSED_BACKOFF : 0, Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER));
    if (!ofObject) {
      pace.notBefore = now + Math.max(least, span(pace.failures));
      const what = status === undefined ? "cannot be reached" : `answers with status ${status}`;
      pace.problem = `the API of ${item.source} ${what}`;
    }
    log("fetch_failed", { source: item.source, status, failures: pace.failures });
    this.#edit(item, (delivery) => {
      const wait = Math.max(least, span(delivery.attempts.length + 1));
      const tried: Attempt = { at, ms: now - at, ...(status === undefined ? {} : { status }), message, wait };
      delivery.attempts = withAttempt(delivery, tried);
      // A corrected key comes with a restart, which has no pace of the former key. Then nothing else may hold the fetch.
      delivery.due = now + (refused ? FIRST_BACKOFF : wait);
      item.due = delivery.due;
    });
    this.#giveUp(item, message);
  }

  /** Ends a fetch after its time. An operator may still retry it. */
  #giveUp(item: FetchItem, message: string): undefined {
    if (this.#deps.now() >= item.until) this.#settle(item, "failed", undefined, message);
  }

  #settle(item: FetchItem, state: "skipped" | "failed", attempt: Attempt | undefined, message: string): void {
    dropFetch(this.#queue, item);
    const delivery = this.#edit(item, (one) => {
      if (attempt) one.attempts = withAttempt(one, attempt);
      Object.assign(one, { state, message, settledAt: this.#deps.now() });
    });
    if (delivery)
      this.#deps.observe({ kind: "delivery", seq: item.seq, index: item.index, source: item.source, delivery });
  }

  #edit({ seq, index }: FetchItem, change: (delivery: Delivery) => void): Delivery | undefined {
    const { disk } = this.#deps;
    return disk.transactionSync(() => {
      const webhook = readWebhook(disk.sql, seq);
      const delivery = webhook?.deliveries[index];
      if (!webhook || !delivery || !isOpen(delivery)) return undefined;
      change(delivery);
      saveDeliveries(disk.sql, webhook);
      return delivery;
    });
  }

  /** The one that has waited longest, so that an object that always fails holds no other. */
  #firstDue(source: string): FetchItem | undefined {
    let first: FetchItem | undefined;
    for (const item of this.#queue.fetches.values())
      if (item.source === source && (!first || item.due < first.due)) first = item;
    return first && this.#dueAt(first, false) <= this.#deps.now() ? first : undefined;
  }

  /** Unix ms. Without a key, only the end of the time is due. */
  #dueAt({ source, due, until }: FetchItem, others = true): number {
    const settings = this.#settingsOf(source);
    if (settings && !this.#keyOf(settings)) return until;
    const { running, notBefore } = this.#paceOf(source);
    if (others && running) return this.#deps.now() + SAFETY;
    return Math.max(due, notBefore);
  }

  #paceOf(source: string): Pace {
    const pace = this.#paces.get(source) ?? { running: false, notBefore: 0, failures: 0 };
    this.#paces.set(source, pace);
    return pace;
  }

  #settingsOf(source: string): Settings | undefined {
    const { sources } = this.#deps;
    return Object.hasOwn(sources, source) ? sources[source]?.thinEvents : undefined;
  }

  #keyOf({ key }: Settings): string {
    return variableOf(this.#deps.env, key).trim();
  }
}

const UNUSABLE = new ProviderError("The fetched event could not be given to the rules.");

type Known = Pick<FetchedWebhook, "eventId" | "test" | "occurredAt">;

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};
