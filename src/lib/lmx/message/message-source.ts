import { faultOf, MAX_ADDRESS } from "../../contract/address/form.ts";

/** The fields of a message as its author writes them: the source of a revision. */
export type MessageSource = {
  subject: string;
  previewText: string;
  fromName: string;
  /** The part before the @. The team's domain follows. */
  fromEmail: string;
  replyToEmail: string;
  ccEmail: string;
  bccEmail: string;
  /** A language tag (BCP 47); empty: not known. */
  languageCode: string;
  emailFormat: "styled" | "plain";
  lmx: string;
  /** Values of variables that a send gives none for, by name. */
  contactPropertiesFallbacks: Readonly<Record<string, string>>;
  eventPropertiesFallbacks: Readonly<Record<string, string>>;
  dataVariablesFallbacks: Readonly<Record<string, string>>;
};

export const emptySource: MessageSource = {
  subject: "",
  previewText: "",
  fromName: "",
  fromEmail: "",
  replyToEmail: "",
  ccEmail: "",
  bccEmail: "",
  languageCode: "",
  emailFormat: "styled",
  lmx: "",
  contactPropertiesFallbacks: {},
  eventPropertiesFallbacks: {},
  dataVariablesFallbacks: {},
};

export const FALLBACKS = ["contactPropertiesFallbacks", "eventPropertiesFallbacks", "dataVariablesFallbacks"] as const;
type FallbackField = (typeof FALLBACKS)[number];

/** Changed fields. A fallback that is null is removed; those that are not named stay. */
export type SourceChanges = {
  [Field in Exclude<keyof MessageSource, FallbackField>]?: MessageSource[Field] | undefined;
} & { [Field in FallbackField]?: Readonly<Record<string, string | null>> | undefined };

/** The source after an edit. */
export const changed = (before: MessageSource, changes: SourceChanges): MessageSource => {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const merged = FALLBACKS.map((field) => {
    const all = Object.entries({ ...before[field], ...changes[field] });
    return [field, Object.fromEntries(all.filter(([, value]) => value !== null))];
  });
  return { ...before, ...given, ...Object.fromEntries(merged) } as MessageSource;
};

/** Fields of a message that a team may have a default for. */
const WITH_DEFAULT = ["fromName", "fromEmail", "replyToEmail"] as const;

/** Values of a team for messages that have none of their own; null where the team has none. */
export type MessageDefaults = Readonly<Record<(typeof WITH_DEFAULT)[number], string | null>>;

/** A message as it is sent: its own values, and the defaults of the team in the place of those that are blank. */
export const withDefaults = (source: MessageSource, defaults: MessageDefaults | undefined): MessageSource => {
  const given = WITH_DEFAULT.flatMap((field) => {
    const value = defaults?.[field];
    return value == null || source[field].trim() !== "" ? [] : [[field, value]];
  });
  return given.length === 0 ? source : { ...source, ...Object.fromEntries(given) };
};

const isAddress = (text: string): boolean => text.length <= MAX_ADDRESS && faultOf(text) === undefined;

/**
 * What is wrong with the address of a sender as a message has it, which is the part before the @: `whole` where it has an @ itself,
 * `unusable` where it makes no address. Undefined where nothing is, also with a variable: that is checked when it is filled.
 *
 * @param domain the sending domain of the team
 */
export const senderFault = (fromEmail: string, domain: string): "whole" | "unusable" | undefined => {
  if (fromEmail.includes("@")) return "whole";
  const isOpen = fromEmail === "" || fromEmail.includes("{");
  return isOpen || isAddress(`${fromEmail}@${domain}`.trim()) ? undefined : "unusable";
};
