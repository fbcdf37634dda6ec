import { type HealthStatus, problemsOf } from "./problems.ts";

type Health = { status: "ok" | "degraded" | "blocked"; reasons: string[]; waiting: number };

/** Returns the health with reasons. Contains no person or address. */
export const healthOf = (status: HealthStatus): Health => {
  const problems = problemsOf(status, 0);
  const isStopped = problems.some(({ kind }) => kind === "blocked" || kind === "outage");
  return {
    status: isStopped ? "blocked" : problems.length > 0 ? "degraded" : "ok",
    reasons: problems.map(({ message }) => message),
    waiting: status.waiting,
  };
};

/** Milliseconds. Anyone may ask, so requests must not always reach the object. */
const REPEAT = 3_000;

/** Caches the state for a few seconds. Keeps a value, never a promise: requests must not wait for each other. */
export const createHealth = (now: () => number) => {
  let known: Health | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return async (ask: () => Promise<HealthStatus>): Promise<Health> => {
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
