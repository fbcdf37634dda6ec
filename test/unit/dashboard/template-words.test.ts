import { expect, it } from "vitest";
import { wordsOfTemplate } from "../../../src/dashboard/app/pages/rules/template-words.ts";

const mail = {
  template: "magic link",
  variables: { url: { value: "https://a.test" }, name: { text: "({ name }) => name" } },
};
const published = (dataVariables: string[]) => ({ id: "tpl_1", name: "Magic link", dataVariables });

it.each([
  ["without a transactional email", undefined, null, "missing", "Set TEMPLATE_MAGIC_LINK to its id"],
  ["that is not published", "tpl_1", null, "missing", "tpl_1 is not published"],
  [
    "that needs more than the rule gives",
    "tpl_1",
    published(["url", "code", "toString"]),
    "published",
    "does not give code, toString:",
  ],
  [
    "that gets all it needs",
    "tpl_1",
    published(["url", "name"]),
    "published",
    "(tpl_1). This rule gives all its variables.",
  ],
  ["that needs nothing", "tpl_1", published([]), "published", "gives all its variables."],
] as const)("a template %s says so", (_, id, found, state, text) => {
  expect(wordsOfTemplate(mail, id, found)).toEqual({ state, text: expect.stringContaining(text) });
});
