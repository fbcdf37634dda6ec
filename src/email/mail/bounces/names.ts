const ADDRESS = /(?:"[^"\n]{0,64}"|[^\s<>"(),;:@[\]]{1,64})@[^\s<>"(),;:@]{1,255}/g;

/** A text without email addresses. */
export const withoutAddresses = (text: string): string => text.replace(ADDRESS, "…");

/** A text of a server without addresses and names of hosts: `spam@example.com` and `name=dmarc.example` say nothing of a policy. */
export const withoutNames = (text: string): string =>
  withoutAddresses(text).replace(/\b(host|domain|name)[ =]{1,3}[\w-]{1,63}(?:\.[\w-]{1,63}){1,10}/gi, "$1");
