const KEY = "mailspan-access";

/**
 * True where a person has been logged in with this browser and Cloudflare Access. From then on the login waits for a click: Access would
 * let the person in again right after a logout, also one from elsewhere.
 */
export const knowsAccess = (): boolean => localStorage.getItem(KEY) !== null;

/** Keeps, for all tabs, whether people log in with Cloudflare Access here. */
export const rememberAccess = (isOn: boolean): void =>
  isOn ? localStorage.setItem(KEY, "1") : localStorage.removeItem(KEY);
