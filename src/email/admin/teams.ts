import * as z from "zod";
import { page, paginated } from "../../lib/contract/fields.ts";
import { operation } from "../../lib/contract/operation.ts";
import { flag, name, team } from "./fields.ts";

/** `createProperties`: whether a value for an unknown contact property creates the property. */
const settings = z.object({ id: z.string(), name: z.string(), createProperties: z.boolean(), createdAt: z.string() });

/** From the Directory: teams that existed before it appear with the first admin call that concerns them. */
export const listTeams = operation({
  method: "GET",
  path: "/teams",
  summary: "List teams, newest first",
  request: z.object(page),
  response: paginated(settings.omit({ createProperties: true })),
  status: 200,
  refusals: [400],
});

export const createTeam = operation({
  method: "POST",
  path: "/teams",
  summary: "Create a team, with samples: true also its published sample templates",
  request: z.object({ id: team, name, createProperties: flag.default(false), samples: flag.default(false) }),
  response: z.object({ success: z.literal(true), id: z.string(), name: z.string() }),
  status: 201,
  refusals: [400, 409],
});

export const getTeam = operation({
  method: "GET",
  path: "/teams/{team}",
  summary: "Get a team's settings",
  request: z.object({ team }),
  response: settings,
  status: 200,
  refusals: [400, 404],
});

export const updateTeam = operation({
  method: "POST",
  path: "/teams/{team}",
  summary: "Change a team's settings; what is left out stays",
  request: z
    .object({ team, name: name.optional(), createProperties: flag.optional() })
    .refine((given) => given.name !== undefined || given.createProperties !== undefined, {
      path: ["name"],
      message: "name or createProperties is required",
    }),
  response: settings,
  status: 200,
  refusals: [400, 404],
});
