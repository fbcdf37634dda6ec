import type { Rule } from "./rule-words.ts";

/** A published transactional email. `dataVariables` includes variables with a fallback. */
export type Published = { id: string; name: string; dataVariables: readonly string[] };

export type TemplateWords = { state: "published" | "missing"; text: string };

/** One template of a rule. */
export type TemplateOfRule = Pick<NonNullable<Rule["transactional"]>, "variables"> & { template: string };

/** Describes a rule's template. `id`: undefined if not configured. `found`: null if not published. */
export const wordsOfTemplate = (
  { template, variables }: TemplateOfRule,
  id: string | undefined,
  published: Published | null,
): TemplateWords => {
  if (id === undefined) {
    const variable = `TEMPLATE_${template.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
    const text = `No transactional email is set for "${template}", so this mail cannot be sent. Set ${variable} to its id.`;
    return { state: "missing", text };
  }
  if (published === null)
    return { state: "missing", text: `${id} is not published, so this mail cannot be sent. Publish it.` };
  const name = `"${published.name}" (${id})`;
  const missing = published.dataVariables.filter((dataVariable) => !Object.hasOwn(variables, dataVariable));
  if (missing.length === 0) return { state: "published", text: `${name}. This rule gives all its variables.` };
  const text = `${name}. This rule does not give ${missing.join(", ")}: the template needs a fallback for each.`;
  return { state: "published", text };
};
