import type { Refusal } from "../lib/contract/errors.ts";
import { log } from "../lib/util/log.ts";
import { stateRefusalOf } from "../lib/util/state-refusal.ts";

/** Logs an unexpected error and returns its refusal, without the message: it may quote stored data. */
export const failureOf = (error: Error, toOperator = false): Refusal & { code: "state_refused" | "internal_error" } => {
  const refused = stateRefusalOf(error, toOperator);
  if (refused) return refused;
  const { code } = error as { code?: unknown };
  log("request_failed", { error: error.name, ...(typeof code === "string" ? { code } : {}) });
  return { code: "internal_error", message: "An internal error occurred." };
};
