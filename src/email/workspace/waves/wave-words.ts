import { mailboxRuleIn, ruleInWords } from "../../policy/refusals/mailbox-rules.ts";
import type { Wave } from "./wave-rows.ts";

const addresses = (mails: number): string => `${mails} ${mails === 1 ? "address" : "addresses"}`;

/** Says what happened, and that no address is suppressed. */
export const waveInWords = ({ destination, cause, mails }: Pick<Wave, "destination" | "cause" | "mails">): string => {
  const rule = mailboxRuleIn(cause);
  const meaning = rule ? ` ${ruleInWords(rule)}.` : "";
  return `${destination} said of ${addresses(mails)} in the same words that they do not exist: "${cause}".${meaning} Such addresses come singly, so none of these is suppressed.`;
};

/** Says what a person chose, and the result. */
export const decisionInWords = ({ decision, changed, cursor, leftOut }: Wave): string | undefined => {
  const left = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
  const more = cursor === null ? "" : " so far";
  switch (decision) {
    case "suppress":
      return `The decision: they do not exist. ${addresses(changed)} suppressed${more}.`;
    case "resend":
      return `The decision: they are good. ${changed} ${changed === 1 ? "mail" : "mails"} sent again${more}, ${left} not.`;
    case "keep":
      return "The decision: no address is suppressed, and nothing is sent again.";
    default:
      return undefined;
  }
};
