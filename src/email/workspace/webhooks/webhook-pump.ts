import { log } from "../../../lib/util/log.ts";
import { type NotifierRpc, notifierName } from "../../types/notifier-rpc.ts";
import { type Endpoint, readEndpoints } from "./endpoints.ts";
import { nextBatch, nextDue, settleBatch } from "./notifications.ts";

/** Batches of all endpoints in one event, which has a limit of calls to other objects. The alarm continues. */
const MOST_BATCHES = 40;
/** Only the alarm restarts a busy endpoint's notify after a crash. */
const LOOK_AGAIN_MS = 60_000;
const LOST_MS = 10_000;

export type WebhookPumpDependencies = {
  sql: SqlStorage;
  transaction<T>(work: () => T): T;
  team(): string;
  notifier(name: string): Pick<NotifierRpc, "deliver">;
  now(): number;
  random(): number;
  wake(at: number): void;
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
  const { sql, transaction, team, notifier, now, random, wake } = dependencies;
  const busy = new Set<number>();
  const lost = new Map<number, number>();

  const next = () =>
    Math.min(
      ...readEndpoints(sql).map((endpoint) =>
        busy.has(endpoint.n) ? now() + LOOK_AGAIN_MS : Math.max(nextDue(sql, endpoint), lost.get(endpoint.n) ?? 0),
      ),
    );
  const current = (n: number) => readEndpoints(sql).find((endpoint) => endpoint.n === n);

  const deliver = async ({ n, id }: Endpoint, budget: { left: number }): Promise<void> => {
    try {
      while (budget.left > 0) {
        budget.left -= 1;
        const endpoint = current(n);
        const batch = endpoint && nextBatch({ sql, now: now() }, endpoint);
        if (!batch) break;
        const attempts = await notifier(notifierName(team(), id)).deliver(batch);
        transaction(() => {
          const after = current(n);
          if (after) settleBatch({ sql, now: now(), random, team: team() }, after, attempts);
        });
      }
      lost.delete(n);
    } catch (error) {
      lost.set(n, now() + LOST_MS);
      log("notifier_lost", { webhook: id, error: error instanceof Error ? error.message : String(error) });
    }
    busy.delete(n);
    wake(next());
  };

  const run = () => {
    const ready = readEndpoints(sql).filter(
      (endpoint) => !busy.has(endpoint.n) && Math.max(nextDue(sql, endpoint), lost.get(endpoint.n) ?? 0) <= now(),
    );
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
