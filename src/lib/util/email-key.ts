/** Other characters before the @ need SMTPUTF8 (RFC 6531). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

/** Normalizes an address for comparison: lower case, with an A-label domain (RFC 5890). */
export const emailKey = (email: string): string => {
  if (isAscii(email)) return email.toLowerCase();
  const lower = email.normalize("NFC").toLowerCase();
  const at = lower.lastIndexOf("@");
  const domain = lower.slice(at + 1);
  if (isAscii(domain)) return lower;
  // URL converts (UTS 46) and refuses a text that is no domain; such an address is compared unchanged.
  const host = URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain;
  return lower.slice(0, at + 1) + host;
};
