import { wireAddress } from "../mime/address.ts";
import type { Mail } from "../types/mail.ts";

/**
 * The return path of a mail: the address that bounces go to. On the envelope subdomain it names the send; without one it is
 * the From address.
 */
export const returnPathOf = ({ id, from }: Pick<Mail, "id" | "from">, envelope: string | undefined): string =>
  envelope === undefined ? (wireAddress(from.address) ?? "") : `bounces+${id}@${envelope}`;
