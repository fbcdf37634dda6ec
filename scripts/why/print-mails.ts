import type { Setup } from "./cures.ts";
import type { Finding, Mail, Mails } from "./found.ts";

export const time = (iso: string) => iso.slice(0, 19).replace("T", " ");

export const fateOf = ({ id, meaning, nextAttemptAt, suppressed }: Mail): string => {
  const next = nextAttemptAt === null ? "" : ` The next attempt is at ${time(nextAttemptAt)} UTC.`;
  const now = suppressed
    ? ` The address is suppressed since ${time(suppressed.since)} UTC: ${lower(suppressed.meaning)}`
    : "";
  return `${id}: ${meaning}${next}${now}`;
};

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Returns the remedy for a mail; undefined if none is needed. */
export const mailCure = (
  { id, to, state, messageId, canRetry, suppressed }: Mail,
  setup: Setup,
): string | undefined => {
  if (state === "unknown") {
    const look = `Look in the log of the mail provider for ${messageId}`;
    return canRetry
      ? `${look}. If the mail did not leave: npm run act -- retry ${id}${setup.options}`
      : `${look}. It can no longer be sent again: cause a new mail.`;
  }
  if (suppressed) return `If the address is good: npm run act -- unsuppress ${to}${setup.options}`;
  return state === "failed" ? "Fix the cause, then cause a new mail: the values of this one are erased." : undefined;
};

export const newestMail = (mails: Mails | undefined, setup: Setup): Finding | undefined => {
  if (mails === undefined) return undefined;
  if (typeof mails === "string")
    return { text: `The state of mails that the email service accepted is unknown: ${mails}` };
  const [newest] = mails;
  if (!newest) return undefined;
  const cure = mailCure(newest, setup);
  const text = `The latest mail, ${fateOf(newest)}`;
  return cure === undefined ? { text } : { text, cure };
};

const whatOf = ({ template, campaign, workflow }: Mail): string => {
  if (template) return `"${template.name}"`;
  if (campaign) return `the campaign "${campaign.name}"`;
  return workflow ? `the workflow "${workflow.name}"` : "a message";
};

export const printMail = (mail: Mail, setup: Setup, full: boolean): string => {
  const what = whatOf(mail);
  const title = `${time(mail.acceptedAt)}  mail  ${what} to ${mail.to}${mail.preview ? "  (preview)" : ""}`;
  const cure = mailCure(mail, setup);
  return [
    title,
    `  ${fateOf(mail)}`,
    ...(cure === undefined ? [] : [`    To do: ${cure}`]),
    ...(full ? mail.story.map(({ at, text }) => `  ${time(at)}  ${text}`) : []),
  ].join("\n");
};
