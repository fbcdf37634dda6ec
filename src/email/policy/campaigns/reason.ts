import { mailboxRuleIn, nameOfRule } from "../refusals/mailbox-rules.ts";

const MAX_LENGTH = 200;

/** Parts that differ per mail: an address, or a queue id. */
const OWN = /\S+@\S+|\b(?=(?:\w*\d){3})[\w-]{8,}\b/g;

/**
 * Normalizes a reason for grouping: the rule of a mailbox provider, the enhanced status code, or the text without
 * addresses and ids.
 */
export const commonReason = (reason: string): string => {
  const rule = mailboxRuleIn(reason);
  if (rule) return nameOfRule(rule);
  return /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(reason)?.[0] ?? reason.replaceAll(OWN, "…").slice(0, MAX_LENGTH);
};
