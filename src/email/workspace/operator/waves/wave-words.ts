import { mailboxRuleIn, ruleInWords } from "../../../policy/refusals/mailbox-rules.ts";
import type { Wave } from "../../waves/wave-rows.ts";

const addresses = (mails: number): string => `${mails} ${mails === 1 ? "address" : "addresses"}`;

/** Says what happened, and that nobody is suppressed. */
export const waveInWords = ({ destination, cause, mails }: Pick<Wave, "destination" | "cause" | "mails">): string => {
  const rule = mailboxRuleIn(cause);
  const meaning = rule ? ` ${ruleInWords(rule)}.` : "";
  return `${destination} said of ${addresses(mails)} in the same words that nobody is there: "${cause}".${meaning} Addresses that do not exist come singly, so none of these is suppressed.`;
};

/** Says what a person has decided. */
export const decisionInWords = ({ decision, changed, cursor, leftOut }: Wave): string | undefined => {
  const left = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
  const more = cursor === null ? "" : " so far";
  switch (decision) {
    case "suppress":
      return `Decided: they do not exist. ${addresses(changed)} suppressed${more}.`;
    case "resend":
      return `Decided: they are good. ${changed} ${changed === 1 ? "mail" : "mails"} sent again${more}, ${left} not.`;
    case "keep":
      return "Decided: nobody is suppressed, and nothing is sent again.";
    default:
      return undefined;
  }
};
