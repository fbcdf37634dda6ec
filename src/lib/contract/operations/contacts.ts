import * as z from "zod";
import { atLeastOne, contact, contactFields, customProperty, email, exactlyOne, userId } from "../fields.ts";
import { operation } from "../operation.ts";

const identified = z.object({ success: z.literal(true), id: z.string() });

/** Adds a contact. 409 when the email or the userId exists. */
export const createContact = operation({
  method: "POST",
  path: "/contacts/create",
  summary: "Create a contact",
  request: z.object({ email, userId: userId.nullable().optional(), ...contactFields }).catchall(customProperty),
  response: identified,
  status: 200,
  refusals: [400, 409],
  idempotent: true,
});

/** Upsert by email or userId. 409 when both are given and belong to different contacts. */
export const updateContact = operation({
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
});

/** One contact or an empty array. */
export const findContact = operation({
  method: "GET",
  path: "/contacts/find",
  summary: "Find a contact by email or userId",
  request: z
    .object({ email: email.optional(), userId: userId.optional() })
    .refine(exactlyOne, { path: ["email"], message: "exactly one of email and userId is required" }),
  response: z.array(contact),
  status: 200,
  refusals: [400],
});

/** Deletes by email or userId; an empty string counts as not given, as published clients send it. */
export const deleteContact = operation({
  method: "POST",
  path: "/contacts/delete",
  summary: "Delete a contact",
  request: z
    .object({
      email: z.preprocess(
        (value: string | undefined) => (value === "" || value === null ? undefined : value),
        email.optional(),
      ),
      userId: z.preprocess(
        (value: string | undefined) => (value === "" || value === null ? undefined : value),
        userId.optional(),
      ),
    })
    .refine(exactlyOne, { path: ["email"], message: "exactly one of email and userId is required" }),
  response: z.object({ success: z.literal(true), message: z.string() }),
  status: 200,
  refusals: [400, 404],
});
