import type { OutboxRpc } from "../outbox/rpc.ts";

/** Ms after which a call that could have been sent makes delivery late. */
const LATE = 300_000;

type Health = { status: "ok" | "degraded" | "blocked"; reasons: string[]; waiting: number };

type Status = Pick<
  Awaited<ReturnType<OutboxRpc["health"]>>,
  "waiting" | "late" | "interruption" | "foreignAnswers" | "pauses" | "rooms" | "problems"
>;

/** The health of delivery, with reasons where it is not ok. Contains no person and no address. */
export const healthOf = ({ waiting, late, interruption, foreignAnswers, pauses, rooms, problems }: Status): Health => {
  const blocked = interruption?.reason === "blocked";
  const paused = [...(pauses.all === undefined ? [] : ["all delivery"]), ...Object.keys(pauses.sources)];
  const reasons = [
    ...(blocked
      ? [`blocked: the email API refuses the API key or cannot be called (attempts so far: ${interruption.probes + 1})`]
      : []),
    ...(interruption?.reason === "backoff" ? ["backoff: the email API answered 429 (too many requests)"] : []),
    ...(foreignAnswers ? [`foreign answers: ${foreignAnswers.message} ${countOf(foreignAnswers)}`] : []),
    ...(late > LATE ? [`late: the oldest call has waited for ${Math.round(late / 60_000)} min`] : []),
    ...(paused.length > 0 ? [`paused by a person: ${paused.join(", ")}`] : []),
    ...rooms.map(
      ({ source, used, room }) =>
        `${used < room ? "nearly full" : "full, new webhooks are refused"}: ${source} has ${used} open calls, its room is ${room}`,
    ),
    ...problems,
  ];
  return { status: blocked ? "blocked" : reasons.length > 0 ? "degraded" : "ok", reasons, waiting };
};

const countOf = ({ count, since }: NonNullable<Status["foreignAnswers"]>): string => {
  const many = count === 1 ? "1 answer" : `${count} answers`;
  return `(${many} since ${new Date(since).toISOString().slice(11, 16)} UTC; the calls are retried)`;
};

/** Ms for which one isolate repeats an answer. Anyone may ask, so asking must not reach the object each time. */
const REPEAT = 3_000;

/**
 * Returns a function that answers with the state of delivery, asked for at most once in a few seconds. While one request
 * asks, the others get the answer before. It keeps a value, never a promise: a request must not wait for another's.
 *
 * @param ask reads the state, through the request's own bindings
 */
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
      // The next request asks again: an old answer could hide that the object does not answer.
      known = undefined;
      throw error;
    }
    return known;
  };
};
