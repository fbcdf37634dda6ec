import { expect, it } from "vitest";
import {
  type Named,
  type RefusedDelivery,
  refusalChange,
  refusalCure,
} from "../../../../src/outbox/operator/refusal-cures.ts";

const named: Named = {
  templates: { welcome: "tpl_welcome", receipt: "tpl_recept", "trial ending": "tpl_x" },
  lists: { newsletter: "lst_1" },
  known: [
    { id: "tpl_welcome", name: "Welcome" },
    { id: "tpl_receipt", name: "Receipt" },
    { id: "tpl_9", name: "Trial ending" },
  ],
};
const mail = (message: string, more: Partial<RefusedDelivery> = {}): RefusedDelivery => ({
  action: "transactional",
  message,
  status: 400,
  template: "receipt",
  ...more,
});
const unknown = 'There is no transactional email with the id "tpl_recept".';

it.each([
  [
    "an unknown id names TEMPLATES, its line and the nearest id",
    mail(unknown, { status: 404 }),
    named,
    ["[vars.TEMPLATES]", 'receipt = "tpl_recept"', 'receipt = "tpl_receipt" ("Receipt")'],
  ],
  [
    "the words of another email service",
    mail("Transactional email not found"),
    named,
    ['receipt = "tpl_recept"', '"tpl_receipt"'],
  ],
  [
    "a name that is near where no id is",
    mail(unknown, { status: 404, template: "trial ending" }),
    named,
    ['"trial ending" = "tpl_x"', '"trial ending" = "tpl_9" ("Trial ending")'],
  ],
  [
    "an email service that gives no list",
    mail(unknown, { status: 404 }),
    { templates: named.templates, lists: {} },
    ['receipt = "tpl_recept"', "Correct it, then retry."],
  ],
  [
    "an id that is right meanwhile",
    mail(unknown, { status: 404, template: "welcome" }),
    named,
    ['welcome = "tpl_welcome"', "by now: retry"],
  ],
  [
    "a name without an id names the nearest line",
    mail('TEMPLATES has no transactionalId for the template "reciept".', { template: "reciept" }),
    named,
    ['reciept = "<id of the template>"', '"receipt"'],
  ],
  [
    "a mailing list without an id",
    { action: "contact", message: 'LISTS has no id for the mailing list "newsleter".' },
    named,
    ["[vars.LISTS]", 'newsleter = "', '"newsletter"'],
  ],
  [
    "an unverified domain",
    mail("The sending domain a.example is not verified yet, so no mail is sent from it."),
    named,
    ["npm run domains -- check"],
  ],
  [
    "a missing variable",
    mail("No value for data.amount. Give values in dataVariables, or fallbacks in the message."),
    named,
    ["data.amount", "transactional.variables", 'the template "receipt"'],
  ],
  [
    "an unpublished template",
    mail('The transactional email "tpl_recept" is not published. Publish it.'),
    named,
    ["Publish", 'receipt = "tpl_recept"'],
  ],
])("%s", (_, delivery, names, words) => {
  const cure = refusalCure(delivery, names) ?? "";
  expect(words.filter((word) => !cure.includes(word))).toEqual([]);
});

it("says nothing of a refusal that it does not know", () => {
  expect(refusalCure(mail("Too long."), named)).toBeUndefined();
  expect(refusalCure({ action: "event", message: "Not found", status: 404 }, named)).toBeUndefined();
});

it.each([
  ["a wrong id", mail(unknown, { status: 404 }), 'receipt = "tpl_recept"', 'receipt = "tpl_receipt"'],
  [
    "a name in quotes",
    mail(unknown, { status: 404, template: "trial ending" }),
    '"trial ending" = "tpl_x"',
    '"trial ending" = "tpl_9"',
  ],
  [
    "a missing line",
    mail('TEMPLATES has no transactionalId for the template "recept".', { template: "recept" }),
    null,
    'recept = "tpl_receipt"',
  ],
])("gives the line to change: %s", (_, delivery, before, after) => {
  expect(refusalChange(delivery, named)).toEqual({ file: "wrangler.toml", section: "vars.TEMPLATES", before, after });
});

it("gives no line to change where none is known for sure", () => {
  const { templates, lists } = named;
  expect(refusalChange(mail(unknown, { status: 404 }), { templates, lists })).toBeUndefined();
  expect(refusalChange(mail(unknown, { status: 404, template: "welcome" }), named)).toBeUndefined();
  expect(refusalChange(mail("No value for data.amount."), named)).toBeUndefined();
});
