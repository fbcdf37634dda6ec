import * as z from "zod";
import { page, paginated, resourceName } from "../../lib/contract/fields.ts";
import { operation } from "../../lib/contract/operation.ts";
import { flag, team } from "./fields.ts";

/** `createProperties`: whether a value for an unknown contact property creates the property. */
const settings = z.object({ id: z.string(), name: z.string(), createProperties: z.boolean(), createdAt: z.string() });

export const teams = {
  /** From the Directory. A team older than the Directory appears after the first admin request for it. */
  list: operation({
    method: "GET",
    path: "/teams",
    summary: "List teams, newest first",
    request: z.object(page),
    response: paginated(settings.omit({ createProperties: true })),
    status: 200,
    refusals: [400],
    example: { perPage: "20" },
  }),

  create: operation({
    method: "POST",
    path: "/teams",
    summary: "Create a team, with samples: true also its published sample templates",
    request: z.object({
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
    request: z.object({ team }),
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
      .object({ team, name: resourceName.optional(), createProperties: flag.optional() })
      .refine((given) => given.name !== undefined || given.createProperties !== undefined, {
        path: ["name"],
        message: "name or createProperties is required",
      }),
    response: settings,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", createProperties: true },
  }),
};
