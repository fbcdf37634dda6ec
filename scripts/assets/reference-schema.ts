/** A part of a JSON document. */
export type Json = Readonly<Record<string, unknown>>;

type Field = {
  name: string;
  type: string;
  isRequired: boolean;
  about: string;
  rules: readonly string[];
  inner: readonly Field[];
};
export type Fields = readonly Field[];

const MAX_DEPTH = 4;

/** Follows references within the document. */
export const resolve = (document: Json, part: Json): Json => {
  if (typeof part.$ref !== "string") return part;
  const steps = part.$ref.slice(2).split("/");
  const found = steps.reduce<unknown>((at, step) => (at as Json)[step], document);
  const { $ref: _, ...own } = part;
  return { ...resolve(document, found as Json), ...own };
};

const nameOf = ({ $ref }: Json): string | undefined =>
  typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : undefined;

const choicesOf = (schema: Json): readonly Json[] => (schema.anyOf ?? schema.oneOf ?? []) as readonly Json[];

/** A type in words, such as `string or null` and `array of Contact`. */
const typeOf = (document: Json, given: Json, depth = 0): string => {
  const name = nameOf(given);
  const schema = resolve(document, given);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = choicesOf(schema);
  if (choices.length > 0) {
    return [...new Set(choices.map((one) => (depth > 2 ? "value" : typeOf(document, one, depth + 1))))].join(" or ");
  }
  const types = [schema.type ?? "any value"].flat() as string[];
  return types
    .map((type) => {
      if (type === "array") {
        const item = (schema.items ?? {}) as Json;
        return `array of ${depth > 2 ? "values" : typeOf(document, item, depth + 1)}`;
      }
      return type === "object" && name !== undefined ? name : type;
    })
    .join(" or ");
};

const rulesOf = (schema: Json): string[] => {
  const words: [string, string][] = [
    ["format", "format"],
    ["minLength", "at least characters"],
    ["maxLength", "at most characters"],
    ["minimum", "at least"],
    ["maximum", "at most"],
    ["minItems", "at least items"],
    ["maxItems", "at most items"],
    ["default", "default"],
  ];
  const rules = words.flatMap(([key, label]) => {
    const value = schema[key];
    if (value === undefined || (typeof value === "number" && Math.abs(value) >= Number.MAX_SAFE_INTEGER)) return [];
    const [first = "", unit] = label.split(/ (?=characters|items)/);
    const shown = typeof value === "object" ? JSON.stringify(value) : String(value);
    const units = value === 1 ? unit?.replace(/s$/, "") : unit;
    return [`${first} ${shown}${units === undefined ? "" : ` ${units}`}`];
  });
  const choices = schema.enum as readonly unknown[] | undefined;
  return choices ? [`one of ${choices.map((one) => JSON.stringify(one)).join(", ")}`, ...rules] : rules;
};

/** Returns the schema that has the fields of a value: of the items of a list, and of the only choice. */
const holderOf = (document: Json, given: Json): Json => {
  const schema = resolve(document, given);
  if (schema.items !== undefined) return holderOf(document, schema.items as Json);
  const choices = choicesOf(schema).filter(({ type }) => type !== "null");
  const [only] = choices;
  return choices.length === 1 && only ? holderOf(document, only) : schema;
};

/** Lists the fields of an object, or those of the items of a list. A choice between objects has the fields of all. */
export const fieldsOf = (document: Json, given: Json, depth = 0): Fields => {
  if (depth > MAX_DEPTH) return [];
  const schema = holderOf(document, given);
  const choices = choicesOf(schema);
  if (choices.length > 0) {
    const all = choices.flatMap((one) => fieldsOf(document, one, depth + 1));
    return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at);
  }
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, one]) => {
    const field = resolve(document, one);
    return {
      name,
      type: typeOf(document, one),
      isRequired: required.includes(name),
      about: String(field.description ?? ""),
      rules: rulesOf(field),
      inner: fieldsOf(document, one, depth + 1),
    };
  });
};
