type Field = {
  /** Type of the field as a contact property; absent when it is none (the id, the map of lists). */
  type?: "string" | "number" | "boolean" | "date";
  /** True when a request may set it. */
  settable?: true;
  /** True when every contact has a value, which may be an empty text. */
  given?: true;
};

/** The standard fields of a contact. Schemas, checks and lists of fields are made from this one list. */
const standardContactFields = {
  id: { given: true },
  email: { type: "string" },
  firstName: { type: "string", settable: true },
  lastName: { type: "string", settable: true },
  source: { type: "string", settable: true, given: true },
  subscribed: { type: "boolean", settable: true, given: true },
  userGroup: { type: "string", settable: true, given: true },
  userId: { type: "string" },
  mailingLists: { settable: true },
  optInStatus: { type: "string" },
  createdAt: { type: "date", given: true },
  updatedAt: { type: "date", given: true },
} as const satisfies Record<string, Field>;

type Fields = typeof standardContactFields;
export type ContactField = keyof Fields;
export type SettableField = { [F in ContactField]: Fields[F] extends { settable: true } ? F : never }[ContactField];

const entries = Object.entries(standardContactFields) as [ContactField, Field][];

export const contactFieldNames: readonly ContactField[] = entries.map(([name]) => name);

/** The fields a request may set: at top level, in both forms of the API. */
export const settableFields: ReadonlySet<string> = new Set(
  entries.flatMap(([name, { settable }]) => (settable ? [name] : [])),
);

/** The fields that have a value in every contact. */
export const givenFields: readonly ContactField[] = entries.flatMap(([name, { given }]) => (given ? [name] : []));

export type PropertyType = NonNullable<Field["type"]>;

/** The fields that are contact properties, with their types. */
export const standardProperties: readonly { name: ContactField; type: PropertyType }[] = entries.flatMap(
  ([name, { type }]) => (type ? [{ name, type }] : []),
);
