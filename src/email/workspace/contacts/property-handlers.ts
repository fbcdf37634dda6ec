import type { Handler } from "../runtime/operations.ts";
import { createProperty, label, type PropertyType, typeOf } from "./properties.ts";

/** The standard fields that have one of the four types; an id is nobody's property, and a map of lists has none of them. */
const standard: readonly (readonly [name: string, type: PropertyType])[] = [
  ["email", "string"],
  ["firstName", "string"],
  ["lastName", "string"],
  ["source", "string"],
  ["subscribed", "boolean"],
  ["userGroup", "string"],
  ["userId", "string"],
  ["optInStatus", "string"],
  ["createdAt", "date"],
  ["updatedAt", "date"],
];

/** Creates a custom property; 400 when it exists. */
export const createContactProperty: Handler<"contactProperties.create"> = (context, { name, type }) => {
  const existing = typeOf(context.sql, name);
  if (existing !== undefined) {
    const message = `The contact property "${name}" exists, as ${existing}. Use it, or choose another name.`;
    return { refusal: { code: "property_exists", path: "name", message } };
  }
  const refusal = createProperty(context, name, type, "name");
  if (refusal) return { refusal };
  return { body: { success: true } };
};

/** Standard properties, then custom ones in the order they were created. */
export const listContactProperties: Handler<"contactProperties.list"> = ({ sql }, { list = "all" }) => {
  const custom = sql
    .exec<{ name: string; label: string; type: PropertyType }>(
      "SELECT name, label, type FROM properties ORDER BY created_at, name",
    )
    .toArray();
  const own = list === "all" ? standard.map(([name, type]) => ({ name, label: label(name), type })) : [];
  return { body: [...own, ...custom].map(({ name, label, type }) => ({ name, key: name, label, type })) };
};
