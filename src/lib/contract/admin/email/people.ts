import * as z from "zod";
import { email } from "../../email.ts";
import { userId } from "../../fields.ts";
import { act } from "../../operation.ts";
import { erased } from "../erased.ts";
import { flag, team } from "./email-fields.ts";

const several = (zodString: typeof email | typeof userId) =>
  z.array(zodString).max(1_000, "must have at most 1000 entries").default([]);

export const people = {
  /** Erases a person, including the sends that a v1 contact deletion keeps. */
  erase: act("owner", {
    method: "POST",
    path: "/teams/{team}/erase",
    summary: "Erase a person: the contact, its events, and what the sends say of the person",
    danger: true,
    dryRun: false,
    request: z
      .strictObject({ team, emails: several(email), userIds: several(userId), dryRun: flag.default(false) })
      .refine(({ emails, userIds }) => emails.length + userIds.length > 0, {
        path: ["emails"],
        message: "emails or userIds must have at least one identifier of the person",
      }),
    response: erased,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", emails: ["ada@example.com"], userIds: ["user_1"], dryRun: true },
  }),
};
