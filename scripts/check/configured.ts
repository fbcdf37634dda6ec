import { nearest } from "../../src/lib/util/nearest.ts";
import { templatesOf } from "../../src/rules/templates.ts";
import type { RuleSet } from "../../src/rules/types.ts";
import type { Config } from "./config.ts";
import type { Problem } from "./problem.ts";

const unknown = (rule: string, kind: string, name: string, table: string, names: readonly string[]): Problem => {
  const like = nearest(name, names);
  const hint = names.length === 0 ? "; the table is empty" : `; it has ${names.map((n) => `"${n}"`).join(", ")}`;
  const meant = like === undefined ? "" : `. Did you mean "${like}"?`;
  return { level: "error", rule, message: `${table} in wrangler.toml has no ${kind} "${name}"${hint}${meant}` };
};

/** Finds names of templates and mailing lists without an id. */
export const checkConfigured = ({ rules }: RuleSet, { templates, lists }: Config): Problem[] =>
  rules.flatMap((rule) => {
    const absent = (names: readonly string[], table: object) => names.filter((name) => !Object.hasOwn(table, name));
    return [
      ...absent(templatesOf(rule), templates).map((template) =>
        unknown(rule.name, "template", template, "TEMPLATES", Object.keys(templates)),
      ),
      ...absent(Object.keys(rule.lists ?? {}), lists).map((list) =>
        unknown(rule.name, "mailing list", list, "LISTS", Object.keys(lists)),
      ),
    ];
  });
