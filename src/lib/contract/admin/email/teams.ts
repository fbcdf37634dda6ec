import * as z from "zod";
import { page, paginated, resourceName } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { flag, team } from "./fields.ts";

/** Lines of an address; null removes it. */
const postalAddress = z
  .string("must be a text or null")
  .trim()
  .min(1, "must not be empty. null removes it")
  .max(500, "must be at most 500 characters")
  .regex(/^[^\p{Cc}\n]*(\n[^\p{Cc}\n]*){0,9}$/u, "must be at most 10 lines, without control characters");

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

/** A sample of this package. `added`: false where the team had it before this request. */
const sample = z.object({ id: z.string(), name: z.string(), added: z.boolean() });

/**
 * `createProperties`: whether a value for an unknown contact property creates the property. `attachments`: whether transactional
 * mail may have attachments. `doubleOptIn`: whether the owner of a new address has to confirm before it gets marketing mail.
 * `tracking`: whether opens and clicks of marketing mail are measured. `postalAddress`: in the footer of marketing mail.
 * `sendPerSecond`, `sendPerHour`, `sendPerDay`: the send limits. Marketing mail waits for them, and all mail counts.
 */
const settings = z.object({
  id: z.string(),
  name: z.string(),
  createProperties: z.boolean(),
  attachments: z.boolean(),
  doubleOptIn: z.boolean(),
  tracking: z.boolean(),
  postalAddress: z.string().nullable(),
  ...sendLimits,
  createdAt: z.string(),
});

export const teams = {
  /** From the Directory. A team older than the Directory appears after the first admin request for it. */
  list: operation({
    method: "GET",
    path: "/teams",
    summary: "List teams, newest first",
    request: z.strictObject(page),
    response: paginated(settings.pick({ id: true, name: true, createdAt: true })),
    status: 200,
    refusals: [400],
    example: { perPage: "20" },
  }),

  create: operation({
    method: "POST",
    path: "/teams",
    summary: "Create a team, with samples: true also the sample themes and published templates",
    request: z.strictObject({
      id: team,
      name: resourceName,
      createProperties: flag.default(false),
      samples: flag.default(false),
    }),
    response: z.object({ success: z.literal(true), id: z.string(), name: z.string() }),
    status: 201,
    refusals: [400, 409],
    example: { id: "globex", name: "Globex", samples: true },
  }),

  get: operation({
    method: "GET",
    path: "/teams/{team}",
    summary: "Get a team's settings",
    request: z.strictObject({ team }),
    response: settings,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme" },
  }),

  update: operation({
    method: "POST",
    path: "/teams/{team}",
    summary: "Change a team's settings; what is left out stays",
    request: z
      .strictObject({
        ...{ team, name: resourceName.optional() },
        ...{ createProperties: flag.optional(), attachments: flag.optional(), doubleOptIn: flag.optional() },
        ...{ tracking: flag.optional(), postalAddress: postalAddress.nullish() },
        sendPerSecond: sendLimits.sendPerSecond.optional(),
        sendPerHour: sendLimits.sendPerHour.optional(),
        sendPerDay: sendLimits.sendPerDay.optional(),
      })
      .refine(({ team: _, ...changes }) => Object.values(changes).some((value) => value !== undefined), {
        path: ["name"],
        message:
          "name, createProperties, attachments, doubleOptIn, tracking, postalAddress, sendPerSecond, sendPerHour or sendPerDay is required",
      }),
    response: settings,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", createProperties: true },
  }),

  addSamples: operation({
    method: "POST",
    path: "/teams/{team}/samples",
    summary: "Add the sample themes and published sample templates that a team lacks",
    request: z.strictObject({
      team,
      /** The name in the mails where a send gives no other. Without it, the team's name. */
      company: resourceName.optional(),
      /** The address behind their buttons where a send gives no other. */
      website: z
        .string()
        .max(500, "must be at most 500 characters")
        .regex(/^https?:\/\/[^\s"<>{}]+$/, "must be an address that starts with https:// or http://")
        .optional(),
    }),
    response: z.object({ success: z.literal(true), themes: z.array(sample), templates: z.array(sample) }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", company: "Acme", website: "https://acme.example" },
  }),
};
