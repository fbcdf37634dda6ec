import { bounceAddress, unsubscribeAddress } from "../../mail/bounces/return-path-token.ts";
import { wireAddress } from "../../mail/mime/address.ts";
import type { BackAddresses } from "../../mail/mime/mime-message.ts";
import type { Mail } from "../../types/mail-handover.ts";

/** Returns the addresses with the token of a mail; undefined if mail to the return path does not arrive here. */
export const backAddressesOf = (envelope: string | undefined, token: string | undefined): BackAddresses | undefined =>
  envelope === undefined || token === undefined
    ? undefined
    : { bounce: bounceAddress(token, envelope), unsubscribe: unsubscribeAddress(token, envelope) };

/** Returns the return path (RFC 5321 section 4.4): a token address on the envelope subdomain, else From. */
export const returnPathOf = ({ from }: Pick<Mail, "from">, back: BackAddresses | undefined): string =>
  back?.bounce ?? wireAddress(from.address) ?? "";
