import { mailboxRuleIn, ruleInWords } from "./mailbox-rules.ts";

type Cause = readonly [pattern: RegExp, meaning: string, cure: string];

/** Causes at the sender that any mail server may name. The first that fits counts. */
const CAUSES: readonly Cause[] = [
  [
    /\bDMARC\b/i,
    "DMARC failed: neither SPF nor DKIM passed for the domain of From",
    "Publish the records that the page of the sending domain lists",
  ],
  [
    /\b(?:SPF|DKIM)\b|sender policy framework|unauthenticated|not authenticated/i,
    "SPF or DKIM did not pass",
    "Publish the records that the page of the sending domain lists",
  ],
  [
    /reverse[ -]?(?:DNS|look|mapping|record)|\brDNS\b|\bPTR\b|\bHELO\b|EHLO (?:command|name)/i,
    "the sending server has no right name in the DNS",
    "Let the mail provider set the PTR record and the name of its server",
  ],
  [
    /\bRBLs?\b|dnsbls?\b|(?:block|black|deny)[ -]?list|\blisted (?:at|in|by|on)\b|blocked (?:using|by)\b|poor reputation|\breputation\b|banned/i,
    "the sending IP address or domain is on a blocklist, or has a bad reputation",
    "Look it up at the place that the answer names, and let the mail provider ask for its removal",
  ],
  [
    /too many (?:recipients|messages|e?mails|connections)|rate[ -]?limit|(?<!size )limit (?:was |is |has been )?(?:exceeded|reached)|throttl|(?:this|per|an|one) (?:hour|minute|day)\b/i,
    "more mail came in a time than the server takes from this sender",
    "Send fewer mails there in an hour, and resume it an hour later",
  ],
  [
    /\bspam\b|unsolicited|\bUBE\b|\bUCE\b|junk|bulk mail/i,
    "the mail is taken for spam",
    "Send only to people who asked for the mail, and look at its words and links",
  ],
  [
    /sender (?:address )?(?:verif|reject|not allowed|denied)|domain of sender|(?:verif\w+|sender|from)[^.;]{0,40}(?:does not exist|not found|unknown)/i,
    "the server does not accept the address of the sender",
    "Look at From and at the sending domain: both need an MX or A record and a mailbox",
  ],
];

/** Returns what a refusal means and what helps, from the rule of a mailbox provider or else from its words. */
export const causeInWords = (refusal: string): string | undefined => {
  const rule = mailboxRuleIn(refusal);
  if (rule) return ruleInWords(rule);
  const [, meaning, cure] = CAUSES.find(([pattern]) => pattern.test(refusal)) ?? [];
  return meaning === undefined ? undefined : `It means that ${meaning}. ${cure}`;
};
