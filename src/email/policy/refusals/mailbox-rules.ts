import { PROVIDERS } from "./mailbox-rule-list.ts";

/** A rule of a mailbox provider. `url`: the provider's page about it. */
export type MailboxRule = { provider: string; rule: string; meaning: string; cure: string; url: string };

const ADDRESS = /[^\s<>]{1,64}@[^\s<>]{1,255}/g;

/** Returns the rule of a mailbox provider that the words of a refusal name; undefined for others. */
export const mailboxRuleIn = (refusal: string): MailboxRule | undefined => {
  // An address at Yahoo does not mean that Yahoo speaks.
  const words = refusal.replace(ADDRESS, "…");
  for (const { provider, sign, url, rules } of PROVIDERS) {
    const found = sign.test(words) ? rules.find(([, pattern]) => pattern.test(words)) : undefined;
    if (!found) continue;
    const [rule, , meaning, cure] = found;
    return { provider, rule, meaning, cure, url };
  }
  return undefined;
};

/** Names a rule, so that it is found again in its name. */
export const nameOfRule = ({ provider, rule }: MailboxRule): string => `${provider} ${rule}`;

/** Returns meaning and cure, without a last period. */
export const ruleInWords = ({ provider, rule, meaning, cure }: MailboxRule): string =>
  `${provider} refused it by its rule ${rule}: ${meaning}. ${cure}`;
