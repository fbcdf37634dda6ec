type Field = {
  type?: "string" | "number" | "boolean" | "date";
  settable?: true;
  given?: true;
};

/** The only list of standard fields; schemas and checks are derived from it. */
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

export const settableFields: ReadonlySet<string> = new Set(
  entries.flatMap(([name, { settable }]) => (settable ? [name] : [])),
);

export const givenFields: readonly ContactField[] = entries.flatMap(([name, { given }]) => (given ? [name] : []));

export type PropertyType = NonNullable<Field["type"]>;

export const standardProperties: readonly { name: ContactField; type: PropertyType }[] = entries.flatMap(
  ([name, { type }]) => (type ? [{ name, type }] : []),
);
