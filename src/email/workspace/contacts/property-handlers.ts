import { standardProperties } from "../../../lib/contract/contact-fields.ts";
import type { Handlers } from "../core/handler.ts";
import { createProperty, label, type PropertyType, typeOf } from "./properties.ts";

export const contactProperties: Handlers<"contactProperties"> = {
  create(context, { name, type }) {
    const existing = typeOf(context.sql, name);
    if (existing !== undefined) {
      const message = `The contact property "${name}" exists, as ${existing}. Use it, or choose another name.`;
      return { refusal: { code: "property_exists", path: "name", message } };
    }
    const refusal = createProperty(context, name, type, "name");
    if (refusal) return { refusal };
    return { body: { success: true } };
  },

  list({ sql }, { list = "all" }) {
    const custom = sql
      .exec<{ name: string; label: string; type: PropertyType }>(
        "SELECT name, label, type FROM properties ORDER BY created_at, name",
      )
      .toArray();
    const own = list === "all" ? standardProperties.map(({ name, type }) => ({ name, label: label(name), type })) : [];
    return { body: [...own, ...custom].map(({ name, label, type }) => ({ name, key: name, label, type })) };
  },
};
