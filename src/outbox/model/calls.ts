import { reasons } from "./reasons.ts";
import type { Call } from "./types.ts";

/** Formats a webhook id: `wh_` and `seq` in base 36. */
export const webhookIdOf = (seq: number): string => `wh_${seq.toString(36)}`;
export const seqOf = (id: string): number | undefined => {
  const match = /^wh_([0-9a-z]{1,11})$/.exec(id);
  const seq = match?.[1] ? Number.parseInt(match[1], 36) : Number.NaN;
  return Number.isSafeInteger(seq) ? seq : undefined;
};
/** Converts `seq` to Unix ms. */
export const acceptedAt = (seq: number): number => Math.floor(seq / 1000);

export const isOpen = (call: Pick<Call, "state">): boolean => call.state === "waiting" || call.state === "sending";

/** True if an erasure ended the delivery. */
export const wasForgotten = ({ state, acts }: Pick<Call, "state" | "acts">): boolean =>
  state === "dead" && acts?.at(-1)?.act === "forget";

/** True if an operator or an erasure ended the delivery. */
export const isDiscarded = ({ state, acts }: Pick<Call, "state" | "acts">): boolean => {
  const last = acts?.at(-1)?.act;
  return state === "dead" && (last === "discard" || last === "forget");
};

/** True if failed or undecided, and not discarded. */
export const needsAttention = (call: Pick<Call, "state" | "acts">): boolean =>
  (call.state === "dead" || call.state === "parked") && !isDiscarded(call);

/** True if a mail was skipped because of its age. */
export const isTooOld = ({ state, message }: Pick<Call, "state" | "message">): boolean =>
  state === "skipped" && message?.startsWith(reasons.tooOld) === true;

/** Rule name of deliveries that move a former address's values; no rule plans them. */
export const FORMER = "former address";
