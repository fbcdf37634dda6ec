import { log } from "../../lib/util/log.ts";
import { acceptedAt, isOpen, webhookIdOf } from "../model/calls.ts";
import type { Observation } from "../model/observation.ts";
import type { Call } from "../model/types.ts";

/** Characters: the sender chooses this text. */
const MAX_TYPE = 100;

/** Logs accepted webhooks and settled deliveries. Messages are left out: they may name a person. */
export const logObservation = (observation: Observation): void => {
  if (observation.kind === "webhook") {
    const { seq, source, duplicate, calls } = observation;
    const type = observation.type.slice(0, MAX_TYPE);
    log(duplicate ? "webhook_duplicate" : "webhook_accepted", {
      id: webhookIdOf(seq),
      source,
      type,
      calls: calls.length,
    });
    for (const [index, call] of calls.entries()) logCall(seq, index, call);
  } else if (observation.kind === "call") logCall(observation.seq, observation.index, observation.call);
};

const logCall = (seq: number, index: number, call: Call): void => {
  if (isOpen(call)) return;
  const { rule, action, state, attempts, settledAt } = call;
  log("call_settled", {
    id: `${webhookIdOf(seq)}.${index}`,
    rule,
    action,
    state,
    attempts: attempts.length,
    status: attempts.at(-1)?.status,
    ms: settledAt === undefined ? undefined : settledAt - acceptedAt(seq),
  });
};
