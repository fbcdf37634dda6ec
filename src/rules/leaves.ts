import { withoutHidden } from "../lib/contract/hidden-characters.ts";
import type { Webhook } from "../webhook.ts";
import { causeOf } from "./failing-path.ts";
import type { AnyRule, Leaf, NameOf, PropertyValue, StoredValue } from "./types.ts";

/** Replaces half a surrogate pair, and removes hidden characters: the email service would refuse them. */
export const wellFormed = <V extends PropertyValue>(given: V): V =>
  typeof given === "string" ? (withoutHidden(given.toWellFormed()) as V) : given;

// biome-ignore lint/suspicious/noExplicitAny: the event type was checked where the rule was written
export const value = <V>(leaf: Leaf<any, V>, body: unknown): V => {
  if (typeof leaf !== "function") return leaf;
  const run = leaf as (body: unknown) => V;
  try {
    return run(body);
  } catch (error) {
    throw new Error(messageWithCause(run, body, error));
  }
};

const messageWithCause = (run: (body: unknown) => unknown, body: unknown, error: unknown): string =>
  [causeOf(run, body), messageOf(error)].filter(Boolean).join(": ");

// biome-ignore lint/suspicious/noExplicitAny: as above
const sourceOf = (leaf: Leaf<any, unknown>, body: unknown): string => {
  const cause = typeof leaf === "function" ? causeOf(leaf as (body: unknown) => unknown, body) : undefined;
  return cause === undefined ? "" : ` (${cause})`;
};

type Given = Exclude<PropertyValue, null | undefined>;
export const isGiven = (given: PropertyValue): given is Given => given !== undefined && given !== null;
export const isWritten = (given: PropertyValue): given is Given | null => given !== undefined;

const isNameOf = (given: PropertyValue | NameOf): given is NameOf =>
  typeof given === "object" && given !== null && typeof given.nameOf === "string";

const isStored = (leaf: unknown): leaf is StoredValue =>
  typeof leaf === "object" && leaf !== null && typeof (leaf as Partial<StoredValue>).stored === "string";

/** Evaluates a table of leaves. Throws on unsupported values. */
export const values = <V extends PropertyValue>(
  // biome-ignore lint/suspicious/noExplicitAny: as above
  leaves: Readonly<Record<string, Leaf<any, PropertyValue | NameOf> | StoredValue>>,
  { body, source }: Webhook,
  where: string,
  keep: (given: PropertyValue) => given is V,
): { values: Record<string, V>; names?: Record<string, string>; stored?: Record<string, string> } => {
  const given: Record<string, V> = {};
  let names: Record<string, string> | undefined;
  let stored: Record<string, string> | undefined;
  for (const name of Object.keys(leaves)) {
    const leaf = leaves[name];
    if (isStored(leaf)) {
      stored ??= {};
      stored[name] = leaf.stored;
      continue;
    }
    const found = value(leaf, body);
    if (isNameOf(found)) {
      names ??= {};
      names[name] = `${source}:${found.nameOf}`;
    }
    const one = isNameOf(found) ? found.otherwise : found;
    if (!isPropertyValue(one)) {
      throw new Error(
        `${where}.${name} must be a string, a finite number, a boolean, null or undefined${sourceOf(leaf, body)}.`,
      );
    }
    if (keep(one)) given[name] = wellFormed(one);
  }
  return { values: given, ...(names && { names }), ...(stored && { stored }) };
};

export const listsOf = (lists: NonNullable<AnyRule["lists"]>, body: unknown): Record<string, boolean> => {
  const entries: [string, boolean][] = [];
  for (const [name, leaf] of Object.entries(lists)) {
    const given = value(leaf, body);
    if (given === undefined) continue;
    if (typeof given !== "boolean")
      throw new Error(`lists.${name} must be true, false or undefined${sourceOf(leaf, body)}.`);
    entries.push([name, given]);
  }
  return Object.fromEntries(entries);
};

const isPropertyValue = (given: unknown): given is PropertyValue =>
  typeof given === "string" ||
  typeof given === "boolean" ||
  given === undefined ||
  given === null ||
  Number.isFinite(given);

export const messageOf = (error: unknown) => {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "The rule threw something that is not an error.";
  }
};
