/** True for a text of ASCII alone. An address with other characters before its @ needs SMTPUTF8 (RFC 6531). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

/**
 * The form in which email addresses are compared: lower case, with an A-label domain (RFC 5890). One mailbox is one
 * contact, however its address is written.
 */
export const emailKey = (email: string): string => {
  const lower = email.normalize("NFC").toLowerCase();
  const at = lower.lastIndexOf("@");
  const domain = lower.slice(at + 1);
  if (isAscii(domain)) return lower;
  // URL does the conversion (UTS 46) and refuses a text that is no domain; such an address is compared as it is.
  const host = URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain;
  return lower.slice(0, at + 1) + host;
};
