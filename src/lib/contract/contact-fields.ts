/** `given`: always has a value. */
type Field = {
  type?: "string" | "number" | "boolean" | "date";
  settable?: true;
  given?: true;
  identifies?: true;
};

/** The only list of standard fields; schemas and checks are derived from it. */
const standardContactFields = {
  id: { given: true },
  email: { type: "string", identifies: true },
  firstName: { type: "string", settable: true },
  lastName: { type: "string", settable: true },
  source: { type: "string", settable: true, given: true },
  subscribed: { type: "boolean", settable: true, given: true },
  userGroup: { type: "string", settable: true, given: true },
  userId: { type: "string", identifies: true },
  mailingLists: { settable: true },
  optInStatus: { type: "string" },
  createdAt: { type: "date", given: true },
  updatedAt: { type: "date", given: true },
} as const satisfies Record<string, Field>;

type Fields = typeof standardContactFields;
export type ContactField = keyof Fields;
type FieldWith<Trait> = { [F in ContactField]: Fields[F] extends Trait ? F : never }[ContactField];
export type SettableField = FieldWith<{ settable: true }>;
type Identifier = FieldWith<{ identifies: true }>;
/** A field of one value that a person or an import gives. */
export type WritableField = Identifier | Extract<SettableField, FieldWith<{ type: PropertyType }>>;
export type DataField = Exclude<FieldWith<{ type: "string" | "boolean" }>, Identifier>;

const entries = Object.entries(standardContactFields) as [ContactField, Field][];

export const contactFieldNames: readonly ContactField[] = entries.map(([name]) => name);

export const settableFields: ReadonlySet<string> = new Set(
  entries.flatMap(([name, { settable }]) => (settable ? [name] : [])),
);

export type PropertyType = NonNullable<Field["type"]>;

export const standardProperties: readonly { name: ContactField; type: PropertyType }[] = entries.flatMap(
  ([name, { type }]) => (type ? [{ name, type }] : []),
);

const namesOf = <Name extends ContactField>(isOne: (field: Field) => unknown): readonly Name[] =>
  entries.flatMap(([name, field]) => (isOne(field) ? [name as Name] : []));

export const givenFields = namesOf<ContactField>(({ given }) => given);

export const writableFields = namesOf<WritableField>(
  ({ type, settable, identifies }) => type && (settable || identifies),
);

/** Fields that the email service stores as data of a contact, not as columns. */
export const dataFields = namesOf<DataField>(({ type, identifies }) => type && type !== "date" && !identifies);

/** Settable fields that a contact may lack: its names. */
export const nameFields = namesOf<SettableField>(({ type, settable, given }) => type && settable && !given);
