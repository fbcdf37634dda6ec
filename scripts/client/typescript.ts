/** The parts of JSON Schema that zod writes for this contract. */
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

/** The TypeScript type of a JSON Schema, without limits such as a length. */
export const typeOf = (schema: Schema): string => union(membersOf(schema));

/** The members of the union type of a schema; most have one. */
const membersOf = (schema: Schema): string[] => {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value));
  // Beside a type, anyOf only narrows it: one of two identifiers is required.
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
  // Beside named keys an index signature must have a type that includes theirs: `unknown`.
  return `{ ${[...fields, ...(more ? ["[name: string]: unknown;"] : [])].join(" ")} }`;
};
