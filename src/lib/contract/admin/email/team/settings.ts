import * as z from "zod";
import { email } from "../../../email.ts";
import { resourceName } from "../../../fields.ts";
import { flag } from "../email-fields.ts";

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

const fromName = z
  .string("must be a text or null")
  .trim()
  .min(1, "must not be empty. null removes it")
  .max(200, "must be at most 200 characters")
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, "must be one line, without control characters")
  .regex(/^[^<>]*$/, "must not have < or >")
  .regex(/^[^{}]*$/, NO_VARIABLES);

/** The part before the @. It is checked with any domain, because the real one may change. */
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

const brandColor = z
  .string("must be a text or null")
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, "must be a color as #rrggbb, such as #b84a16. null removes it");

const logo = z
  .string("must be a text or null")
  .trim()
  .min(1, "must be the id or the file name of an upload. null removes it")
  .max(100, "must be at most 100 characters");

/** The most mails that may start in any span of this length; null for no limit. */
const sendLimit = (most: number) => {
  const message = `must be a whole number from 1 to ${most}, or null for no limit`;
  return z.int(message).min(1, message).max(most, message).nullable();
};

const sendLimits = {
  sendPerSecond: sendLimit(10_000),
  sendPerHour: sendLimit(10_000_000),
  sendPerDay: sendLimit(100_000_000),
};

/** The name as a runtime spells it; undefined if it knows none in any case of letters. */
const knownZone = (name: string): string | undefined => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
};

const isTimeZone = (name: string): boolean => /^[A-Za-z]/.test(name) && knownZone(name) !== undefined;

const SMALL_WORDS: readonly string[] = ["of", "es", "au"];

/** Spells a name as the database does. Runtimes answer an old name for some (`Asia/Calcutta`), so theirs stands only for its own. */
const spelledZone = (name: string): string => {
  const known = knownZone(name) ?? name;
  if (known.toLowerCase() === name.toLowerCase()) return known;
  if (/^[A-Z].*[a-z]/.test(name)) return name;
  return name.toLowerCase().replace(/[a-z]+/g, (word, at: number) => {
    if (SMALL_WORDS.includes(word)) return word;
    const isShort = at === 0 ? word.length < 4 : /^(?:utc|gmt|uct|edt|cdt|mdt|pdt)$/.test(word);
    return isShort ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1);
  });
};

const timeZone = z
  .string("must be a text")
  .trim()
  .refine(isTimeZone, 'must be a name of the IANA time zone database, such as "Europe/Berlin", or "UTC"')
  .transform(spelledZone);

export const changes = {
  name: resourceName.optional(),
  createProperties: flag.optional(),
  attachments: flag.optional(),
  doubleOptIn: flag.optional(),
  tracking: flag.optional(),
  fromName: fromName.nullish(),
  fromEmail: fromEmail.nullish(),
  replyToEmail: replyToEmail.nullish(),
  noticeEmail: email.nullish(),
  postalAddress: lines(10, 500).nullish(),
  footer: lines(10, 1_000)
    .regex(/^[^{}]*$/, NO_VARIABLES)
    .nullish(),
  brandColor: brandColor.nullish(),
  logo: logo.nullish(),
  timeZone: timeZone.optional(),
  sendPerSecond: sendLimits.sendPerSecond.optional(),
  sendPerHour: sendLimits.sendPerHour.optional(),
  sendPerDay: sendLimits.sendPerDay.optional(),
};

/**
 * `createProperties`: a value for an unknown property creates it. `doubleOptIn`: new addresses confirm before
 * marketing mail. `noticeEmail`: gets a mail when a campaign is held. `brandColor`, `logo`: of the pages of recipients; `logo` is a file name. `timeZone`: of days in filters, of schedules and of charts. `sendPerSecond`, `sendPerHour`, `sendPerDay`: all mail counts, but only marketing mail waits.
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
  noticeEmail: z.string().nullable(),
  postalAddress: z.string().nullable(),
  footer: z.string().nullable(),
  brandColor: z.string().nullable(),
  logo: z.string().nullable(),
  timeZone: z.string(),
  ...sendLimits,
  createdAt: z.string(),
});
