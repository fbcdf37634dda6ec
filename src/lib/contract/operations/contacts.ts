import * as z from "zod";
import { email } from "../email.ts";
import { contact, contactFields, namingContact, namingOneContact, userId, withCustomProperties } from "../fields.ts";
import { act, read } from "../operation.ts";

const identified = z.object({ success: z.literal(true), id: z.string() }).meta({ id: "StoredContact" });

const emptyAsAbsent = (value: string | undefined) => (value === "" ? undefined : value);

export const contacts = {
  /** 409 if the email or the userId exists. */
  create: act("support", {
    method: "POST",
    path: "/contacts/create",
    summary: "Create a contact",
    danger: false,
    request: withCustomProperties({ email, userId: userId.optional(), ...contactFields }),
    response: identified,
    status: 200,
    refusals: [400, 409],
    refusesWithSuccess: true,
    idempotent: true,
    example: { email: "grace@example.com", userId: "user_43", firstName: "Grace", source: "signup" },
  }),

  /**
   * Upserts by email or userId. 400 if they belong to two contacts, unless each lacks the other's identifier: then
   * they merge.
   */
  update: act("support", {
    method: "PUT",
    path: "/contacts/update",
    summary: "Create or update a contact",
    danger: false,
    request: namingContact(
      withCustomProperties({ email: email.optional(), userId: userId.optional(), ...contactFields }),
    ),
    response: identified,
    status: 200,
    refusals: [400],
    refusesWithSuccess: true,
    example: { email: "ada@example.com", firstName: "Ada", subscribed: true },
  }),

  /** Returns one contact or an empty array. */
  find: read("viewer", {
    path: "/contacts/find",
    summary: "Find a contact by email or userId",
    request: namingOneContact(z.object({ email: email.optional(), userId: userId.optional() })),
    response: z.array(contact),
    status: 200,
    refusals: [400],
    refusesWithSuccess: true,
    example: { email: "ada@example.com" },
  }),

  /** Deletes by email or userId. An empty string counts as not given: published clients send it. */
  delete: act("support", {
    method: "POST",
    path: "/contacts/delete",
    summary: "Delete a contact",
    danger: true,
    request: namingOneContact(
      z.object({
        email: z.preprocess(emptyAsAbsent, email.optional()),
        userId: z.preprocess(emptyAsAbsent, userId.optional()),
      }),
    ),
    response: z.object({ success: z.literal(true), message: z.string() }),
    status: 200,
    refusals: [400, 404],
    refusesWithSuccess: true,
    example: { email: "ada@example.com" },
  }),
};
