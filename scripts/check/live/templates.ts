import { closest } from "../../../src/lib/util/nearest.ts";
import type { AnyRule } from "../../../src/rules/types.ts";
import type { Checked } from "../check.ts";
import type { Problem } from "../problem.ts";
import { callsOf } from "../uses.ts";
import type { HostNames } from "./host.ts";

const MOST = 10;
const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");

const there = (templates: NonNullable<HostNames["templates"]>): string => {
  const names = [...templates].slice(0, MOST).map(([id, { name }]) => `${name} (${id})`);
  return names.length === 0 ? "it has none" : `it has ${names.join(", ")}${templates.size > MOST ? ", …" : ""}`;
};

/** Variables that only the rule or only its template has. */
const variables = (rule: AnyRule, needs: readonly string[]): string[] => {
  const gives = Object.keys(rule.transactional?.variables ?? {});
  const missing = needs.filter((name) => !gives.includes(name));
  const extra = gives.filter((name) => !needs.includes(name));
  const template = `the template "${rule.transactional?.template}"`;
  return [
    ...missing.map((name) => {
      const like = closest(name, extra);
      const hint = like === undefined ? "" : ` Is it "${like}" of the rule?`;
      return `${template} needs the variable "${name}", which the rule does not have. The host would refuse the email.${hint}`;
    }),
    ...extra.map((name) => `${template} has no variable "${name}". The value would not appear in the email`),
  ];
};

/** Transactional emails that the host would refuse, or send without a value of the rule. */
export const checkTemplates = (
  checked: readonly Checked[],
  ids: Readonly<Record<string, string>>,
  { templates, unpublished }: HostNames,
): Problem[] =>
  checked.flatMap((subject) =>
    subject.ruleSet.rules.flatMap((rule): Problem[] => {
      const { transactional } = rule;
      const id = transactional && ids[transactional.template];
      if (!templates || !transactional || id === undefined) return [];
      const error = (message: string, fixture?: string): Problem => ({
        level: "error",
        ...{ source: subject.sources[0] ?? "", rule: rule.name, message },
        ...(fixture === undefined ? {} : { fixture }),
      });
      const { template } = transactional;
      const found = templates.get(id);
      if (!found) {
        const draft = unpublished.get(id);
        return [
          draft === undefined
            ? error(
                `the template "${template}" is "${id}" in TEMPLATES, which the host does not have; ${there(templates)}`,
              )
            : error(`the template "${template}" (${draft}, ${id}) is not published at the host`),
        ];
      }
      const wrong = variables(rule, found.variables).map((message) => error(message));
      const given = Object.keys(transactional.variables ?? {});
      const empty = callsOf(subject, rule).flatMap(({ fixture, call }) => {
        if (call.action !== "transactional") return [];
        const names = found.variables.filter((name) => given.includes(name) && !(name in call.dataVariables));
        if (names.length === 0) return [];
        return [error(`has no value for ${quoted(names)}, which the template "${template}" needs`, fixture)];
      });
      return [...wrong, ...empty];
    }),
  );
