const ADDRESS = /(?:"[^"\n]{0,64}"|[^\s<>"(),;:@[\]]{1,64})@[^\s<>"(),;:@]{1,255}/g;

export const withoutAddresses = (text: string): string => text.replace(ADDRESS, "…");

/** Masks addresses and host names: `spam@example.com` and `name=dmarc.example` do not indicate a policy. */
export const withoutNames = (text: string): string =>
  withoutAddresses(text).replace(/\b(host|domain|name)[ =]{1,3}[\w-]{1,63}(?:\.[\w-]{1,63}){1,10}/gi, "$1");
