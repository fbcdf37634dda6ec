import { closest } from "../../../src/lib/util/nearest.ts";
import type { AnyRule } from "../../../src/rules/types.ts";
import type { Checked } from "../check.ts";
import type { Problem } from "../problem.ts";
import { callsOf } from "../uses.ts";
import type { Told } from "./host.ts";

const MOST = 10;
const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");

const there = (templates: NonNullable<Told["templates"]>): string => {
  const names = [...templates].slice(0, MOST).map(([id, { name }]) => `${name} (${id})`);
  return names.length === 0 ? "it has none" : `it has ${names.join(", ")}${templates.size > MOST ? ", …" : ""}`;
};

/** Names of a rule and of its template that are not in both. */
const variables = (rule: AnyRule, needs: readonly string[]): string[] => {
  const gives = Object.keys(rule.transactional?.variables ?? {});
  const missing = needs.filter((name) => !gives.includes(name));
  const extra = gives.filter((name) => !needs.includes(name));
  const template = `the template "${rule.transactional?.template}"`;
  return [
    ...missing.map((name) => {
      const like = closest(name, extra);
      const hint = like === undefined ? "" : ` Is it what the rule calls "${like}"?`;
      return `${template} needs the variable "${name}", which the rule does not give: the host would refuse the mail.${hint}`;
    }),
    ...extra.map((name) => `${template} has no variable "${name}": what the rule gives would not be in the mail`),
  ];
};

/** Mails that the host would refuse, or send without what a rule gives. */
export const checkTemplates = (
  checked: readonly Checked[],
  ids: Readonly<Record<string, string>>,
  { templates, unpublished }: Told,
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
        return [error(`gives no value for ${quoted(names)}, which the template "${template}" needs`, fixture)];
      });
      return [...wrong, ...empty];
    }),
  );
