const ADDRESS = /(?:"[^"\n]{0,64}"|[^\s<>"(),;:@[\]]{1,64})@[^\s<>"(),;:@]{1,255}/g;

export const withoutAddresses = (text: string): string => text.replace(ADDRESS, "…");

const HOST = /\b(host|domain|name)([ =("'<[]{1,4})[\w-]{1,63}(?:\.[\w-]{1,63}){1,10}/gi;
const IP = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g;

/**
 * Masks addresses, host names and IP addresses: `spam@example.com` and `name=dmarc.example` do not indicate a policy,
 * and dots do not end a sentence.
 */
export const withoutNames = (text: string): string => withoutAddresses(text).replace(HOST, "$1$2").replace(IP, "0");
