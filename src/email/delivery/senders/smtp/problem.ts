import { isAscii } from "../../../../lib/util/email-key.ts";
import type { Message } from "../../../types/mail-handover.ts";
import type { Session } from "./session.ts";

/** `local`: the recipient is the reason, so other mails are unaffected. */
export type Problem = { message: string; local?: true };

type Offer = Pick<Session, "smtpUtf8" | "eightBit" | "maxSize">;

/** Returns why this mail provider cannot take the message, checked before sending. */
export const problemOf = (session: Offer, message: Message, eightBit: boolean): Problem | undefined => {
  const ofRecipient = problemOfRecipients(session, message.envelope.to);
  if (ofRecipient !== undefined) return { message: ofRecipient, local: true };
  const ofMail = problemOfMail(session, message, eightBit);
  return ofMail === undefined ? undefined : { message: ofMail };
};

const problemOfRecipients = ({ smtpUtf8 }: Offer, to: readonly string[]): string | undefined => {
  if (to.length === 0) return "The envelope has no recipient.";
  if (to.some(isUnsafe)) return UNSAFE;
  return !to.every(isAscii) && !smtpUtf8 ? NO_SMTPUTF8 : undefined;
};

const problemOfMail = (
  { smtpUtf8, eightBit: takesEightBit, maxSize }: Offer,
  message: Message,
  eightBit: boolean,
): string | undefined => {
  const { envelope, raw } = message;
  if (isUnsafe(envelope.from)) return UNSAFE;
  if (needsUtf8(message) && !smtpUtf8) return NO_SMTPUTF8;
  if (eightBit && !takesEightBit)
    return "The mail has 8-bit characters, and the mail provider does not offer 8BITMIME.";
  return maxSize !== undefined && raw.length > maxSize
    ? `The mail has ${raw.length} bytes. The mail provider accepts ${maxSize}.`
    : undefined;
};

const UNSAFE = "An address of the envelope has a space, an angle bracket or a control character.";
const NO_SMTPUTF8 =
  "The mail needs SMTPUTF8 for an address that is not ASCII, and the mail provider does not offer it.";

const isUnsafe = (address: string): boolean => /[\0-\x20\x7f<>]/.test(address);

/** True if the message requires SMTPUTF8 (RFC 6531). */
export const needsUtf8 = ({ smtpUtf8, envelope }: Message): boolean =>
  smtpUtf8 || ![envelope.from, ...envelope.to].every(isAscii);
