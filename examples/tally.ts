/**
 * Tally: a person who answers a form becomes a contact and starts your workflow. Anyone can enter any address into a
 * form, so the rule uses the address alone, links nothing and writes no name. It joins no mailing list: add `lists` if
 * the form asks for consent.
 *
 * To use it, copy this file to `src/mappings/tally.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import tally from "./mappings/tally.ts";
 *     tally: { rules: tally, secret: "TALLY_WEBHOOK_SECRET" },
 */
import { type TallyEvent, tally } from "../src/handlers/tally.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";
import { iso } from "../src/rules/values/iso.ts";

const email = (e: TallyEvent) => {
  const value = e.data.fields.find(({ type }) => type === "INPUT_EMAIL")?.value;
  return typeof value === "string" ? value : undefined;
};

export default rules(tally, [
  {
    name: "form submitted",
    on: "FORM_RESPONSE",
    when: (e) => Boolean(email(e)),
    contact: { email },
    update: { lastFormAt: (e) => iso(e.createdAt) },
    event: {
      name: "formSubmitted",
      properties: { form: (e) => clip(e.data.formName), formId: (e) => e.data.formId },
    },
  },
]);
