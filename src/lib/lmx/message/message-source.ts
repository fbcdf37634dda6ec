import { faultOf, MAX_ADDRESS } from "../../contract/address/form.ts";

/** The authored fields of a revision. */
export type MessageSource = {
  subject: string;
  previewText: string;
  fromName: string;
  /** The part before the @. */
  fromEmail: string;
  replyToEmail: string;
  ccEmail: string;
  bccEmail: string;
  /** BCP 47; empty if unknown. */
  languageCode: string;
  emailFormat: "styled" | "plain";
  lmx: string;
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

/** Changes; a null fallback is removed. */
export type SourceChanges = {
  [Field in Exclude<keyof MessageSource, FallbackField>]?: MessageSource[Field] | undefined;
} & { [Field in FallbackField]?: Readonly<Record<string, string | null>> | undefined };

export const changed = (before: MessageSource, changes: SourceChanges): MessageSource => {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const merged = FALLBACKS.map((field) => {
    const all = Object.entries({ ...before[field], ...changes[field] });
    return [field, Object.fromEntries(all.filter(([, value]) => value !== null))];
  });
  return { ...before, ...given, ...Object.fromEntries(merged) } as MessageSource;
};

const WITH_DEFAULT = ["fromName", "fromEmail", "replyToEmail"] as const;

export type MessageDefaults = Readonly<Record<(typeof WITH_DEFAULT)[number], string | null>>;

/** Fills blank fields with team defaults. */
export const withDefaults = (source: MessageSource, defaults: MessageDefaults | undefined): MessageSource => {
  const given = WITH_DEFAULT.flatMap((field) => {
    const value = defaults?.[field];
    return value == null || source[field].trim() !== "" ? [] : [[field, value]];
  });
  return given.length === 0 ? source : { ...source, ...Object.fromEntries(given) };
};

const isAddress = (text: string): boolean => text.length <= MAX_ADDRESS && faultOf(text) === undefined;

/**
 * Checks a sender's local part: `whole` contains an @, `unusable` makes no address. Variables are checked by `fill`.
 */
export const senderFault = (fromEmail: string, domain: string): "whole" | "unusable" | undefined => {
  if (fromEmail.includes("@")) return "whole";
  const isOpen = fromEmail === "" || fromEmail.includes("{");
  return isOpen || isAddress(`${fromEmail}@${domain}`.trim()) ? undefined : "unusable";
};
