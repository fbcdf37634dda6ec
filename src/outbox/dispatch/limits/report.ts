import { log } from "../../../lib/util/log.ts";
import type { EngineContext } from "../../model/dependencies.ts";
import type { Interruption } from "../../model/interruption.ts";
import type { Outcome } from "../../model/outcome.ts";

export const reportInterruption = (
  deps: EngineContext,
  interruption: Interruption | undefined,
  before: Interruption | undefined,
  outcome: Outcome,
  now: number,
): void => {
  // A failed probe of an outage says nothing new.
  const isNew = interruption?.reason !== "outage" || interruption.message !== before?.message;
  if (interruption && isNew) {
    // The message is left out: it may name a contact.
    const { reason, until } = interruption;
    log("dispatch_interrupted", { reason, status: outcome.status, ms: until - now });
  }
  deps.observe({ kind: "interruption", interruption });
};
