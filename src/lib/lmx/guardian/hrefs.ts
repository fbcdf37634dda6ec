import { isLink, isPublicHost } from "../language/links.ts";
import { splitVariables } from "../language/variables.ts";
import { decode } from "../parse/entities.ts";

/** A link before values are filled. `known` is the text before the first variable. */
export type Href = { known: string; whole: boolean; raw: string };

export const hrefOf = (raw: string): Href => {
  const pieces = splitVariables(raw.trim());
  const [first = ""] = pieces;
  return {
    known: typeof first === "string" ? decode(first) : "",
    whole: pieces.every((piece) => typeof piece === "string"),
    raw: raw.trim(),
  };
};

const EMAIL = /^[^\s@/:?#]+@[^\s@/:?#]+\.[^\s@/:?#.]+$/;

const authorityOf = ({ known, whole }: Href): string | undefined => {
  const [, authority, end] = /^https?:\/\/([^/?#]*)([/?#]?)/i.exec(known) ?? [];
  return authority !== undefined && (end !== "" || whole) ? authority : undefined;
};

/** True for an email address without `mailto:`, even behind `https://`. */
export const isBareEmail = (href: Href): boolean => {
  const text = decode(href.raw).replace(/^https?:\/\//i, "");
  return EMAIL.test(text.replace(/\{[^{}]*\}/g, "x"));
};

export const isShortYouTube = (href: Href): boolean => /^(?:www\.)?youtu\.be$/i.test(authorityOf(href) ?? "");

export const isInsecure = ({ known }: Href): boolean => /^http:\/\//i.test(known);

const OWN_MACHINE = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i;

const isBadWebAddress = (href: Href): boolean => {
  const authority = authorityOf(href);
  if (authority === undefined) return false;
  // A user name before the host is a phishing trick: browsers warn or omit it.
  if (authority.includes("@") || !URL.canParse(`https://${authority}`)) return true;
  const { hostname } = new URL(`https://${authority}`);
  return OWN_MACHINE.test(hostname) || !isPublicHost(hostname);
};

/** `mailto:?subject=…` leaves the address to the reader. */
const isBadMailto = ({ known, whole }: Href): boolean => {
  const [, addresses] = /^mailto:([^?]*)/i.exec(known) ?? [];
  if (!whole || addresses === undefined) return false;
  if (addresses === "") return !/^mailto:\?./i.test(known);
  return !addresses.split(",").every((one) => EMAIL.test(one.trim()));
};

const isBadTel = ({ known, whole }: Href): boolean => whole && /^tel:\D*$/i.test(known);

/** Returns the fault of a link; undefined if valid or unknown. */
export const faultOf = (href: Href): string | undefined => {
  if (href.known === "") return undefined;
  if (!isLink(href.known)) return "give a full address such as https://example.com (or mailto: or tel:)";
  if (isBadWebAddress(href)) return "give an address that every reader can open";
  if (isBadMailto(href)) return "give an email address after mailto:";
  return isBadTel(href) ? "give a telephone number after tel:" : undefined;
};
