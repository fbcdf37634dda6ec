/** Refuses `javascript:`, `data:` and bare paths. */
export const isLink = (url: string): boolean => /^(?:https?:\/\/|mailto:|tel:)/i.test(url);

/** Marks an untracked link, directly after its address. */
export const UNTRACKED = " data-notrack";

export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);
