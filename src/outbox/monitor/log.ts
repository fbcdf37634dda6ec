import { log } from "../../lib/util/log.ts";
import { acceptedAt, isOpen, webhookIdOf } from "../model/delivery-state.ts";
import type { Delivery } from "../model/journal-types.ts";
import type { Observation } from "../model/observation.ts";

/** Characters: the sender chooses this text. */
const MAX_TYPE = 100;

/** Logs accepted webhooks and settled deliveries. Messages are left out: they may name a person. */
export const logObservation = (observation: Observation): void => {
  if (observation.kind === "webhook") {
    const { seq, source, duplicate, deliveries } = observation;
    const type = observation.type.slice(0, MAX_TYPE);
    log(duplicate ? "webhook_duplicate" : "webhook_accepted", {
      id: webhookIdOf(seq),
      source,
      type,
      deliveries: deliveries.length,
    });
    for (const [index, delivery] of deliveries.entries()) logDelivery(seq, index, delivery);
  } else if (observation.kind === "delivery") logDelivery(observation.seq, observation.index, observation.delivery);
};

const logDelivery = (seq: number, index: number, delivery: Delivery): void => {
  if (isOpen(delivery)) return;
  const { rule, action, state, attempts, settledAt } = delivery;
  log("delivery_settled", {
    id: `${webhookIdOf(seq)}.${index}`,
    rule,
    action,
    state,
    attempts: attempts.length,
    status: attempts.at(-1)?.status,
    ms: settledAt === undefined ? undefined : settledAt - acceptedAt(seq),
  });
};
