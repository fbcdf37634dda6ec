import type { SuppressionReason } from "../contract/import-choices.ts";

const COMPLAINT = /complain|spam|abuse|fbl|feedback|junk/;
const UNSUBSCRIBED = /unsub|opt(ed)? ?out|abgemeldet|desabonn|desinscri|group unsubscribe/;
const SOFT = /\bsoft|transient|temporar|deferr|mailbox (is )?full|^4\d\d\b|\b4\.\d+\.\d+\b/;
const BOUNCE =
  /bounc|hard|clean|invalid|undeliver|unreachable|not exist|no such|unknown|unroutable|bad (mailbox|destination)|dropped|failed|permanent|^5\d\d\b|\b5\.\d+\.\d+\b|general|no ?email|mx/;

/**
 * Reason that another service gives, in the words of this one. `unsubscribed` and `soft` suppress no address; undefined
 * is no known reason.
 */
export const reasonIn = (cell: string): SuppressionReason | "unsubscribed" | "soft" | undefined => {
  const words = cell
    .toLowerCase()
    .replaceAll(/([_-])+/g, " ")
    .replaceAll(/\s+/g, " ");
  if (COMPLAINT.test(words.replace(/550.*|554.*/, ""))) return "complaint";
  if (UNSUBSCRIBED.test(words)) return "unsubscribed";
  if (SOFT.test(words)) return "soft";
  if (BOUNCE.test(words)) return "bounce";
  return /manual|custom|admin|block|suppress|user|api|import|other/.test(words) ? "manual" : undefined;
};
