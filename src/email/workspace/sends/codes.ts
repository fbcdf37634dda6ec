import { mailboxRuleIn, ruleInWords } from "../../policy/refusals/mailbox-rules.ts";

/** Enhanced status codes without their class (RFC 3463; RFC 7372 and RFC 7505 for sender checks). */
const DETAILS: Readonly<Record<string, string>> = {
  "1.1": "the mailbox does not exist",
  "1.2": "the domain does not exist or takes no mail",
  "1.3": "the address is malformed",
  "1.6": "the mailbox has moved",
  "1.8": "the domain of the sender does not exist",
  "1.10": "the domain takes no mail at all",
  "2.1": "the mailbox is disabled",
  "2.2": "the mailbox is full",
  "2.3": "the mail is larger than the mailbox allows",
  "2.4": "the mailing list behind the address failed",
  "3.1": "the storage of the mail server is full",
  "3.2": "the mail server takes no mail now",
  "3.4": "the mail is larger than the mail server allows",
  "4.1": "the mail server did not answer",
  "4.2": "the connection broke",
  "4.3": "a directory did not answer",
  "4.4": "the mail server of the domain was not found",
  "4.5": "the mail server is overloaded",
  "4.6": "the mail went in a circle",
  "4.7": "delivery took too long",
  "5.3": "the mail has too many recipients",
  "6.1": "the kind of content is not accepted",
  "7.1": "the policy of the mail server does not let this mail in",
  "7.8": "the login at the mail provider was refused",
  "7.20": "no DKIM signature passed",
  "7.23": "SPF failed",
  "7.25": "the sending IP address has no valid reverse DNS",
  "7.26": "SPF and DKIM failed",
  "7.27": "the domain of the sender takes no mail",
};

const SUBJECTS: Readonly<Record<string, string>> = {
  1: "something is wrong with the address",
  2: "something is wrong with the mailbox",
  3: "something is wrong at the mail server",
  4: "the mail server was not reached",
  5: "the two servers did not understand each other",
  6: "the content was refused",
  7: "a policy does not let this mail in",
};

const wordsOfCode = (code: string): string | undefined => {
  const [, subject = "", detail = ""] = /^[245]\.(\d{1,3})\.(\d{1,3})$/.exec(code) ?? [];
  return DETAILS[`${subject}.${detail}`] ?? SUBJECTS[subject];
};

/** Returns a mail provider's text, explained by the rule or the first enhanced status code that it names. */
export const withCodeExplained = (text: string): string => {
  const rule = mailboxRuleIn(text);
  const [code] = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(text) ?? [];
  const words = rule ? ruleInWords(rule) : code === undefined ? undefined : wordsOfCode(code);
  return words === undefined ? text : `${words} (${text})`;
};
