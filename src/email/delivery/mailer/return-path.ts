import { bounceAddress } from "../../mail/bounces/token.ts";
import { wireAddress } from "../../mail/mime/address.ts";
import type { Mail } from "../../types/mail.ts";

/**
 * The return path of a mail (RFC 5321 section 4.4): the address that bounces go to. On the envelope subdomain it names the send
 * by its token; without one it is the From address.
 */
export const returnPathOf = (
  { from }: Pick<Mail, "from">,
  envelope: string | undefined,
  token: string | undefined,
): string =>
  envelope === undefined || token === undefined ? (wireAddress(from.address) ?? "") : bounceAddress(token, envelope);
