import { bounceAddress } from "../../mail/bounces/return-path-token.ts";
import { wireAddress } from "../../mail/mime/address.ts";
import type { Mail } from "../../types/mail-handover.ts";

/** Builds the return path (RFC 5321 section 4.4): a token address on the envelope subdomain, else From. */
export const returnPathOf = (
  { from }: Pick<Mail, "from">,
  envelope: string | undefined,
  token: string | undefined,
): string =>
  envelope === undefined || token === undefined ? (wireAddress(from.address) ?? "") : bounceAddress(token, envelope);
