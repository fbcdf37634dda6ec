import { reasons } from "./reasons.ts";
import type { Call } from "./types.ts";

/** The id of a webhook as it is shown: `wh_` and its `seq` in base 36. */
export const webhookIdOf = (seq: number): string => `wh_${seq.toString(36)}`;
export const seqOf = (id: string): number | undefined => {
  const match = /^wh_([0-9a-z]{1,11})$/.exec(id);
  const seq = match?.[1] ? Number.parseInt(match[1], 36) : Number.NaN;
  return Number.isSafeInteger(seq) ? seq : undefined;
};
/** When a webhook was accepted, Unix ms. */
export const acceptedAt = (seq: number): number => Math.floor(seq / 1000);

export const isOpen = (call: Pick<Call, "state">): boolean => call.state === "waiting" || call.state === "sending";

/** True for a call that `forget` ended. */
export const wasForgotten = ({ state, acts }: Pick<Call, "state" | "acts">): boolean =>
  state === "dead" && acts?.at(-1)?.act === "forget";

/** True for a call that a person or a `forget` ended. */
export const isDiscarded = ({ state, acts }: Pick<Call, "state" | "acts">): boolean => {
  const last = acts?.at(-1)?.act;
  return state === "dead" && (last === "discard" || last === "forget");
};

/** True where a person has to decide: the call is dead or parked, and was not discarded. */
export const needsAttention = (call: Pick<Call, "state" | "acts">): boolean =>
  (call.state === "dead" || call.state === "parked") && !isDiscarded(call);

/** True for a mail that was skipped because of its age. */
export const isTooOld = ({ state, message }: Pick<Call, "state" | "message">): boolean =>
  state === "skipped" && message?.startsWith(reasons.tooOld) === true;

/** The rule of a call that moves the values of a former address, which no rule has planned. */
export const FORMER = "former address";
