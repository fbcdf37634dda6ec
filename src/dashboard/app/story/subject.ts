/**
 * A person, as the bridge and the email service can be asked for one. `ref`: a provider's own id. A text does not say which of the two it
 * is: a user id may be "cus_own42", and Shopify counts its customers.
 */
export type Subject = { email: string } | { userId: string; ref: string };

/** Texts that are whole ids of providers: with a known beginning, a UUID as of Polar, or a number as of Shopify and Lemon Squeezy. */
const IDS = [
  /^(cus|ctm|cust|sub|in|cs|pi)_[A-Za-z0-9]/,
  /^((user|member|organization)-(test|live)-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  /^\d{5,}$/,
];

/** As long as the halves take an address, and another identifier. */
const ADDRESS = /^(?=.{3,320}$)[^\s@]+@[^\s@]+$/;
const LONGEST = 500;

/** The person that an identifier names; undefined for a text that can be none. */
export const subjectOf = (text: string): Subject | undefined => {
  const id = text.trim();
  if (ADDRESS.test(id)) return { email: id };
  if (id === "" || id.length > LONGEST) return undefined;
  return { userId: id, ref: id };
};

/** Where the search box leads to for a text. Undefined: the text is no whole identifier, so the list is searched. */
export const placeOf = (
  text: string,
): { to: "/webhooks/$id" | "/mail/$id" | "/people/$id"; id: string } | undefined => {
  if (/^wh_[0-9a-z]+(\.\d+)?$/.test(text)) return { to: "/webhooks/$id", id: text.replace(/\.\d+$/, "") };
  if (/^snd_[0-9a-z_]+$/.test(text)) return { to: "/mail/$id", id: text };
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) || IDS.some((one) => one.test(text)))
    return { to: "/people/$id", id: text };
  return undefined;
};
