import { FIELDS, type Field, type Settings } from "./setting-fields.ts";

type Value = string | number | boolean | null;

/** Unsaved fields. `was`: stored value at the first edit. */
export type Kept = { [Name in keyof Settings]?: { was: Settings[Name]; now: string | boolean } };

const THOUSANDS = /^\d{1,3}([,. '’\u00a0\u202f])\d{3}(\1\d{3})*$/;

/** Invalid numbers are sent unchanged, so the service explains them. */
const valueIn = ({ name, kind }: Field, given: string | boolean): Value => {
  if (typeof given === "boolean") return given;
  const text = given.trim();
  if (kind === "number") {
    if (text === "") return null;
    const digits = THOUSANDS.test(text) ? text.replaceAll(/\D/g, "") : text;
    return /^\d+$/.test(digits) ? Number(digits) : text;
  }
  // An empty name is refused; other empty text means null.
  return text === "" && name !== "name" && name !== "timeZone" ? null : text;
};

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

/** Shown value: text, or the switch state. */
export const shownValue = (settings: Settings, kept: Kept, { name, kind }: Field): string | boolean => {
  const one = kept[name];
  const stored = settings[name];
  // A reverted field shows the other person's value.
  const isTakenBack = one !== undefined && one.was !== stored && valueIn({ name, kind } as Field, one.now) === one.was;
  const value = one === undefined || isTakenBack ? stored : one.now;
  return typeof value === "boolean" ? value : String(value ?? "");
};

/** Adds a change. A field keeps its first stored value. */
export const keptWith = (kept: Kept, settings: Settings, name: keyof Settings, now: string | boolean): Kept => ({
  ...kept,
  [name]: { was: (kept[name] ?? { was: settings[name] }).was, now },
});

/** Changed fields with new values. */
export const changesIn = (settings: Settings, kept: Kept): Record<string, Value> =>
  Object.fromEntries(changedFields(settings, kept).map((field) => [field.name, wanted(field, kept) ?? null]));

/** Edited fields that another person saved meanwhile. */
export const conflictsIn = (settings: Settings, kept: Kept): Field[] =>
  changedFields(settings, kept).filter(({ name }) => kept[name]?.was !== settings[name]);

/** True if a save would overwrite unseen changes. */
export const isUnseen = (settings: Settings, read: Settings, kept: Kept): boolean =>
  conflictsIn(read, kept).some(({ name }) => read[name] !== settings[name]);

/** Drops edits of fields taken from another person. */
export const keptWithout = (kept: Kept, fields: readonly Field[]): Kept =>
  Object.fromEntries(Object.entries(kept).filter(([name]) => !fields.some((field) => field.name === name)));

/** Stored value in words. */
export const inWords = (settings: Settings, { name }: Field): string => {
  const value = settings[name];
  if (typeof value === "boolean") return value ? "on" : "off";
  return value === null || value === "" ? "empty" : String(value);
};

/** Refused field and reason in form words, or undefined. */
export const refusalOf = (path: string | undefined, message: string): { field: Field; text: string } | undefined => {
  const field = FIELDS.find(({ name }) => name === path);
  if (field === undefined) return undefined;
  const bare = message.startsWith(`${field.name}: `) ? message.slice(field.name.length + 2) : message;
  const text = bare.replace("or null for no limit", "or empty for no limit");
  return { field, text: text.charAt(0).toUpperCase() + text.slice(1) };
};
