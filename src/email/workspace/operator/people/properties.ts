import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import { standardProperties } from "../../../../lib/contract/contact-fields.ts";
import type { Refusal } from "../../../../lib/contract/errors.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { isoOf } from "../../../../lib/util/dates.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { contactsByNumber, type StoredContact } from "../../contacts/contact-rows.ts";
import { label as labelOf, type PropertyType } from "../../contacts/properties.ts";
import { removeProperty } from "../../contacts/property-removal.ts";
import type { Context } from "../../core/context.ts";
import type { AdminHandlers } from "../../core/handler.ts";
import { lastContact } from "../../segments/audience.ts";
import { drawNumbers } from "../../segments/sample.ts";
import { propertyUses } from "./property-uses.ts";

const SAMPLE = 1_000;
const VALUES = 3;
const CHARACTERS = 80;

type Usage = Response<AdminContract["properties"]["usage"]>;
type Property = { name: string; label: string; description: string; type: PropertyType };

/** Returns the users of each property and its contacts, from a sample. */
export const showUsage = ({ sql, now }: Pick<Context, "sql" | "now">): { body: Usage } => {
  const contacts = contactsByNumber(sql, drawNumbers(lastContact(sql), SAMPLE, now));
  const uses = propertyUses(sql);
  const standard = standardProperties.map(({ name, type }) => ({
    name,
    label: labelOf(name),
    description: "",
    type,
    isStandard: true,
  }));
  const custom = readCustom(sql).map((property) => ({ ...property, isStandard: false }));
  const data = [...standard, ...custom].map((property) => {
    const found = contacts.flatMap((contact) => valueIn(contact, property.name) ?? []);
    const samples = [...new Set(found.toReversed().map((value) => value.slice(0, CHARACTERS)))].slice(0, VALUES);
    return { ...property, filled: found.length, samples, usedBy: uses.get(property.name) ?? [] };
  });
  return { body: { data, sampled: contacts.length } };
};

const readCustom = (sql: SqlStorage): Property[] =>
  sql.exec<Property>("SELECT name, label, description, type FROM properties ORDER BY created_at, name").toArray();

const valueIn = ({ email, userId, createdAt, updatedAt, data }: StoredContact, name: string): string | undefined => {
  const { properties, mailingLists: _, ...standard } = data;
  const own: Readonly<Record<string, unknown>> = {
    ...properties,
    ...standard,
    email,
    userId,
    createdAt: isoOf(createdAt),
    updatedAt: isoOf(updatedAt),
  };
  const value = own[name];
  return value === null || value === undefined || value === "" ? undefined : String(value);
};

const findProperty = (sql: SqlStorage, name: string): { property: Property } | { refusal: Refusal } => {
  const property = readCustom(sql).find((one) => one.name === name);
  if (property) return { property };
  if (standardProperties.some((standardProperty) => standardProperty.name === name)) {
    const message = `"${name}" is a standard property. Only custom properties can be changed or deleted.`;
    return { refusal: { code: "invalid_request", path: "name", message } };
  }
  const message = `There is no contact property "${name}" in this team. GET /admin/teams/{team}/properties/usage lists them.`;
  return { refusal: { code: "not_found", path: "name", message } };
};

const updateProperty = (
  { sql }: Pick<Context, "sql">,
  { name, ...changes }: AdminInput<"properties.update">,
): { body: Property } | { refusal: Refusal } => {
  const found = findProperty(sql, name);
  if ("refusal" in found) return found;
  const { label = found.property.label } = changes;
  const description = changes.description === null ? "" : (changes.description ?? found.property.description);
  sql.exec("UPDATE properties SET label = ?, description = ? WHERE name = ?", label, description, name);
  return { body: { ...found.property, label, description } };
};

/** Deletes an unused property, because a filter without it would select other people. */
const deleteProperty = (
  context: Context,
  { name }: AdminInput<"properties.remove">,
): { body: unknown } | { refusal: Refusal } => {
  const found = findProperty(context.sql, name);
  if ("refusal" in found) return found;
  const users = propertyUses(context.sql).get(name) ?? [];
  if (users.length > 0) {
    const names = users.map((use) => `${use.kind} "${use.name}" (${use.id})`).join(", ");
    const message = `The contact property "${name}" is in use by ${names}. Change these first.`;
    return { refusal: { code: "property_in_use", path: "name", message, detail: { users } } };
  }
  removeProperty(context, name);
  return { body: { success: true } };
};

export const properties: AdminHandlers<"properties"> = {
  usage: showUsage,
  update: updateProperty,
  remove: deleteProperty,
};
