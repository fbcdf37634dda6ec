export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
};

/** Converts a JSON Schema to TypeScript, without limits such as a length. */
export const typeOf = (schema: Schema): string => union(membersOf(schema));

const membersOf = (schema: Schema): string[] => {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value));
  // A type makes anyOf only a restriction: one of two identifiers is required.
  if (schema.anyOf && schema.type === undefined) return schema.anyOf.flatMap(membersOf);
  if (schema.oneOf) return schema.oneOf.flatMap(membersOf);
  if (Array.isArray(schema.type)) return schema.type.flatMap((type) => membersOf({ ...schema, type }));
  switch (schema.type) {
    case "object":
      return [objectOf(schema)];
    case "array":
      return [arrayOf(schema.items ?? {})];
    case "integer":
      return ["number"];
    case "string":
    case "number":
    case "boolean":
    case "null":
      return [schema.type];
    case undefined:
      return ["unknown"];
    default:
      throw new Error(`There is no TypeScript type here for ${JSON.stringify(schema)}.`);
  }
};

const union = (members: readonly string[]): string =>
  members.includes("unknown") ? "unknown" : [...new Set(members)].join(" | ");

const arrayOf = (items: Schema): string =>
  membersOf(items).length > 1 ? `(${typeOf(items)})[]` : `${typeOf(items)}[]`;

const objectOf = ({ properties, required = [], additionalProperties }: Schema): string => {
  const more = typeof additionalProperties === "object" ? additionalProperties : undefined;
  if (!properties) return `Record<string, ${more ? typeOf(more) : "unknown"}>`;
  const fields = Object.entries(properties).map(([name, schema]) =>
    required.includes(name)
      ? `${name}: ${typeOf(schema)};`
      : `${name}?: ${union([...membersOf(schema), "undefined"])};`,
  );
  // An index signature must include the types of named keys: `unknown`.
  return `{ ${[...fields, ...(more ? ["[name: string]: unknown;"] : [])].join(" ")} }`;
};
