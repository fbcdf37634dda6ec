import * as z from "zod";
import { mailingList, resourceId, resourceName } from "../../fields.ts";
import { act, read } from "../../operation.ts";
import { flag, team } from "./email-fields.ts";

const description = z.string().max(500, "must be at most 500 characters");
const visibility = z.enum(["public", "private"], 'must be "public" or "private"');

const contactCount = { subscribed: z.int(), unsubscribed: z.int() };

export const lists = {
  list: read("viewer", {
    path: "/teams/{team}/lists",
    summary: "List a team's mailing lists",
    request: z.strictObject({ team }),
    response: z.object({ data: z.array(mailingList) }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme" },
  }),

  create: act("editor", {
    method: "POST",
    path: "/teams/{team}/lists",
    summary: "Create a mailing list",
    danger: false,
    request: z.strictObject({
      team,
      name: resourceName,
      description: description.default(""),
      visibility: visibility.default("private"),
    }),
    response: mailingList,
    status: 201,
    refusals: [400, 404],
    example: { team: "acme", name: "Newsletter", visibility: "public" },
  }),

  update: act("editor", {
    method: "POST",
    path: "/teams/{team}/lists/{listId}",
    summary: "Change or archive a mailing list; what is left out stays",
    danger: false,
    request: z
      .strictObject({
        team,
        listId: resourceId,
        name: resourceName.optional(),
        description: description.optional(),
        visibility: visibility.optional(),
        /** An archived list takes no new subscribers but stays readable. */
        isArchived: flag.optional(),
      })
      .refine(({ team: _team, listId: _list, ...changes }) => Object.values(changes).some((v) => v !== undefined), {
        path: ["name"],
        message: "one of name, description, visibility and isArchived is required",
      }),
    response: mailingList,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", listId: "lst_1", isArchived: true },
  }),

  /** Counts are cached for an hour. `contacts`: all contacts of the team. */
  counts: read("viewer", {
    path: "/teams/{team}/lists/counts",
    summary: "Count the contacts on each mailing list",
    request: z.strictObject({
      team,
      recount: z
        .enum(["true", "false"], "must be true or false")
        .default("false")
        .transform((given) => given === "true"),
    }),
    response: z.strictObject({
      data: z.array(z.strictObject({ id: z.string(), ...contactCount })),
      contacts: z.strictObject(contactCount),
      countedAt: z.string(),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme" },
  }),
};
