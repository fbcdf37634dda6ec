/** True for URLs that a link may have. `javascript:`, `data:` and bare paths are refused. */
export const isLink = (url: string): boolean => /^(?:https?:\/\/|mailto:|tel:)/i.test(url);

/** True for URLs that an image may have. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);
