import * as z from "zod";
import { email } from "../../../email.ts";
import { resourceName } from "../../../fields.ts";
import { flag } from "../fields.ts";

/** A text of several lines; null removes it. */
const lines = (most: number, characters: number) =>
  z
    .string("must be a text or null")
    .trim()
    .min(1, "must not be empty. null removes it")
    .max(characters, `must be at most ${characters} characters`)
    .regex(
      new RegExp(`^[^\\p{Cc}\\n]*(\\n[^\\p{Cc}\\n]*){0,${most - 1}}$`, "u"),
      `must be at most ${most} lines, without control characters`,
    );

const NO_VARIABLES = "must not have { or }: the settings of a team have no variables. A message may have them";

/** Name of the sender of messages that name none; null removes it. */
const fromName = z
  .string("must be a text or null")
  .trim()
  .min(1, "must not be empty. null removes it")
  .max(200, "must be at most 200 characters")
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, "must be one line, without control characters")
  .regex(/^[^<>]*$/, "must not have < or >")
  .regex(/^[^{}]*$/, NO_VARIABLES);

/** The part before the @. Any domain shows whether it can be one: the real one may change. */
const fromEmail = z
  .string("must be a text or null")
  .trim()
  .min(1, "must not be empty. null removes it")
  .regex(/^[^@]*$/, "must be only the part before the @: the sending domain of the team follows")
  .regex(/^[^{}]*$/, NO_VARIABLES)
  .refine((part) => part.includes("@") || email.safeParse(`${part}@example.com`).success, {
    error: ({ input }) => `must be the part of an address before the @, such as "hello". "${String(input)}" is none`,
  });

const replyToEmail = email.regex(/^[^{}]*$/, NO_VARIABLES);

/** A send limit: the most mails that may start in any span of this length; null for no limit. */
const sendLimit = (most: number) => {
  const message = `must be a whole number from 1 to ${most}, or null for no limit`;
  return z.int(message).min(1, message).max(most, message).nullable();
};

/** The most mails of the team in any second, hour and day. */
const sendLimits = {
  sendPerSecond: sendLimit(10_000),
  sendPerHour: sendLimit(10_000_000),
  sendPerDay: sendLimit(100_000_000),
};

/** What a request may change. What is left out stays. */
export const changes = {
  name: resourceName.optional(),
  createProperties: flag.optional(),
  attachments: flag.optional(),
  doubleOptIn: flag.optional(),
  tracking: flag.optional(),
  fromName: fromName.nullish(),
  fromEmail: fromEmail.nullish(),
  replyToEmail: replyToEmail.nullish(),
  postalAddress: lines(10, 500).nullish(),
  footer: lines(10, 1_000)
    .regex(/^[^{}]*$/, NO_VARIABLES)
    .nullish(),
  sendPerSecond: sendLimits.sendPerSecond.optional(),
  sendPerHour: sendLimits.sendPerHour.optional(),
  sendPerDay: sendLimits.sendPerDay.optional(),
};

/**
 * `createProperties`: whether a value for an unknown contact property creates the property. `attachments`: whether transactional
 * mail may have attachments. `doubleOptIn`: whether the owner of a new address has to confirm before it gets marketing mail.
 * `tracking`: whether opens and clicks of marketing mail are measured. `fromName`, `fromEmail` (the part before the @), `replyToEmail`:
 * of messages that have none of their own. `footer` and `postalAddress`: in the footer of marketing mail.
 * `sendPerSecond`, `sendPerHour`, `sendPerDay`: the send limits. Marketing mail waits for them, and all mail counts.
 */
export const settings = z.object({
  id: z.string(),
  name: z.string(),
  createProperties: z.boolean(),
  attachments: z.boolean(),
  doubleOptIn: z.boolean(),
  tracking: z.boolean(),
  fromName: z.string().nullable(),
  fromEmail: z.string().nullable(),
  replyToEmail: z.string().nullable(),
  postalAddress: z.string().nullable(),
  footer: z.string().nullable(),
  ...sendLimits,
  createdAt: z.string(),
});
