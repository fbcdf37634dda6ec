import * as z from "zod";
import { type ContactField, contactFieldNames, type SettableField } from "./contact-fields.ts";
import { hasHidden, NO_HIDDEN } from "./hidden-characters.ts";

/** Characters. */
const MAX_VALUE = 500;

export const userId = z
  .string()
  .min(1, "must not be empty")
  .max(MAX_VALUE, `must be at most ${MAX_VALUE} characters`)
  .regex(/\S/, "must not be blank")
  .refine((value) => !hasHidden(value), NO_HIDDEN);

export const resourceId = z.string().max(100, "must be at most 100 characters");

export const resourceName = z.string().trim().min(1, "must not be empty").max(100, "must be at most 100 characters");

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const ONE_LINE = /^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$/;

/** A text on one line. Not a pattern: RE2 of Go clients has no `\u`. */
export const onOneLine = (text: z.ZodString): z.ZodString =>
  text.refine(
    (value) => ONE_LINE.test(value),
    "must not contain line breaks, control characters or marks that turn the direction of text",
  );

/** Name of an event: case-sensitive. */
export const eventName = z
  .string()
  .min(1, "must not be empty")
  .max(100, "must be at most 100 characters")
  .regex(/^[^:]*$/, "must not contain a colon");

const text = z.string().max(MAX_VALUE, `must be at most ${MAX_VALUE} characters`);

/** A text that a mail can show. */
const shownText = text.refine((value) => !hasHidden(value), NO_HIDDEN);

/** A value of a custom property. `null` clears it. */
export const propertyValue = z.union([shownText, z.number(), z.boolean(), z.null()], {
  error: ({ input }) => {
    if (typeof input !== "string") return "must be a string, a number, a boolean or null";
    return input.length > MAX_VALUE ? `must be at most ${MAX_VALUE} characters` : NO_HIDDEN;
  },
});

/** Typed `unknown`, so that keys of other types can stand beside it. */
const customProperty: z.ZodType<unknown> = propertyValue;

const eventValue = z.union([text, z.number(), z.boolean(), z.null()], {
  error: (issue) =>
    typeof issue.input === "string"
      ? `must be at most ${MAX_VALUE} characters`
      : "must be a string, a number or a boolean",
});

/**
 * Published clients may send lists. The content is dropped, because it may be nested too deep for a call between
 * objects.
 */
const list = z.array(z.unknown()).transform((): unknown[] => []);

const variableValue = z.union([z.string(), z.number(), z.boolean(), z.null(), list], {
  error: "must be a string, a number or a boolean",
});

/** Values of mail variables by name. Null means not given. */
export const variableValues = z.record(z.string(), variableValue);

const MAX_EVENT_PROPERTIES = 200;
const encoder = new TextEncoder();

/** Bytes of a value as JSON in UTF-8. */
export const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

/** Bytes of the properties of an event as JSON, which 30 days keep. */
export const MAX_EVENT = 32_768;

export const eventProperties = z
  .record(z.string().max(100, "must have a name of at most 100 characters"), eventValue)
  .refine(
    (value) => Object.keys(value).length <= MAX_EVENT_PROPERTIES,
    `must have at most ${MAX_EVENT_PROPERTIES} properties`,
  )
  .refine(
    (value) => bytesOf(value) <= MAX_EVENT,
    `must have at most ${MAX_EVENT} bytes as JSON: shorten its values, or leave out what no filter and no mail needs`,
  )
  .meta({ maxProperties: MAX_EVENT_PROPERTIES });

const propertyNames = { propertyNames: { pattern: "^[a-z][A-Za-z0-9]*$", maxLength: 80 } };

/** Custom properties by name. `null` clears one. */
export const customProperties = z.record(z.string(), propertyValue).meta(propertyNames);

export const withCustomProperties = <S extends z.ZodRawShape>(shape: S) =>
  z.object(shape).catchall(customProperty).meta(propertyNames);

/** List id to true (subscribe) or false (unsubscribe). */
const mailingLists = z.record(z.string(), z.boolean("must be true or false"));

export const contactFields = {
  firstName: shownText.nullable().optional(),
  lastName: shownText.nullable().optional(),
  source: shownText.nullable().optional(),
  subscribed: z.boolean("must be true or false").optional(),
  userGroup: shownText.nullable().optional(),
  mailingLists: mailingLists.optional(),
  properties: customProperties.optional(),
} satisfies Record<SettableField | "properties", z.ZodType>;

/** Reserved names that a custom property cannot have. */
export const standardFields: ReadonlySet<string> = new Set([
  ...contactFieldNames,
  "properties",
  "notes",
  "eventName",
  "eventProperties",
  "contactProperties",
]);

/** The name of a custom property: camelCase, at most 80 characters, not a standard field. */
export const propertyName = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]*$/, 'must be camelCase (a-z, A-Z, 0-9), such as "planName"')
  .max(80, "must be at most 80 characters")
  .refine((name) => !standardFields.has(name), "must not be the name of a standard field; choose another name")
  .meta({ not: { enum: [...standardFields] } });

/** `visibility` and `isPublic` say the same. An archived list takes no new subscribers. */
export const mailingList = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    visibility: z.enum(["public", "private"]),
    isPublic: z.boolean(),
    isArchived: z.boolean(),
  })
  .meta({ id: "MailingList" });

const contactShape = {
  id: z.string(),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  source: z.string(),
  subscribed: z.boolean(),
  userGroup: z.string(),
  userId: z.string().nullable(),
  mailingLists: z.record(z.string(), z.literal(true)),
  optInStatus: z.enum(["accepted", "pending", "rejected"]).nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  properties: z.record(z.string(), propertyValue),
} satisfies Record<ContactField | "properties", z.ZodType>;
export const contact = z.looseObject(contactShape).meta({ id: "Contact" });

/** Answer to a request with an idempotency key. `id`: specific to this email service. */
export const recorded = z.object({ success: z.literal(true), id: z.string().optional() }).meta({ id: "Recorded" });

export const page = {
  perPage: z
    .string()
    .regex(/^([1-4][0-9]|50)$/, "must be a whole number from 10 to 50")
    .transform(Number)
    .optional(),
  cursor: z.string().optional(),
};

const pagination = z
  .object({
    totalResults: z.int(),
    returnedResults: z.int(),
    perPage: z.int(),
    totalPages: z.int(),
    nextCursor: z.string().nullable(),
    nextPage: z.string().nullable(),
  })
  .meta({ id: "Pagination" });

export const paginated = <T extends z.ZodType>(item: T) => z.object({ pagination, data: z.array(item) });

/** A property that events of a name had. */
export const eventProperty = z
  .object({ name: z.string(), type: z.enum(["string", "number", "boolean", "date"]) })
  .meta({ id: "EventProperty" });

/** Counts of marketing mail. */
export const emailMetrics = z
  .object({
    sends: z.int(),
    opens: z.int(),
    clicks: z.int(),
    unsubscribes: z.int(),
    spamReports: z.int(),
    hardBounces: z.int(),
    softBounces: z.int(),
  })
  .meta({ id: "EmailMetrics" });

type Identified = { email?: string | undefined; userId?: string | undefined };

const givenFor = (field: string) => ({ required: [field], properties: { [field]: { not: { type: "null" } } } });

/** JSON Schema for how many of the fields are given. With `if`, because generators take `anyOf` for a choice of types. */
export const requiring = (how: "anyOf" | "oneOf", fields: readonly string[]) => ({
  if: { [how]: fields.map(givenFor) },
  else: { not: {} },
});

/** Requires email, userId or both. */
export const namingContact = <T extends z.ZodType<Identified>>(request: T): T =>
  request
    .refine(({ email, userId }) => email !== undefined || userId !== undefined, {
      path: ["email"],
      message: "email or userId is required.",
    })
    .meta(requiring("anyOf", ["email", "userId"]));

/** Requires either email or userId. */
export const namingOneContact = <T extends z.ZodType<Identified>>(request: T): T =>
  request
    .refine(({ email, userId }) => (email === undefined) !== (userId === undefined), {
      path: ["email"],
      message: "email or userId is required, and not both.",
    })
    .meta({
      ...requiring("oneOf", ["email", "userId"]),
      description: "Name the contact by email or by userId, not by both.",
    });
