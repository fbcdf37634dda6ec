import * as z from "zod";
import { page, paginated, resourceName } from "../../fields.ts";
import { act, read } from "../../operation.ts";
import { flag, team } from "./email-fields.ts";
import { changes, settings } from "./team/settings.ts";
import { usage } from "./team/usage.ts";

const sample = z.object({ id: z.string(), name: z.string(), added: z.boolean() });

export const teams = {
  /** Teams from the Directory. After a failed entry, the next admin request adds the team. */
  list: read("viewer", {
    path: "/teams",
    summary: "List teams, newest first",
    request: z.strictObject(page),
    response: paginated(settings.pick({ id: true, name: true, createdAt: true })),
    status: 200,
    refusals: [400],
    example: { perPage: "20" },
  }),

  create: act("owner", {
    method: "POST",
    path: "/teams",
    summary: "Create a team, with samples: true also the sample themes and published templates",
    danger: false,
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

  get: read("viewer", {
    path: "/teams/{team}",
    summary: "Get a team's settings",
    request: z.strictObject({ team }),
    response: settings,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme" },
  }),

  update: act("owner", {
    method: "POST",
    path: "/teams/{team}",
    summary: "Change a team's settings; what is left out stays",
    danger: false,
    request: z
      .strictObject({ team, ...changes })
      .refine(({ team: _, ...given }) => Object.values(given).some((value) => value !== undefined), {
        path: ["name"],
        message: `one of these is required: ${Object.keys(changes).join(", ")}`,
      }),
    response: settings,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", fromName: "Acme", fromEmail: "hello", replyToEmail: "support@acme.example" },
  }),

  usage: read("viewer", {
    path: "/teams/{team}/usage",
    summary: "Show what a team has and uses: contacts, mails by day, previews, and its database",
    request: z.strictObject({ team }),
    response: usage,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme" },
  }),

  addSamples: act("owner", {
    method: "POST",
    path: "/teams/{team}/samples",
    summary: "Add the sample themes and published sample templates that a team lacks",
    danger: false,
    request: z.strictObject({
      team,
      company: resourceName.optional(),
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
