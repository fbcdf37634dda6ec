/** A person, as the bridge and the email service can be asked for one. `ref`: a provider's own id, such as "cus_1". */
export type Subject = { email: string } | { userId: string } | { ref: string };

/** Beginnings of the ids that providers give to customers. */
const REFS = /^(cus|ctm|cust|sub|in|cs|pi)_[A-Za-z0-9]/;

/** As long as the halves take an address, and another identifier. */
const ADDRESS = /^(?=.{3,320}$)[^\s@]+@[^\s@]+$/;
const LONGEST = 500;

/** The person that an identifier names; undefined for a text that can be none. */
export const subjectOf = (text: string): Subject | undefined => {
  const id = text.trim();
  if (ADDRESS.test(id)) return { email: id };
  if (id === "" || id.length > LONGEST) return undefined;
  return REFS.test(id) ? { ref: id } : { userId: id };
};

/** Where the search box leads to for a text. Undefined: the text is no whole identifier, so the list is searched. */
export const placeOf = (
  text: string,
): { to: "/webhooks/$id" | "/mail/$id" | "/people/$id"; id: string } | undefined => {
  if (/^wh_[0-9a-z]+(\.\d+)?$/.test(text)) return { to: "/webhooks/$id", id: text.replace(/\.\d+$/, "") };
  if (/^snd_[0-9a-z_]+$/.test(text)) return { to: "/mail/$id", id: text };
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) || REFS.test(text)) return { to: "/people/$id", id: text };
  return undefined;
};
