import { settableFields } from "../../lib/contract/contact-fields.ts";

/** Contact properties in the form of the configured email service. */
export const inDialect = <V>(
  properties: Record<string, V>,
  dialect: "nested" | "flat",
): Record<string, V | Record<string, V>> => {
  if (dialect === "flat") return properties;
  const own = Object.entries(properties).filter(([name]) => settableFields.has(name));
  const custom = Object.entries(properties).filter(([name]) => !settableFields.has(name));
  return { ...Object.fromEntries(own), ...(custom.length > 0 ? { properties: Object.fromEntries(custom) } : {}) };
};
