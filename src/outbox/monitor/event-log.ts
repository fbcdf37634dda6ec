import { log } from "../../lib/util/log.ts";
import { acceptedAt, idOf, isOpen } from "../model/calls.ts";
import type { Observation } from "../model/observation.ts";
import type { Call } from "../model/types.ts";

/** Characters of an event's type that are logged: it is the sender's text. */
const MOST = 100;

/** One line per webhook, and one per call that came to an end. No message of the host: it may name a person. */
export const logObservation = (observation: Observation): void => {
  if (observation.kind === "webhook") {
    const { seq, source, duplicate, calls } = observation;
    const type = observation.type.slice(0, MOST);
    log(duplicate ? "webhook_duplicate" : "webhook_accepted", { id: idOf(seq), source, type, calls: calls.length });
    for (const [index, call] of calls.entries()) logCall(seq, index, call);
  } else if (observation.kind === "call") logCall(observation.seq, observation.index, observation.call);
};

const logCall = (seq: number, index: number, call: Call): void => {
  if (isOpen(call)) return;
  const { rule, action, state, attempts, settledAt } = call;
  log("call_settled", {
    ...{ id: `${idOf(seq)}.${index}`, rule, action, state, tries: attempts.length, status: attempts.at(-1)?.status },
    // From the acceptance of its webhook.
    ms: settledAt === undefined ? undefined : settledAt - acceptedAt(seq),
  });
};
