import type { AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import { checkFilter } from "../segments/check.ts";
import type { TeamFacts } from "../segments/facts.ts";

export type Fault = { code: string; message: string };

/** `path`: dotted, relative to the field. */
export type FaultAt = Fault & { path: string };

/** `field`: message field or place in the content. `fix`: advice for the author. */
type MailFinding = { field: string; fix: string };

/** `unfilled`: variables without a fallback. `warnings`: one of each kind. */
export type JudgedMail = {
  subject: string;
  errors: readonly MailFinding[];
  unfilled: readonly string[];
  warnings: readonly MailFinding[];
};

export const NO_ADDRESS: Fault = {
  code: "no_postal_address",
  message:
    "The team has no postal address for the footer of its mails. Laws such as CAN-SPAM ask for one: set postalAddress of the team.",
};

export const mailFaults = (mail: JudgedMail): FaultAt[] =>
  mail.errors.map(({ field, fix }) => {
    if (field === "subject" && mail.subject.trim() === "")
      return { code: "mail_without_subject", path: field, message: "The mail has no subject. Give it one." };
    const path = /^lmx:\d/.test(field) && fix === MISSING ? "lmx" : field;
    const message =
      fix === MISSING && path in FIELDS
        ? `${nameOf(mail)} has no ${FIELDS[path]}. Set the field ${path} of the message${path === "lmx" ? "" : ", or of the team"}.`
        : `${nameOf(mail)}: ${field}: ${fix}.`;
    return { code: "mail_not_ready", path, message };
  });

const MISSING = "is required to publish";
const FIELDS: Readonly<Record<string, string>> = {
  lmx: "content",
  fromName: "name of its sender",
  fromEmail: "address of its sender",
};

export const nameOf = ({ subject }: JudgedMail): string =>
  subject.trim() === "" ? "The mail without a subject" : `The mail "${subject}"`;

const FALLBACKS = { contact: "contactPropertiesFallbacks", event: "eventPropertiesFallbacks" } as const;

/** `hasEvent`: false if no event gives values. */
export const variableFault = (mail: JudgedMail, name: string, hasEvent: boolean, what: string): FaultAt => {
  const isEvent = name.startsWith("event.");
  const who =
    isEvent && !hasEvent
      ? `this ${what} does not start on an event, so that no contact gets the mail`
      : `a contact whose ${isEvent ? "event" : "data"} has no value does not get the mail`;
  const path = FALLBACKS[isEvent ? "event" : "contact"];
  const message = `${nameOf(mail)} uses {${name}} without a fallback: ${who}. Give a fallback in ${path}.`;
  return { code: "variable_without_fallback", path, message };
};

/** `what`: the filter in words. `at`: its path. */
export const filterFaults = (team: TeamFacts, what: string, filter: AudienceFilter | null, at: string): FaultAt[] =>
  (filter?.conditions ?? []).flatMap((condition, position) => {
    const checked = checkFilter({ match: "all", conditions: [condition] }, team, "filter");
    if (!("refusal" in checked)) return [];
    const { code, message, path = "" } = checked.refusal;
    const location = path.replace(/^filter\.conditions\.0/, `${at}.conditions.${position}`);
    return [{ code, path: location, message: `${what} has a condition that cannot be checked. ${message}` }];
  });

/** Names the first problem and the count. `what`: "workflow" or "campaign". */
export const notReady = (what: string, problems: readonly Fault[]): string => {
  const count =
    problems.length === 1 ? "There is one problem" : `There are ${problems.length} problems; the first one is`;
  return `The ${what} is not ready. ${count}: ${problems[0]?.message}`;
};
