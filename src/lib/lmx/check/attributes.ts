import { nearest } from "../../util/nearest.ts";
import { isIcon, similarIcon } from "../language/icons.ts";
import { isLink, isWebAddress } from "../language/links.ts";
import { type AttributeRule, parseWidths, type TagRule } from "../language/rule.ts";
import { tags } from "../language/tags.ts";
import { type Kind, splitVariables } from "../language/variables.ts";
import { decode } from "../parse/entities.ts";
import type { Attribute, ElementNode } from "../parse/tree.ts";
import { error, excerpt, type Problem, warning } from "../problem.ts";
import { referenceProblems } from "./references.ts";

type Rule<Is> = Extract<AttributeRule, { is: Is }>;

const TESTS: { readonly [Is in AttributeRule["is"]]: (value: string, rule: Rule<Is>) => string | undefined } = {
  color: (value) => (/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value) ? undefined : "a color such as #2563eb"),
  number: (value, { min, max, unit, whole }) => {
    const number = /^-?\d+(?:\.\d+)?(px|%)?$/.exec(value);
    const fits = number !== null && [unit, undefined].includes(number[1] as typeof unit | undefined);
    const size = Number.parseFloat(value);
    if (fits && size >= min && size <= max && (!whole || Number.isInteger(size))) return undefined;
    return `a ${whole ? "whole " : ""}number from ${min} to ${max}${unit === "" ? "" : ` (${unit})`}`;
  },
  choice: (value, { of }) => (of.includes(value) ? undefined : `one of ${of.join(", ")}`),
  link: (value) => (isLink(value) ? undefined : "a full address such as https://example.com (or mailto: or tel:)"),
  image: (value) => (isWebAddress(value) ? undefined : "the full address of an image, https://…"),
  text: () => undefined,
  // Variables are not checked here.
  condition: () => "variables, such as {data.code}",
  // The value enters CSS, so only names, commas and paired single quotes are permitted.
  font: (value) =>
    value.split(",").every((name) => /^(?:[\w -]+|'[\w -]+')$/.test(name.trim()))
      ? undefined
      : "font names such as Inter, 'Segoe UI'",
  widths: (value) => {
    const widths = parseWidths(value);
    const sum = widths.reduce((total, width) => total + width, 0);
    const fits = widths.every((width) => width >= 1) && sum > 98 && sum < 102;
    return fits ? undefined : "percentages that make 100, one per column, such as 30,70";
  },
  icon: (value) => {
    if (isIcon(value)) return undefined;
    return similarIcon(value) ?? "the Font Awesome name of a brand or a sign, such as github or envelope";
  },
};

/** Returns the expected value in words; undefined if valid. */
export const expected = (value: string, rule: AttributeRule): string | undefined =>
  (TESTS[rule.is] as (value: string, rule: AttributeRule) => string | undefined)(value, rule);

const checkValue = (tag: string, attribute: Attribute, rule: AttributeRule, kind: Kind): Problem[] => {
  const name = `${tag} ${attribute.name}`;
  const pieces = splitVariables(attribute.raw.trim());
  const first = pieces[0] ?? "";
  if (pieces.some((piece) => typeof piece !== "string")) {
    if (rule.variables === undefined) {
      const message = `${name} takes no variables: write a fixed value`;
      return [error(attribute.value, "variable_not_allowed", message)];
    }
    const problems = referenceProblems(attribute.raw, attribute.value, kind);
    // A value that starts with a variable is checked later, by `fill`.
    if (problems.length > 0 || typeof first !== "string") return problems;
  }
  const value = decode(typeof first === "string" ? first : "");
  const wanted = expected(value, rule);
  if (wanted === undefined) return [];
  return [error(attribute.value, "bad_value", `${name}="${excerpt(value)}" is not allowed: give ${wanted}`)];
};

const REQUIRED: ReadonlyMap<string, readonly string[]> = new Map(
  [...tags].map(([tag, { attributes }]) => [tag, Object.keys(attributes).filter((name) => attributes[name]?.required)]),
);

/** Checks attributes. `warnings` limits the count, because the similar-name search is expensive. */
export const checkAttributes = (element: ElementNode, rule: TagRule, kind: Kind, warnings: number): Problem[] => {
  let unknown = 0;
  const problems: Problem[] = [];
  for (const attribute of element.attributes) {
    const known = Object.hasOwn(rule.attributes, attribute.name) ? rule.attributes[attribute.name] : undefined;
    if (known !== undefined) {
      for (const problem of checkValue(element.tag, attribute, known, kind)) problems.push(problem);
    } else if (unknown++ < warnings) {
      const meant = nearest(attribute.name, Object.keys(rule.attributes));
      const fix = meant === undefined ? "it has no effect, remove it" : `did you mean ${meant}?`;
      const message = `<${element.tag}> has no attribute ${excerpt(attribute.name)}: ${fix}`;
      problems.push(warning(attribute, "unknown_attribute", message));
    }
  }
  for (const name of REQUIRED.get(element.tag) ?? []) {
    if (!element.attributes.some((attribute) => attribute.name === name)) {
      problems.push(error(element, "missing_attribute", `<${element.tag}> needs ${name}: write ${name}="…"`));
    }
  }
  return problems;
};
