import { kindOf } from "./failing-path.ts";
import { value } from "./leaves.ts";
import type { AnyRule } from "./types.ts";

/** Returns the names of all templates that a rule may send. */
export const templatesOf = ({ transactional }: Pick<AnyRule, "transactional">): readonly string[] => {
  if (!transactional) return [];
  const { template, templates } = transactional;
  return typeof template === "string" ? [template] : (templates ?? []);
};

/** Returns the template for a webhook. Throws if the function gives one that `templates` does not have. */
export const templateOf = ({ template, templates }: NonNullable<AnyRule["transactional"]>, body: unknown): string => {
  if (typeof template === "string") return template;
  const name: unknown = value<string>(template, body);
  if (typeof name === "string" && templates?.includes(name)) return name;
  const names = templates?.map((one) => `"${one}"`).join(", ");
  const got = typeof name === "string" ? "another text" : kindOf(name);
  throw new Error(`transactional.template must be one of ${names}, got ${got}: add it to templates.`);
};

/** Returns the reason against a rule's template, which a cast may give. */
export const wrongTemplate = (rule: AnyRule): string | undefined => {
  if (!rule.transactional || templatesOf(rule).some((name) => name !== "")) return undefined;
  return typeof rule.transactional.template === "function"
    ? "template is a function, so templates must list the names that it may return"
    : "template must be a name in TEMPLATES";
};
