import { log } from "../../../lib/util/log.ts";
import { type NotifierRpc, notifierName } from "../../types/notifier.ts";
import { nextBatch, nextDue, settleBatch } from "./deliveries.ts";
import { type Endpoint, readEndpoints } from "./endpoints.ts";

/** Batches of one endpoint in one go. Then the alarm goes on, because a request may call other objects only so often. */
const ROUNDS = 40;
/** When the alarm looks at an endpoint that is busy, in ms: after a crash, nothing else starts its delivery again. */
const LOOK_AGAIN_MS = 60_000;
/** Pause of an endpoint whose Notifier failed, in ms. */
const LOST_MS = 10_000;

/** Everything that the pump needs besides its own memory. */
export type WebhookPumpDependencies = {
  sql: SqlStorage;
  /** Runs statements that belong together. */
  transaction<T>(work: () => T): T;
  /** Slug of the team. */
  team(): string;
  notifier(name: string): NotifierRpc;
  now(): number;
  random(): number;
  /** Has the alarm run at `at`, in Unix ms, or earlier. */
  wake(at: number): void;
};

export type WebhookPump = {
  /** Starts delivery to each endpoint that has something due and is not busy. Returns the work, which outlives the request. */
  run(): Promise<void>[];
  /** When `run` is needed next, in Unix ms; infinity when nothing waits. */
  next(): number;
};

/**
 * Moves events from their rows to the Notifiers, one batch of each endpoint at a time. A row stays due until its result is
 * recorded: after a crash it is delivered again, and none is lost.
 */
export const createWebhookPump = (dependencies: WebhookPumpDependencies): WebhookPump => {
  const { sql, transaction, team, notifier, now, random, wake } = dependencies;
  /** Endpoints with a batch in flight. */
  const busy = new Set<number>();
  /** Endpoints whose Notifier failed, with the end of their pause in Unix ms. */
  const lost = new Map<number, number>();

  const next = () =>
    Math.min(
      ...readEndpoints(sql).map((endpoint) =>
        busy.has(endpoint.n) ? now() + LOOK_AGAIN_MS : Math.max(nextDue(sql, endpoint), lost.get(endpoint.n) ?? 0),
      ),
    );
  const current = (n: number) => readEndpoints(sql).find((endpoint) => endpoint.n === n);

  const deliver = async ({ n, id }: Endpoint): Promise<void> => {
    try {
      for (let round = 0; round < ROUNDS; round++) {
        // Read again each time: the endpoint may have been changed meanwhile.
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
    const work = ready.map((endpoint) => {
      busy.add(endpoint.n);
      return deliver(endpoint);
    });
    if (work.length > 0) wake(now() + LOOK_AGAIN_MS);
    return work;
  };

  return { run, next };
};
