/** The settings of a team that a person can change. */
export type Settings = {
  name: string;
  fromName: string | null;
  fromEmail: string | null;
  replyToEmail: string | null;
  footer: string | null;
  postalAddress: string | null;
  tracking: boolean;
  doubleOptIn: boolean;
  createProperties: boolean;
  attachments: boolean;
  sendPerSecond: number | null;
  sendPerHour: number | null;
  sendPerDay: number | null;
};

/** What a person has typed or switched, and not saved yet. */
export type Draft = Partial<Record<keyof Settings, string | boolean>>;

export type Field = {
  name: keyof Settings;
  kind: "text" | "lines" | "number" | "switch";
  label: string;
  hint?: string;
};

export const FIELDS: readonly Field[] = [
  { name: "name", kind: "text", label: "Name" },
  { name: "fromName", kind: "text", label: "Sender's name", hint: "Of messages that have none of their own" },
  {
    ...{ name: "fromEmail", kind: "text", label: "Sender's address" },
    hint: "The part before the @, of messages that have none of their own. The sending domain follows",
  },
  {
    ...{ name: "replyToEmail", kind: "text", label: "Replies to" },
    hint: "A whole address, for messages that have none of their own. Empty: replies go to the sender",
  },
  {
    ...{ name: "footer", kind: "lines", label: "Footer" },
    hint: "Above the team's name in marketing mail, such as why people get it",
  },
  {
    ...{ name: "postalAddress", kind: "lines", label: "Postal address" },
    hint: "In the footer of marketing mail, where many countries demand one",
  },
  {
    ...{ name: "tracking", kind: "switch", label: "Measure opens and clicks of marketing mail" },
  },
  {
    ...{ name: "doubleOptIn", kind: "switch", label: "Double opt-in" },
    hint: "The owner of a new address confirms it before it gets marketing mail",
  },
  {
    ...{ name: "createProperties", kind: "switch", label: "Create contact properties from requests" },
    hint: "Else a value for an unknown property is refused",
  },
  {
    ...{ name: "attachments", kind: "switch", label: "Attachments in transactional mail" },
  },
  { name: "sendPerSecond", kind: "number", label: "Most mails in a second", hint: "Empty: no limit" },
  { name: "sendPerHour", kind: "number", label: "Most mails in an hour", hint: "Empty: no limit" },
  { name: "sendPerDay", kind: "number", label: "Most mails in a day", hint: "Empty: no limit" },
];

/** The value of a field as it is shown: a text, or the state of a switch. */
export const shownValue = (settings: Settings, draft: Draft, name: keyof Settings): string | boolean => {
  const value = draft[name] ?? settings[name];
  return typeof value === "boolean" ? value : String(value ?? "");
};

/** What a text stands for. A text that is no number is sent as it is: the service says what it has to be. */
const valueIn = ({ name, kind }: Field, given: string | boolean): string | number | boolean | null => {
  if (typeof given === "boolean") return given;
  const text = given.trim();
  if (kind === "number") return text === "" ? null : /^\d+$/.test(text) ? Number(text) : text;
  // An empty name is refused, and any other empty text is none.
  return text === "" && name !== "name" ? null : text;
};

/** The fields of the draft that differ from the settings. */
export const changesIn = (settings: Settings, draft: Draft): Record<string, string | number | boolean | null> =>
  Object.fromEntries(
    FIELDS.flatMap((field) => {
      const given = draft[field.name];
      if (given === undefined) return [];
      const value = valueIn(field, given);
      return value === settings[field.name] ? [] : [[field.name, value]];
    }),
  );
