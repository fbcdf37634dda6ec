import { log } from "./log.ts";
import { stateProblemOf } from "./migrate.ts";

/** Logs why an object refused its state, with the cure, which only an operator is told. Returns undefined for another error. */
export const stateRefusalOf = (error: unknown, toOperator = false) => {
  const problem = stateProblemOf(error);
  if (problem === undefined) return undefined;
  log("state_refused", { error: problem });
  const message = toOperator ? problem : "This service is being repaired. Try again later.";
  return { code: "state_refused", message, retryAfter: 60 } as const;
};
