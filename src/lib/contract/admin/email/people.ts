import * as z from "zod";
import { email } from "../../email.ts";
import { userId } from "../../fields.ts";
import { act } from "../../operation.ts";
import { forgotten } from "../forgotten.ts";
import { flag, team } from "./fields.ts";

const several = (one: typeof email | typeof userId) =>
  z.array(one).max(1_000, "must have at most 1000 entries").default([]);

export const people = {
  /** Erases a person, including the sends that a v1 contact deletion keeps. */
  forget: act("owner", {
    method: "POST",
    path: "/teams/{team}/forget",
    summary: "Forget a person: the contact, its events, and what the sends say of the person",
    danger: true,
    dryRun: false,
    request: z
      .strictObject({ team, emails: several(email), userIds: several(userId), dryRun: flag.default(false) })
      .refine(({ emails, userIds }) => emails.length + userIds.length > 0, {
        path: ["emails"],
        message: "emails or userIds must have at least one identifier of the person",
      }),
    response: forgotten,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", emails: ["ada@example.com"], userIds: ["user_1"], dryRun: true },
  }),
};
