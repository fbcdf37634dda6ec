import { isAscii } from "../../../../lib/util/email-key.ts";
import type { Message } from "../../../types/mail.ts";
import type { Session } from "./session.ts";

/** Why a mail is refused without a question to the relay. `local`: because of its recipient, so that it says nothing about other mails. */
export type Problem = { message: string; local?: true };

type Offer = Pick<Session, "smtpUtf8" | "eightBit" | "maxSize">;

/**
 * Why this relay cannot take the message at all: known before a byte of it is sent. What is not about a recipient may be the same for every
 * mail of this sender, such as a reply address that needs SMTPUTF8: it counts as if the relay had refused it.
 */
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
  if (eightBit && !takesEightBit) return "The mail has 8-bit characters, and the relay does not offer 8BITMIME.";
  return maxSize !== undefined && raw.length > maxSize
    ? `The mail has ${raw.length} bytes. The relay accepts ${maxSize}.`
    : undefined;
};

const UNSAFE = "An address of the envelope has a space, an angle bracket or a control character.";
const NO_SMTPUTF8 = "The mail needs SMTPUTF8 for an address that is not ASCII, and the relay does not offer it.";

const isUnsafe = (address: string): boolean => /[\0-\x20\x7f<>]/.test(address);

/** True when only a relay with SMTPUTF8 (RFC 6531) may get the message. */
export const needsUtf8 = ({ smtpUtf8, envelope }: Message): boolean =>
  smtpUtf8 || ![envelope.from, ...envelope.to].every(isAscii);
