import type { PropertyType } from "../../../lib/contract/contact-fields.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { propertyName } from "../../../lib/contract/fields.ts";
import { looksLikeSeconds, toIsoDate } from "../../../lib/util/dates.ts";
import type { Context } from "../core/context.ts";
import { readTeam } from "../team/team.ts";
import type { StoredValue } from "./contact-rows.ts";
import { isBeingRemoved } from "./property-removal.ts";

export type { PropertyType };

const readers: Readonly<Record<PropertyType, (value: StoredValue) => StoredValue | undefined>> = {
  string: (value) => (typeof value === "string" ? value : undefined),
  number: (value) => (typeof value === "number" && Number.isFinite(value) ? value : undefined),
  boolean: (value) => (typeof value === "boolean" ? value : undefined),
  date: (value) => (typeof value === "boolean" ? undefined : toIsoDate(value)),
};

const expected: Readonly<Record<PropertyType, string>> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  date: "a date: ISO 8601 or Unix milliseconds",
};

/**
 * Checks a value against its custom property. `value` is undefined if nothing changes.
 *
 * @param path place of the value in the request
 */
export const customValue = (
  context: Context,
  name: string,
  value: StoredValue | null,
  path: string,
): { value: StoredValue | null | undefined } | { refusal: Refusal } => {
  const type = typeOf(context.sql, name);
  if (type !== undefined) {
    if (value === null) return { value };
    const read = readers[type](value);
    if (read !== undefined) return { value: read };
    const message =
      type === "date" && looksLikeSeconds(value) ? adviceFor(path, value) : `${path}: must be ${expected[type]}.`;
    return { refusal: { code: "wrong_property_type", path, message } };
  }
  if (!readTeam(context.sql).createProperties) {
    const message = `There is no contact property "${name}". Create it first: POST /v1/contacts/properties.`;
    return { refusal: { code: "unknown_property", path, message } };
  }
  const named = propertyName.safeParse(name);
  if (!named.success) {
    const message = `${path}: is no name for a contact property, which ${named.error.issues[0]?.message}.`;
    return { refusal: { code: "invalid_request", path, message } };
  }
  // A null clears nothing here and gives no type for a new property.
  if (value === null) return { value: undefined };
  const refusal = createProperty(context, name, typeof value as "string" | "number" | "boolean", path);
  return refusal ? { refusal } : { value };
};

const adviceFor = (path: string, value: number): string =>
  looksLikeSeconds(value * 1000)
    ? `${path}: ${value} is a date before 1973 or no date. Send milliseconds, or ISO 8601 for a date before 1973.`
    : `${path}: ${value} looks like Unix seconds. Send milliseconds (${value * 1000}), or ISO 8601 for a date before 1973.`;

export const typeOf = (sql: SqlStorage, name: string): PropertyType | undefined =>
  sql.exec<{ type: PropertyType }>("SELECT type FROM properties WHERE name = ?", name).toArray()[0]?.type;

export const customTypes = (sql: SqlStorage): ReadonlyMap<string, PropertyType> =>
  new Map(
    sql
      .exec<{ name: string; type: PropertyType }>("SELECT name, type FROM properties ORDER BY name")
      .toArray()
      .map(({ name, type }) => [name, type]),
  );

/** A contact with all properties at 500 characters fits a row of 2 MB. */
const MAX_PROPERTIES = 1_000;

/** Refuses if the limit is reached or old values of the name remain. */
export const createProperty = (
  { sql, now }: Context,
  name: string,
  type: PropertyType,
  path: string,
): Refusal | undefined => {
  const { count } = sql.exec<{ count: number }>("SELECT count(*) AS count FROM properties").one();
  if (count >= MAX_PROPERTIES) {
    const message = `${path}: the team has ${MAX_PROPERTIES} contact properties, and cannot have more.`;
    return { code: "too_many_properties", path, message };
  }
  if (isBeingRemoved(sql, name)) {
    const message = `${path}: the values of the deleted contact property "${name}" are being erased. Create it again in some minutes.`;
    return { code: "property_exists", path, message };
  }
  sql.exec("INSERT INTO properties (name, label, type, created_at) VALUES (?, ?, ?, ?)", name, label(name), type, now);
  return undefined;
};

/** Readable name: "Plan name" for `planName`. */
export const label = (name: string): string => {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
