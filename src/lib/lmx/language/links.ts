/** True for URLs that a link may have. `javascript:`, `data:` and bare paths are refused. */
export const isLink = (url: string): boolean => /^(?:https?:\/\/|mailto:|tel:)/i.test(url);

/** Marks a link of compiled HTML that is not to be tracked. It stands directly behind the address. */
export const UNTRACKED = " data-notrack";

/** True for URLs that an image may have. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);
