/** A person to find. `ref` is a provider's id. */
export type Subject = { email: string } | { userId: string; ref: string };

/** Provider ids: known prefix, UUID (Polar), or number (Shopify, Lemon Squeezy). */
const IDS = [
  /^(cus|ctm|cust|sub|in|cs|pi)_[A-Za-z0-9]/,
  /^((user|member|organization)-(test|live)-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  /^\d{5,}$/,
];

/** The halves have the same length limits. */
const ADDRESS = /^(?=.{3,320}$)[^\s@]+@[^\s@]+$/;
const LONGEST = 500;

/** Parses an identifier; undefined if impossible. */
export const subjectOf = (text: string): Subject | undefined => {
  const id = text.trim();
  if (ADDRESS.test(id)) return { email: id };
  if (id === "" || id.length > LONGEST) return undefined;
  return { userId: id, ref: id };
};

/** Returns the page of a whole identifier; undefined otherwise. */
export const pageOf = (text: string): { to: "/webhooks/$id" | "/sent/$id" | "/people/$id"; id: string } | undefined => {
  if (/^wh_[0-9a-z]+(\.\d+)?$/.test(text)) return { to: "/webhooks/$id", id: text.replace(/\.\d+$/, "") };
  if (/^snd_[0-9a-z_]+$/.test(text)) return { to: "/sent/$id", id: text };
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) || IDS.some((regExp) => regExp.test(text)))
    return { to: "/people/$id", id: text };
  return undefined;
};
