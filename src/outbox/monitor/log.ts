import { log } from "../../lib/util/log.ts";
import { acceptedAt, isOpen, webhookIdOf } from "../model/delivery-state.ts";
import type { Delivery } from "../model/journal-types.ts";
import type { Arrival, Observation } from "../model/observation.ts";

/** Characters: the sender chooses this text. */
const MAX_TYPE = 100;
/** Webhooks of a line. The platform cuts a line off at 256 kB. */
const MAX_WEBHOOKS = 100;

/** Logs the webhooks of each commit, and settled deliveries. Messages are left out: they may name a person. */
export const logObservation = (observation: Observation): void => {
  if (observation.kind === "webhooks") {
    for (let from = 0; from < observation.webhooks.length; from += MAX_WEBHOOKS)
      logWebhooks(observation.webhooks.slice(from, from + MAX_WEBHOOKS));
    for (const { seq, deliveries } of observation.webhooks)
      for (const [index, delivery] of deliveries.entries()) logDelivery(seq, index, delivery);
  } else if (observation.kind === "delivery") logDelivery(observation.seq, observation.index, observation.delivery);
};

/** A line costs as much as reading an identity, so under load a commit has one. */
const logWebhooks = (webhooks: readonly Arrival[]): void => {
  const [first] = webhooks;
  if (first && webhooks.length === 1) {
    const { seq, source, duplicate, deliveries } = first;
    const fields = { id: webhookIdOf(seq), source, type: first.type.slice(0, MAX_TYPE), deliveries: deliveries.length };
    log(duplicate ? "webhook_duplicate" : "webhook_accepted", fields);
    return;
  }
  log("webhooks_accepted", {
    count: webhooks.length,
    duplicates: webhooks.filter(({ duplicate }) => duplicate).length,
    deliveries: webhooks.reduce((sum, { deliveries }) => sum + deliveries.length, 0),
    webhooks: webhooks.map(shownIn).join(", "),
  });
};

const shownIn = ({ seq, source, type, duplicate, deliveries }: Arrival): string =>
  `${webhookIdOf(seq)} ${source} ${type.slice(0, MAX_TYPE)} ${duplicate ? "duplicate" : deliveries.length}`;

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
