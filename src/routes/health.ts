import { outageText } from "../outbox/model/interruption.ts";
import type { OutboxRpc } from "../outbox/rpc.ts";

/** Milliseconds. */
const LATE = 300_000;

type Health = { status: "ok" | "degraded" | "blocked"; reasons: string[]; waiting: number };

type Status = Pick<
  Awaited<ReturnType<OutboxRpc["health"]>>,
  "waiting" | "late" | "interruption" | "foreignAnswers" | "pauses" | "quotas" | "problems"
>;

/** Returns the health with reasons. Contains no person or address. */
export const healthOf = ({ waiting, late, interruption, foreignAnswers, pauses, quotas, problems }: Status): Health => {
  const stopped = interruption?.reason === "blocked" || interruption?.reason === "outage";
  const paused = [...(pauses.all === undefined ? [] : ["all deliveries"]), ...Object.keys(pauses.sources)];
  const reasons = [
    ...(interruption?.reason === "outage" ? [`outage: t${outageText(interruption).slice(1)}`] : []),
    ...(interruption?.reason === "blocked"
      ? [`blocked: the email API refuses the API key or cannot be called (attempts so far: ${interruption.probes + 1})`]
      : []),
    ...(interruption?.reason === "backoff" ? ["backoff: the email API answered 429 (too many requests)"] : []),
    ...(foreignAnswers ? [`foreign answers: ${foreignAnswers.message} ${countOf(foreignAnswers)}`] : []),
    ...(late > LATE ? [`late: the oldest delivery has waited for ${Math.round(late / 60_000)} min`] : []),
    ...(paused.length > 0 ? [`paused by a person: ${paused.join(", ")}`] : []),
    ...quotas.map(
      ({ source, used, quota }) =>
        `${used < quota ? "nearly full" : "full, new webhooks are refused"}: ${source} has ${used} webhooks with open deliveries, its quota is ${quota}`,
    ),
    ...problems,
  ];
  return { status: stopped ? "blocked" : reasons.length > 0 ? "degraded" : "ok", reasons, waiting };
};

const countOf = ({ count, since }: NonNullable<Status["foreignAnswers"]>): string => {
  const many = count === 1 ? "1 answer" : `${count} answers`;
  return `(${many} since ${new Date(since).toISOString().slice(11, 16)} UTC; the deliveries are retried)`;
};

/** Milliseconds. Anyone may ask, so requests must not always reach the object. */
const REPEAT = 3_000;

/** Caches the state for a few seconds. Keeps a value, never a promise: requests must not wait for each other. */
export const createHealth = (now: () => number) => {
  let known: Health | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return async (ask: () => Promise<Status>): Promise<Health> => {
    const at = now();
    if (known && Math.abs(at - askedAt) < REPEAT) return known;
    askedAt = at;
    try {
      known = healthOf(await ask());
    } catch (error) {
      // An old response could hide that the object does not respond.
      known = undefined;
      throw error;
    }
    return known;
  };
};
