import { standardFields } from "../../../src/lib/contract/fields.ts";
import { nearest } from "../../../src/lib/util/nearest.ts";
import type { Checked } from "../check.ts";
import type { Problem } from "../problem.ts";
import { propertyUses, type Use } from "../uses.ts";
import type { ServiceNames } from "./service.ts";
import { misfit } from "./types.ts";

/** Finds properties that are missing or differ in spelling or type. */
export const checkProperties = (
  checked: readonly Checked[],
  { properties }: ServiceNames,
  creates: boolean,
): Problem[] => {
  if (!properties) return [];
  const spelt = new Map([...properties.keys()].map((name) => [name.toLowerCase(), name]));
  const unseen = new Set<string>();
  const problems = propertyUses(checked).flatMap((use): Problem[] => {
    const { source, rule, name } = use;
    const type = properties.get(name);
    if (type !== undefined) {
      const wrong = misfit(type, use.given);
      return wrong
        ? [{ level: "error", source, rule, fixture: wrong.fixture, message: `the property "${name}" ${wrong.message}` }]
        : [];
    }
    if (standardFields.has(name)) return [];
    const other = spelt.get(name.toLowerCase());
    if (other !== undefined) {
      return [{ level: "error", source, rule, message: `the property "${name}" is "${other}" at the email service` }];
    }
    if (!creates) {
      const like = nearest(name, properties.keys());
      const hint = like === undefined ? "" : `. Did you mean "${like}"?`;
      return [
        { level: "error", source, rule, message: `the email service has no property "${name}"${hint}${asType(use)}` },
      ];
    }
    unseen.add(name);
    return [];
  });
  if (unseen.size === 0) return problems;
  const message = `contact properties that the email service does not have yet. It creates each with its first value: ${[...unseen].join(", ")}`;
  return [...problems, { level: "note", message }];
};

const asType = ({ given }: Use) => (given[0] ? ` (of the type ${typeof given[0].value})` : "");
