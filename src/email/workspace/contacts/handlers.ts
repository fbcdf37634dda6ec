import type { Handlers } from "../core/handler.ts";
import { readChanges } from "./changes.ts";
import { removeContact, toResponse } from "./contact-rows.ts";
import { growthRefusal } from "./contact-size.ts";
import { reportDeleted } from "./report.ts";
import { createContact, identify, newContact, upsert } from "./upsert.ts";

export const contacts: Handlers<"contacts"> = {
  create(context, input) {
    const read = readChanges(context, input);
    if ("refusal" in read) return read;
    const { byEmail, byUserId } = identify(context.sql, input);
    if (byEmail || byUserId) {
      const path = byEmail ? "email" : "userId";
      return {
        refusal: {
          code: "contact_exists",
          path,
          message: `A contact with this ${path} exists. PUT /v1/contacts/update changes it.`,
        },
      };
    }
    const added = newContact(input, read.changes);
    const refusal = growthRefusal(context, undefined, added);
    return refusal ? { refusal } : { body: { success: true, id: createContact(context, added).id } };
  },

  update(context, input) {
    const read = readChanges(context, input);
    if ("refusal" in read) return read;
    const result = upsert(context, input, read.changes);
    return "refusal" in result ? result : { body: { success: true, id: result.contact.id } };
  },

  find({ sql }, input) {
    const { byEmail, byUserId } = identify(sql, input);
    const contact = byEmail ?? byUserId;
    return { body: contact ? [toResponse(contact)] : [] };
  },

  delete(context, input) {
    const { sql } = context;
    const { byEmail, byUserId } = identify(sql, input);
    const contact = byEmail ?? byUserId;
    if (!contact) {
      const path = input.email === undefined ? "userId" : "email";
      return {
        refusal: {
          code: "contact_not_found",
          path,
          message: `There is no contact with this ${path}: nothing to delete.`,
        },
      };
    }
    removeContact(context, contact);
    reportDeleted(context, contact);
    return { body: { success: true, message: "Contact deleted." } };
  },
};
