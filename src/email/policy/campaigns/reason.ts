/** Longest reason in an answer that counts recipients, in characters. */
const MAX_LENGTH = 200;

/** A word of a text that differs from mail to mail: an address, or an id such as the queue id of a relay. */
const OWN = /\S+@\S+|\b(?=(?:\w*\d){3})[\w-]{8,}\b/g;

/**
 * What the reasons of several recipients have in common, as the results count them and a list of recipients finds them: the enhanced
 * status code of a relay's text, or the text without addresses and ids.
 */
export const commonReason = (reason: string): string =>
  /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(reason)?.[0] ?? reason.replaceAll(OWN, "…").slice(0, MAX_LENGTH);
