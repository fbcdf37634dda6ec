/**
 * Typeform: a person who answers a form becomes a contact and starts your workflow. Anyone can enter any address into a
 * form, so the rule uses the address alone, links nothing and writes no name. It joins no mailing list: add `lists` if
 * the form asks for consent.
 *
 * To use it, copy this file to `src/mappings/typeform.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import typeform from "./mappings/typeform.ts";
 *     typeform: { rules: typeform, secret: "TYPEFORM_WEBHOOK_SECRET" },
 */
import { type TypeformEvent, typeform } from "../src/handlers/typeform.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";
import { iso } from "../src/rules/values/iso.ts";

const email = (e: TypeformEvent) => e.form_response.answers.find(({ type }) => type === "email")?.email;

export default rules(typeform, [
  {
    name: "form submitted",
    on: "form_response",
    when: (e) => Boolean(email(e)),
    contact: { email },
    update: { lastFormAt: (e) => iso(e.form_response.submitted_at) },
    event: {
      name: "formSubmitted",
      // `hidden`: values from your link to the form. Anyone can change them.
      properties: { formId: (e) => e.form_response.form_id, campaign: (e) => clip(e.form_response.hidden?.campaign) },
    },
  },
]);
