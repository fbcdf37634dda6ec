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

/** True for a mail that was skipped because of its age. */
export const isTooOld = ({ state, message }: Pick<Call, "state" | "message">): boolean =>
  state === "skipped" && message?.startsWith(reasons.tooOld) === true;

/** Replaces an erased text. */
export const ERASED = "[erased]";

/** Begins the message of an update about one subscription where the contact shows another one. */
export const SHOWS_OTHER = "The person has a better subscription, which the contact shows:";
/** Why a call about the end of something is done without a request that changes anything. */
export const NOBODY = "No webhook has named this person, and the host has no such contact. The call makes none.";
/** Why a call that removes an unverified account is done without a request that changes anything. */
export const NOT_MADE = "The contact with the unverified address was not made by the account, so it stays as it is.";
/** Why a call that deletes a person has not deleted the contact with the address. */
export const OF_ANOTHER =
  "The contact with the address of this person belongs to another user at the host, so it stays.";

/** The rule of a call that moves the values of a former address, which no rule has planned. */
export const FORMER = "former address";
/** Why a call that moves the values of a former address is done after its first request. */
export const NO_FORMER = "The host has no contact of its own for the former address of this user.";
/** Why a call that moves the values of a former address is skipped. */
export const NOT_FORMER = "The former address belongs to another user now, so its contact stays as it is.";

/** End of the message of an attempt that the host refused because user id and address belong to two contacts. */
export const ALONE = "The call is sent with the user id alone now.";
