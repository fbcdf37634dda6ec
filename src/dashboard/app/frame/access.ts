const KEY = "mailspan-access";

/**
 * True after a login with Cloudflare Access in this browser. The login then waits for a click,
 * because Access would log the person in right after a logout.
 */
export const knowsAccess = (): boolean => localStorage.getItem(KEY) !== null;

/** Stores for all tabs if people log in with Cloudflare Access. */
export const rememberAccess = (isOn: boolean): void =>
  isOn ? localStorage.setItem(KEY, "1") : localStorage.removeItem(KEY);
