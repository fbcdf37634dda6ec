import { FIELDS, type Field, type Settings } from "./fields.ts";

type Value = string | number | boolean | null;

/** What a person has typed or switched and not saved, by field. `was`: what was stored when they began. */
export type Kept = { [Name in keyof Settings]?: { was: Settings[Name]; now: string | boolean } };

/** A number whose thousands are apart, always by the same sign. */
const THOUSANDS = /^\d{1,3}([,. '’\u00a0\u202f])\d{3}(\1\d{3})*$/;

/** What a text stands for. A text that is no number is sent as it is: the service says what it has to be. */
const valueIn = ({ name, kind }: Field, given: string | boolean): Value => {
  if (typeof given === "boolean") return given;
  const text = given.trim();
  if (kind === "number") {
    if (text === "") return null;
    const digits = THOUSANDS.test(text) ? text.replaceAll(/\D/g, "") : text;
    return /^\d+$/.test(digits) ? Number(digits) : text;
  }
  // An empty name is refused, and any other empty text is none.
  return text === "" && name !== "name" ? null : text;
};

/** What a person wants of a field; undefined where it is what it was when they began. */
const wanted = (field: Field, kept: Kept): Value | undefined => {
  const one = kept[field.name];
  if (one === undefined) return undefined;
  const value = valueIn(field, one.now);
  return value === one.was ? undefined : value;
};

const changedFields = (settings: Settings, kept: Kept): Field[] =>
  FIELDS.filter((field) => {
    const value = wanted(field, kept);
    return value !== undefined && value !== settings[field.name];
  });

/** The value of a field as it is shown: a text, or the state of a switch. */
export const shownValue = (settings: Settings, kept: Kept, { name, kind }: Field): string | boolean => {
  const one = kept[name];
  const stored = settings[name];
  // A person who took their change back sees what another person has saved meanwhile.
  const isTakenBack = one !== undefined && one.was !== stored && valueIn({ name, kind } as Field, one.now) === one.was;
  const value = one === undefined || isTakenBack ? stored : one.now;
  return typeof value === "boolean" ? value : String(value ?? "");
};

/** What is kept after another change. A field keeps what was stored when it was changed first. */
export const keptWith = (kept: Kept, settings: Settings, name: keyof Settings, now: string | boolean): Kept => ({
  ...kept,
  [name]: { was: (kept[name] ?? { was: settings[name] }).was, now },
});

/** The changed fields, with what they are to be. */
export const changesIn = (settings: Settings, kept: Kept): Record<string, Value> =>
  Object.fromEntries(changedFields(settings, kept).map((field) => [field.name, wanted(field, kept) ?? null]));

/** The changed fields that another person has saved since this person began to change them. */
export const conflictsIn = (settings: Settings, kept: Kept): Field[] =>
  changedFields(settings, kept).filter(({ name }) => kept[name]?.was !== settings[name]);

/** Whether a save would put something in the place of what another person saved, and what is shown does not have that. */
export const isUnseen = (shown: Settings, read: Settings, kept: Kept): boolean =>
  conflictsIn(read, kept).some(({ name }) => read[name] !== shown[name]);

/** What is kept after a person took what the other one saved in these fields. */
export const keptWithout = (kept: Kept, fields: readonly Field[]): Kept =>
  Object.fromEntries(Object.entries(kept).filter(([name]) => !fields.some((field) => field.name === name)));

/** What is stored in a field, in words. */
export const inWords = (settings: Settings, { name }: Field): string => {
  const value = settings[name];
  if (typeof value === "boolean") return value ? "on" : "off";
  return value === null || value === "" ? "empty" : String(value);
};

/** The field that a refusal names, and why, in the words of the form; undefined where it names none. */
export const refusalOf = (path: string | undefined, message: string): { field: Field; text: string } | undefined => {
  const field = FIELDS.find(({ name }) => name === path);
  if (field === undefined) return undefined;
  const bare = message.startsWith(`${field.name}: `) ? message.slice(field.name.length + 2) : message;
  const text = bare.replace("or null for no limit", "or empty for no limit");
  return { field, text: text.charAt(0).toUpperCase() + text.slice(1) };
};
