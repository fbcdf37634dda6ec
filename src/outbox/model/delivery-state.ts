import type { PlannedDelivery } from "../../rules/types.ts";
import type { Attempt, Delivery } from "./journal-types.ts";
import { reasons } from "./reasons.ts";

/** Formats a webhook id: `wh_` and `seq` in base 36. */
export const webhookIdOf = (seq: number): string => `wh_${seq.toString(36)}`;
export const seqOf = (id: string): number | undefined => {
  const match = /^wh_([0-9a-z]{1,11})$/.exec(id);
  const seq = match?.[1] ? Number.parseInt(match[1], 36) : Number.NaN;
  return Number.isSafeInteger(seq) ? seq : undefined;
};
/** Converts `seq` to Unix ms. */
export const acceptedAt = (seq: number): number => Math.floor(seq / 1000);

export const isOpen = (delivery: Pick<Delivery, "state">): boolean =>
  delivery.state === "waiting" || delivery.state === "sending";

/** True if an erasure ended the delivery. */
export const wasErased = ({ state, acts }: Pick<Delivery, "state" | "acts">): boolean =>
  state === "failed" && acts?.at(-1)?.act === "erase";

/** True if an operator or an erasure ended the delivery. */
export const isDiscarded = ({ state, acts }: Pick<Delivery, "state" | "acts">): boolean => {
  const last = acts?.at(-1)?.act;
  return state === "failed" && (last === "discard" || last === "erase");
};

/** True if failed or undecided, and not discarded. */
export const needsAttention = (delivery: Pick<Delivery, "state" | "acts">): boolean =>
  (delivery.state === "failed" || delivery.state === "undecided") && !isDiscarded(delivery);

/** True if a mail or event was skipped because of its age. */
export const isTooOld = ({ state, message }: Pick<Delivery, "state" | "message">): boolean =>
  state === "skipped" && message?.startsWith(reasons.tooOld) === true;

/** True if its age or the stored state was against the delivery, so that an operator may still send it. */
export const isPassedOver = (delivery: Pick<Delivery, "state" | "message">): boolean =>
  isTooOld(delivery) ||
  (delivery.state === "skipped" &&
    [reasons.byState, reasons.hasOther].some((reason) => delivery.message?.startsWith(reason)));

const MAX_ATTEMPTS = 20;

/** The attempts of a delivery with a new one: the first and the newest are kept. */
export const withAttempt = ({ attempts }: Pick<Delivery, "attempts">, attempt: Attempt): Attempt[] => [
  ...attempts.slice(0, 1),
  ...attempts.slice(1).slice(2 - MAX_ATTEMPTS),
  attempt,
];

/** Rule name of deliveries that move a former address's values; no rule plans them. */
export const FORMER = "former address";

/** Rule name of deliveries that write a contact again, because a customer left it or came to it; no rule plans them. */
export const MOVED = "customer moved";

/** Rule name of deliveries that write the name of an object that came later; no rule plans them. */
export const NAMED = "name of a product";

/** A delivery that the bridge adds to an accepted webhook. `now`: Unix ms. */
export const waitingSince = (planned: PlannedDelivery & Pick<Delivery, "key" | "restates">, now: number): Delivery => ({
  ...planned,
  state: "waiting",
  due: now,
  attempts: [],
  plannedAt: now,
});
