import { log } from "../../../lib/util/log.ts";
import { type NotifierRpc, notifierName } from "../../types/notifier-rpc.ts";
import type { EventCalls } from "../core/event-calls.ts";
import { type Endpoint, readEndpoints } from "./endpoints.ts";
import { nextBatch, nextDue, settleBatch } from "./notifications.ts";

/** Batches of all endpoints in one event, which has a limit of calls to other objects. The alarm continues. */
const MOST_BATCHES = 40;
/** Only the alarm restarts a busy endpoint's notify after a crash. */
const LOOK_AGAIN_MS = 4_000;
/** A Notifier that failed is called again after 1 s, then 2 s, 4 s … */
const LOST_MS = { least: 1_000, most: 60_000 };

export type WebhookPumpDependencies = {
  sql: SqlStorage;
  transaction<T>(work: () => T): T;
  team(): string;
  notifier(name: string): Pick<NotifierRpc, "deliver">;
  now(): number;
  random(): number;
  wake(at: number): void;
  calls?: EventCalls;
};

export type WebhookPump = {
  /** Starts due notifications and returns work that outlives the request. */
  run(): Promise<void>[];
  next(): number;
};

/**
 * Moves events to the Notifiers, one batch per endpoint. Rows stay due until recorded, so a crash repeats but loses
 * none.
 */
export const createWebhookPump = (dependencies: WebhookPumpDependencies): WebhookPump => {
  const { sql, transaction, team, notifier, now, random, wake, calls } = dependencies;
  const busy = new Set<number>();
  const lost = new Map<number, { until: number; failures: number }>();

  const dueOf = (endpoint: Endpoint): number => Math.max(nextDue(sql, endpoint), lost.get(endpoint.n)?.until ?? 0);

  const next = () =>
    Math.min(...readEndpoints(sql).map((endpoint) => (busy.has(endpoint.n) ? now() + LOOK_AGAIN_MS : dueOf(endpoint))));
  const current = (n: number) => readEndpoints(sql).find((endpoint) => endpoint.n === n);

  const deliver = async ({ n, id }: Endpoint, budget: { left: number }): Promise<void> => {
    try {
      while (budget.left > 0 && calls?.hasLeft() !== false) {
        budget.left -= 1;
        const endpoint = current(n);
        const batch = endpoint && nextBatch({ sql, now: now() }, endpoint);
        if (!batch) break;
        calls?.take();
        const attempts = await notifier(notifierName(team(), id)).deliver(batch);
        transaction(() => {
          const after = current(n);
          if (after) settleBatch({ sql, now: now(), random, team: team() }, after, attempts);
        });
      }
      lost.delete(n);
    } catch (error) {
      const failures = (lost.get(n)?.failures ?? 0) + 1;
      lost.set(n, { failures, until: now() + Math.min(LOST_MS.most, LOST_MS.least * 2 ** (failures - 1)) });
      log("notifier_lost", { webhook: id, error: error instanceof Error ? error.message : String(error) });
    }
    busy.delete(n);
    wake(next());
  };

  const run = () => {
    const ready = readEndpoints(sql).filter((endpoint) => !busy.has(endpoint.n) && dueOf(endpoint) <= now());
    const budget = { left: MOST_BATCHES };
    const work = ready.map((endpoint) => {
      busy.add(endpoint.n);
      return deliver(endpoint, budget);
    });
    if (work.length > 0) wake(now() + LOOK_AGAIN_MS);
    return work;
  };

  return { run, next };
};
