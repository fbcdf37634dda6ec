import * as z from "zod";

/** Request fields. A schema's description completes an error message: `limit must be a whole number from 1 to 100.` */
export type Fields = Readonly<Record<string, z.ZodType>>;

export const text = (max: number) => z.string().trim().min(1).max(max).describe(`a text of 1 to ${max} characters`);

const email = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/)
  .describe("an email address");

/** A JSON list, or text with commas. */
const someOf = <const T extends string>(words: readonly T[]) => {
  const list = z.array(z.enum(words)).min(1);
  const inText = z
    .string()
    .transform((given) => given.split(",").map((word) => word.trim()))
    .pipe(list);
  return z.union([list, inText]).describe(`one or more of ${words.join(", ")}`);
};

/** A relative time: "7d", "12h", "30m". */
const ago = z
  .string()
  .trim()
  .regex(/^(?=.*[1-9])\d{1,6}[smhd]$/);
const day = z
  .string()
  .trim()
  .regex(/^\d{4}-\d\d-\d\d/);
const TIME = 'a time such as "2026-01-31T12:00:00Z", or how long ago, such as "7d"';
const time = z.union([ago, day.refine((text) => !Number.isNaN(Date.parse(text)))]).describe(TIME);

const limit = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.int().min(1).max(100))
  .describe("a whole number from 1 to 100");

/** A cursor: a base 36 number. */
export const cursor = z
  .string()
  .regex(/^[0-9a-z]{1,11}$/)
  .transform((given) => Number.parseInt(given, 36))
  .pipe(z.int())
  .describe("the `next` of an earlier answer");

export const flag = z
  .literal([true, false, "1", "0", "true", "false"])
  .transform((given) => given === true || given === "1" || given === "true")
  .describe("true or false");

export const actionNames = ["contact", "event", "transactional", "delete", "fetch"] as const;
export const actions = someOf(actionNames);

export const stateNames = ["waiting", "sending", "done", "replaced", "skipped", "failed", "undecided"] as const;

export const personFields = { email, userId: text(500), ref: text(500) };
export const webhookFields = { source: text(100), type: text(200), since: time, until: time };
export const searchFields = {
  ...personFields,
  ...webhookFields,
  state: someOf([...stateNames, "attention"]),
  rule: text(500),
  cause: text(300),
  action: z.enum(actionNames).describe(`one of ${actionNames.join(", ")}`),
};
export const pageFields = { limit, cursor };

export const webhookId = z.string().max(100);
export const deliveryId = z.string().max(100);

export const some = <F extends Fields>(fields: F) => z.strictObject(fields).partial();
