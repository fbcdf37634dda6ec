import { log } from "../../../lib/util/log.ts";
import type { EngineContext } from "../../model/dependencies.ts";
import type { Interruption } from "../../model/interruption.ts";
import type { Outcome } from "../../model/outcome.ts";

/** Reports that an outcome has interrupted delivery or ended the interruption. */
export const reportInterruption = (
  deps: EngineContext,
  interruption: Interruption | undefined,
  outcome: Outcome,
  now: number,
): void => {
  if (interruption) {
    // Without the host's message: a refusal about one contact may name it.
    const { reason, until } = interruption;
    log("delivery_interrupted", { reason, status: outcome.status, ms: until - now });
  }
  deps.observe({ kind: "interruption", interruption });
};
