import { settableFields, standardProperties } from "../../../lib/contract/contact-fields.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { standardFields } from "../../../lib/contract/fields.ts";
import type { Context } from "../core/context.ts";
import { type ContactData, defaults, type StoredValue } from "./contact-rows.ts";
import { membershipRefusal } from "./lists.ts";
import { customValue } from "./properties.ts";

/** `null` in `custom` clears a property. */
export type Changes = {
  standard: Partial<ContactData>;
  custom: [name: string, value: StoredValue | null][];
  lists: [id: string, subscribed: boolean][];
};

type Input = Readonly<Record<string, unknown>>;
type Given = { path: string; value: unknown };

type RequestKeys = { own: ReadonlySet<string>; nested: readonly string[] };
const keysOf = (own: readonly string[], nested: readonly string[]): RequestKeys => ({
  own: new Set(["email", "userId", "mailingLists", ...own, ...nested]),
  nested,
});
const contactKeys = keysOf([], ["properties"]);
export const eventKeys = keysOf(["eventName", "eventProperties"], ["properties", "contactProperties"]);

type Rule = { ok: (value: unknown) => boolean; must: string };
const rules: Record<"string" | "boolean", Rule> = {
  string: { ok: (value) => typeof value === "string" || value === null, must: "must be a string" },
  boolean: { ok: (value) => typeof value === "boolean", must: "must be true or false" },
};
const settable = new Map(
  standardProperties.flatMap(({ name, type }): [string, Rule][] =>
    settableFields.has(name) && (type === "string" || type === "boolean") ? [[name, rules[type]]] : [],
  ),
);

/** Reads contact fields in both dialects. Creates unknown properties if the team's settings allow it. */
export const readChanges = (
  context: Context,
  input: Input,
  keys: RequestKeys = contactKeys,
): { changes: Changes } | { refusal: Refusal } => {
  const given = collect(input, keys);
  if ("refusal" in given) return given;

  const changes: Changes = { standard: {}, custom: [], lists: [] };
  for (const [name, { path, value }] of given.fields) {
    const rule = settable.get(name);
    // If null is no valid value, it means "not given".
    if (value === null && standardFields.has(name) && !rule?.ok(null)) continue;
    if (rule) {
      if (!rule.ok(value)) return invalid(path, `${path}: ${rule.must}`);
      Object.assign(changes.standard, { [name]: value ?? defaults[name as keyof ContactData] });
    } else if (standardFields.has(name)) {
      return invalid(path, `${path}: cannot be set here; leave it out.`);
    } else {
      const read = customValue(context, name, value as StoredValue | null, path);
      if ("refusal" in read) return read;
      if (read.value !== undefined) changes.custom.push([name, read.value]);
    }
  }
  for (const [id, subscribed] of Object.entries((input.mailingLists ?? {}) as Record<string, boolean>)) {
    const refusal = membershipRefusal(context.sql, id, subscribed);
    if (refusal) return { refusal };
    changes.lists.push([id, subscribed]);
  }
  return { changes };
};

const collect = (input: Input, { own, nested }: RequestKeys): { fields: Map<string, Given> } | { refusal: Refusal } => {
  const top = Object.entries(input).filter(([name]) => !own.has(name));
  const all = [
    ...top.map(([name, value]) => ({ name, path: name, value })),
    ...nested.flatMap((key) =>
      Object.entries((input[key] ?? {}) as Input).map(([name, value]) => ({ name, path: `${key}.${name}`, value })),
    ),
  ].filter(({ value }) => value !== undefined);

  const fields = new Map<string, Given>();
  for (const { name, path, value } of all) {
    const other = fields.get(name);
    if (other && !Object.is(other.value, value)) {
      return invalid(
        path,
        `${name} is given twice with different values: as ${other.path} and as ${path}. Send it once.`,
      );
    }
    if (!other) fields.set(name, { path, value });
  }
  return { fields };
};

const invalid = (path: string, message: string): { refusal: Refusal } => ({
  refusal: { code: "invalid_request", path, message },
});

export const changedData = (data: ContactData, { standard, custom, lists }: Changes): ContactData => {
  const properties = new Map(Object.entries(data.properties));
  for (const [name, value] of custom) value === null ? properties.delete(name) : properties.set(name, value);
  const mailingLists = new Map(Object.entries(data.mailingLists));
  for (const [id, subscribed] of lists) subscribed ? mailingLists.set(id, true) : mailingLists.delete(id);
  return {
    ...data,
    ...standard,
    mailingLists: Object.fromEntries(mailingLists),
    properties: Object.fromEntries(properties),
  };
};
