import * as z from "zod";
import { atLeastOne, contact, contactFields, customProperty, email, exactlyOne, userId } from "../fields.ts";
import { operation } from "../operation.ts";

const identified = z.object({ success: z.literal(true), id: z.string() });

const emptyAsAbsent = (value: string | undefined) => (value === "" || value === null ? undefined : value);

export const contacts = {
  /** Adds a contact. 409 when the email or the userId exists. */
  create: operation({
    method: "POST",
    path: "/contacts/create",
    summary: "Create a contact",
    request: z.object({ email, userId: userId.nullable().optional(), ...contactFields }).catchall(customProperty),
    response: identified,
    status: 200,
    refusals: [400, 409],
    idempotent: true,
    example: { email: "grace@example.com", userId: "user_43", firstName: "Grace", source: "signup" },
  }),

  /** Upsert by email or userId. 409 when both are given and belong to different contacts. */
  update: operation({
    method: "PUT",
    path: "/contacts/update",
    summary: "Create or update a contact",
    request: z
      .object({ email: email.optional(), userId: userId.optional(), ...contactFields })
      .catchall(customProperty)
      .refine(atLeastOne, { path: ["email"], message: "email or userId is required" }),
    response: identified,
    status: 200,
    refusals: [400, 409],
    example: { email: "ada@example.com", firstName: "Ada", subscribed: true },
  }),

  /** One contact or an empty array. */
  find: operation({
    method: "GET",
    path: "/contacts/find",
    summary: "Find a contact by email or userId",
    request: z
      .object({ email: email.optional(), userId: userId.optional() })
      .refine(exactlyOne, { path: ["email"], message: "exactly one of email and userId is required" }),
    response: z.array(contact),
    status: 200,
    refusals: [400],
    example: { email: "ada@example.com" },
  }),

  /** Deletes by email or userId. An empty string counts as not given: published clients send it. */
  delete: operation({
    method: "POST",
    path: "/contacts/delete",
    summary: "Delete a contact",
    request: z
      .object({
        email: z.preprocess(emptyAsAbsent, email.optional()),
        userId: z.preprocess(emptyAsAbsent, userId.optional()),
      })
      .refine(exactlyOne, { path: ["email"], message: "exactly one of email and userId is required" }),
    response: z.object({ success: z.literal(true), message: z.string() }),
    status: 200,
    refusals: [400, 404],
    example: { email: "ada@example.com" },
  }),
};
