import { nearest } from "../../../src/lib/util/nearest.ts";
import { templatesOf } from "../../../src/rules/templates.ts";
import type { AnyRule } from "../../../src/rules/types.ts";
import type { Checked } from "../check.ts";
import type { Problem } from "../problem.ts";
import { deliveriesOf } from "../uses.ts";
import type { ServiceNames } from "./service.ts";

const MOST = 10;
const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");

const there = (templates: NonNullable<ServiceNames["templates"]>): string => {
  const names = [...templates].slice(0, MOST).map(([id, { name }]) => `${name} (${id})`);
  return names.length === 0 ? "it has none" : `it has ${names.join(", ")}${templates.size > MOST ? ", …" : ""}`;
};

/** `needs`: variables of `has` without a fallback. */
const variables = (rule: AnyRule, name: string, has: readonly string[], needs: readonly string[]): string[] => {
  const gives = Object.keys(rule.transactional?.variables ?? {});
  const missing = needs.filter((name) => !gives.includes(name));
  const extra = gives.filter((name) => !has.includes(name));
  const template = `the template "${name}"`;
  return [
    ...missing.map((name) => {
      const like = nearest(name, extra);
      const hint = like === undefined ? "" : ` Is it "${like}" of the rule?`;
      return `${template} needs the variable "${name}", which the rule does not have. The email service would refuse the email.${hint}`;
    }),
    ...extra.map((name) => `${template} has no variable "${name}". The value would not appear in the email`),
  ];
};

const fallbacksOf = async (
  checked: readonly Checked[],
  ids: Readonly<Record<string, string>>,
  { templates, fallbacks }: ServiceNames,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const names = checked.flatMap(({ ruleSet }) => ruleSet.rules.flatMap(templatesOf));
  const used = [...new Set(names.map((name) => ids[name] ?? ""))].filter((id) => templates?.has(id));
  return new Map(await Promise.all(used.map(async (id) => [id, await fallbacks(id)] as const)));
};

const templatesIn = ({ ruleSet }: Checked) =>
  ruleSet.rules.flatMap((rule) => templatesOf(rule).map((template) => ({ rule, template })));

/** Finds transactional emails that would be refused or lose a value. */
export const checkTemplates = async (
  checked: readonly Checked[],
  ids: Readonly<Record<string, string>>,
  service: ServiceNames,
): Promise<Problem[]> => {
  const fallbacks = await fallbacksOf(checked, ids, service);
  return checked.flatMap((subject) =>
    templatesIn(subject).flatMap(({ rule, template }): Problem[] => {
      const id = ids[template];
      if (!service.templates || id === undefined) return [];
      const error = (message: string, fixture?: string): Problem => ({
        level: "error",
        source: subject.sources[0] ?? "",
        rule: rule.name,
        message,
        ...(fixture === undefined ? {} : { fixture }),
      });
      const found = service.templates.get(id);
      if (!found) {
        const draft = service.unpublished.get(id);
        const absent = `the template "${template}" is "${id}" in TEMPLATES, which the email service does not have; ${there(service.templates)}`;
        const unpublished = `the template "${template}" (${draft}, ${id}) is not published at the email service`;
        return [error(draft === undefined ? absent : unpublished)];
      }
      const needs = found.variables.filter((name) => !fallbacks.get(id)?.includes(name));
      const wrong = variables(rule, template, found.variables, needs).map((message) => error(message));
      const given = Object.keys(rule.transactional?.variables ?? {});
      const empty = deliveriesOf(subject, rule).flatMap(({ fixture, delivery }) => {
        if (delivery.action !== "transactional" || delivery.template !== template) return [];
        const names = needs.filter((name) => given.includes(name) && !(name in delivery.dataVariables));
        if (names.length === 0) return [];
        return [error(`has no value for ${quoted(names)}, which the template "${template}" needs`, fixture)];
      });
      return [...wrong, ...empty];
    }),
  );
};
