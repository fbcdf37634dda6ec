import type { Refusal } from "../lib/contract/errors.ts";
import { log } from "../lib/util/log.ts";
import { stateProblemOf } from "../lib/util/migrate.ts";

/** Logs an unexpected error and returns its refusal, without the message: it may quote stored data. */
export const failureOf = (error: Error): Refusal & { code: "state_refused" | "internal_error" } => {
  const problem = stateProblemOf(error);
  if (problem) {
    log("state_refused", { error: problem });
    return { code: "state_refused", message: problem, retryAfter: 60 };
  }
  const { code } = error as { code?: unknown };
  log("request_failed", { error: error.name, ...(typeof code === "string" ? { code } : {}) });
  return { code: "internal_error", message: "An internal error occurred." };
};
