import * as z from "zod";

export type Schema = Record<string, unknown>;

/** Schemas by name, which `components.schemas` gets. */
export type NamedSchemas = Record<string, Schema>;

const REFERENCE = "#/components/schemas/";

/**
 * Returns a schema as JSON Schema for generators of clients. Schemas with an `id` go to `named`.
 *
 * @throws if two schemas have one name
 */
export const schemaOf = (schema: z.ZodType, io: "input" | "output", named: NamedSchemas): Schema => {
  const { $schema: _dialect, ...given } = z.toJSONSchema(schema, { io, unrepresentable: "any", override }) as Schema;
  const text = JSON.stringify(given).replaceAll('"#/$defs/', `"${REFERENCE}`);
  const { $defs = {}, ...root } = JSON.parse(text, (_, value) => tidy(value)) as Schema;
  for (const [name, { id: _id, ...own }] of Object.entries($defs as NamedSchemas)) {
    if (JSON.stringify(named[name] ?? own) !== JSON.stringify(own)) throw new Error(`Two schemas are named ${name}.`);
    named[name] = own;
  }
  return root;
};

type Override = { zodSchema: z.core.$ZodType; jsonSchema: Schema };

/**
 * Answers may get more fields later, so only requests are closed. Further fields have any type, because in TypeScript
 * theirs must include those of the named fields.
 */
const override = ({ zodSchema, jsonSchema }: Override): void => {
  const { type, catchall, discriminator } = zodSchema._zod.def as {
    type: string;
    catchall?: unknown;
    discriminator?: string;
  };
  if (type === "object" && !catchall && jsonSchema.additionalProperties === false)
    delete jsonSchema.additionalProperties;
  if (typeof jsonSchema.additionalProperties === "object" && jsonSchema.properties)
    jsonSchema.additionalProperties = true;
  if (discriminator !== undefined) jsonSchema.discriminator = { propertyName: discriminator };
};

/** Adds to each discriminator its values, which only the schemas of the members know. */
export const withMappings = (named: NamedSchemas): NamedSchemas =>
  JSON.parse(JSON.stringify(named), (_, value) => {
    const propertyName = value?.discriminator?.propertyName;
    if (typeof propertyName !== "string") return value;
    const mapping = (value.oneOf as { $ref: string }[]).flatMap(({ $ref }) => {
      const { properties } = named[$ref.slice(REFERENCE.length)] as { properties: Record<string, Schema> };
      const { const: only, enum: values = [only] } = properties[propertyName] as Schema;
      return (values as string[]).map((one) => [one, $ref] as const);
    });
    return { ...value, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
  }) as NamedSchemas;

/** A schema that also takes null. */
export const nullable = (schema: Schema): Schema => tidy({ anyOf: [schema, { type: "null" }] }) as Schema;

const isSafeInteger = ({ type, minimum, maximum }: Schema) =>
  type === "integer" && minimum === Number.MIN_SAFE_INTEGER && maximum === Number.MAX_SAFE_INTEGER;

/**
 * Null in a list of types instead of a member of `anyOf`, whole numbers without the limits of a double, and no fixed
 * booleans: generators misread them.
 */
const tidy = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  const schema = value as Schema;
  if (isSafeInteger(schema)) return { type: "integer", format: "int64" };
  if (schema.type === "boolean") return { type: "boolean" };
  if (!Array.isArray(schema.anyOf) || "type" in schema) return value;
  const { anyOf: given, ...around } = schema;
  const members = (given as Schema[]).flatMap((one) =>
    Object.keys(one).join() === "anyOf" ? one.anyOf : [one],
  ) as Schema[];
  const [first, ...others] = members.filter(({ type }) => type !== "null");
  if (first?.type === undefined || others.length + 1 === members.length) {
    const nulls = members.filter(({ type }) => type === "null").slice(0, 1);
    return { ...around, anyOf: [...(first === undefined ? [] : [first]), ...others, ...nulls] };
  }
  const joined = withNull(first);
  return others.length === 0 ? { ...joined, ...around } : { ...around, anyOf: [joined, ...others] };
};

const withNull = ({ type, const: only, enum: values = only === undefined ? undefined : [only], ...rest }: Schema) => ({
  type: [...new Set([type, "null"].flat())],
  ...rest,
  ...(values === undefined ? {} : { enum: [...new Set([...(values as unknown[]), null])] }),
});
