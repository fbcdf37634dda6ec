import { pageWords } from "../api/page-words.ts";

const FIELDS: Readonly<Record<string, string>> = {
  subject: "Subject",
  previewText: "Preview text",
  fromName: "Sender's name",
  fromEmail: "Sender's address",
  replyToEmail: "Replies to",
  ccEmail: "Copy to",
  bccEmail: "Hidden copy to",
  languageCode: "Language",
  lmx: "Content",
};

const labelOf = (field: string): string => FIELDS[field] ?? field;

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

const OF_NODES: readonly (readonly [of: RegExp, words: string])[] = [
  [/Add a SendEmailAction, if it should\./, 'Add a step "Send a mail", if it should.'],
  [
    /The trigger has no type, so that no contact enters\. Give it a typeName\./,
    'Nothing starts the workflow, so that no contact enters. Choose it at "It starts when".',
  ],
  [
    /The EventTrigger has no event\. Give it an eventName\./,
    "The workflow starts when an event is received, and no event is named. Name it at the start.",
  ],
  [
    /The ContactPropertyTrigger has no property\. Give it a contactPropertyQuery\./,
    "The workflow starts when a property changes, and no property is chosen. Choose it at the start.",
  ],
  [/The AddToListTrigger needs a mailing list/, "A start by a mailing list needs one"],
  [/ \(isControl\)/g, ""],
  [/set samplingRate to (\d+)/g, "set the share in the experiment to $1 %"],
  [/AudienceFilters/g, "filters"],
  [/VariantNodes/g, "variants"],
  [/\bAn ExperimentBranchNode/g, "An experiment"],
  [/\bA BranchNode/g, "A branch"],
  [/\bInsert an AudienceFilter between \S+ and \S+\.$/, "Insert a filter before it."],
  [/\bInsert a VariantNode between \S+ and \S+\.$/, "Insert a variant before it."],
];

const FIRST: Readonly<Record<string, string>> = {
  SendEmailAction: "a mail",
  TimerAction: "a wait",
  AudienceFilter: "a filter",
  BranchNode: "a branch",
  ExperimentBranchNode: "an experiment",
  VariantNode: "a variant",
  ExitAction: "the exit",
};

const ofNodes = (text: string): string =>
  OF_NODES.reduce((said, [of, words]) => said.replace(of, words), text).replace(
    /begins with (\w+)/,
    (all, type: string) => (FIRST[type] === undefined ? all : `begins with ${FIRST[type]}`),
  );

const FALLBACKS: Readonly<Record<string, string>> = {
  contactPropertiesFallbacks: "contact",
  eventPropertiesFallbacks: "event",
  dataVariablesFallbacks: "data",
};

/** Variable of a fallback path: "contact.plan" for "contactPropertiesFallbacks.plan", otherwise undefined. */
export const variableOfPath = (path: string): string | undefined => {
  const [, field = "", name] = /^(\w+)\.(.+)$/.exec(path) ?? [];
  return FALLBACKS[field] && `${FALLBACKS[field]}.${name}`;
};

/** Guardian advice with page field names. */
export const fixWords = (fix: string): string =>
  fix
    .replace(/^Give a fallback in \w+Fallbacks\b/, "Give it a fallback in the table of variables")
    .replaceAll(/\b(?:contactProperties|eventProperties|dataVariables)Fallbacks\b/g, "the fallbacks");

const WORDS: Readonly<Record<string, (text: string) => string>> = {
  mail_not_ready: ofMail,
  mail_warning: ofMail,
  variable_without_fallback: (text) =>
    text.replace(/ Give a fallback in \w+\.$/, " Give it one at the variables of the mail."),
  no_postal_address: (text) =>
    text.replace(/: set postalAddress of the team\.$/, ': give it at "Postal address" in the settings of the team.'),
  scheduled_time_past: (text) => text.replace(/, or the method "now"\.$/, ', or "Send now".'),
  no_mail: ofNodes,
  no_trigger: ofNodes,
  trigger_without_event: ofNodes,
  trigger_without_property: ofNodes,
  trigger_without_list: ofNodes,
  branch_without_filter: ofNodes,
  experiment_without_variant_node: ofNodes,
  experiment_without_control: ofNodes,
  experiment_without_variant: ofNodes,
  recent_campaign: (text) =>
    text.replace(
      'An activity condition "sent" with negate leaves them out.',
      'A condition that a mail of it "must not have been sent" leaves them out.',
    ),
  mostly_unreached: (text) =>
    text.replace('one of them is "opened" with negate.', "one of them is that they got it, and did not open it."),
};

/** Findings of a campaign or workflow with page field names. */
export const findingWords = ({ code, message }: { code: string; message: string }): string =>
  pageWords(WORDS[code]?.(message) ?? message).replace(
    /^The audienceFilter has a condition that cannot be checked\./,
    "One of the conditions of the campaign cannot be checked.",
  );
