import { pageWords } from "../api/page-words.ts";

/** The fields of a message as the page of the mail names them. */
const FIELDS: Readonly<Record<string, string>> = {
  ...{ subject: "Subject", previewText: "Preview text", fromName: "Sender's name", fromEmail: "Sender's address" },
  ...{ replyToEmail: "Replies to", ccEmail: "Copy to", bccEmail: "Hidden copy to", languageCode: "Language" },
  lmx: "Content",
};

const labelOf = (field: string): string => FIELDS[field] ?? field;

/** What the guardian says of a mail: it names the field, or a line of the content. */
const ofMail = (text: string): string =>
  text
    .replace(/ Set the field lmx of the message\.$/, " Write it on the page of the mail.")
    .replace(
      / Set the field (\w+) of the message, or of the team\.$/,
      (_, field: string) => ` Give it at "${labelOf(field)}" of the mail, or in the settings of the team.`,
    )
    .replace(/^(The mail (?:".*"|without a subject)): lmx:(\d+)(?::\d+)?: /, "$1: Content, line $2: ")
    .replace(
      /^(The mail (?:".*"|without a subject)): (\w+): /,
      (_, mail: string, field: string) => `${mail}: ${labelOf(field)}: `,
    );

/** Sentences of the service that name fields of its API, by the code of the finding, in the words of the page. */
const WORDS: Readonly<Record<string, (text: string) => string>> = {
  ...{ mail_not_ready: ofMail, mail_warning: ofMail },
  variable_without_fallback: (text) =>
    text.replace(/ Give a fallback in \w+\.$/, " Give it one at the variables of the mail."),
  no_postal_address: (text) =>
    text.replace(/: set postalAddress of the team\.$/, ': give it at "Postal address" in the settings of the team.'),
  scheduled_time_past: (text) => text.replace(/, or the method "now"\.$/, ', or "At its launch".'),
  recent_campaign: (text) =>
    text.replace(
      "An activity condition with negate leaves them out.",
      'A condition that a mail of it "must not have been sent" leaves them out.',
    ),
};

/** What keeps a campaign or a workflow from its start, or what its author may have missed, with the names that the page has for fields. */
export const findingWords = ({ code, message }: { code: string; message: string }): string =>
  pageWords(WORDS[code]?.(message) ?? message).replace(
    /^The audienceFilter has a condition that cannot be checked\./,
    "One of the conditions of the campaign cannot be checked.",
  );
