import * as z from "zod";
import { email } from "../email.ts";
import { namingOneContact, userId } from "../fields.ts";
import { act, read } from "../operation.ts";

const oneContact = namingOneContact(z.object({ email: email.optional(), userId: userId.optional() }));

/** `remaining` of `limit` removals in a rolling 30 days. */
const removalQuota = z.object({ limit: z.int(), remaining: z.int() }).meta({ id: "RemovalQuota" });

export const suppression = {
  get: read("viewer", {
    path: "/contacts/suppression",
    summary: "Check whether a contact is suppressed",
    request: oneContact,
    response: z.object({
      contact: z.object({ id: z.string(), email: z.string().nullable(), userId: z.string().nullable() }),
      isSuppressed: z.boolean(),
      removalQuota,
    }),
    status: 200,
    refusals: [400, 404],
    refusesWithSuccess: true,
    example: { email: "bob@example.com" },
  }),

  /** 400 if the contact is not suppressed, or the quota is used up. */
  remove: act("support", {
    method: "DELETE",
    path: "/contacts/suppression",
    summary: "Remove a contact from the suppression list",
    danger: false,
    request: oneContact,
    response: z.object({ success: z.literal(true), message: z.string(), removalQuota }),
    status: 200,
    refusals: [400, 404],
    refusesWithSuccess: true,
    example: { email: "bob@example.com" },
  }),
};
