import { nearest } from "../../src/lib/util/nearest.ts";
import { LINKS } from "../../src/rules/evaluate.ts";
import type { AnyRule, RuleSet } from "../../src/rules/types.ts";
import { functionLeaves } from "./leaves.ts";
import type { Problem } from "./problem.ts";
import type { Planned, Run } from "./run.ts";

type Found = Problem[];
const error = (rule: string, message: string, fixture?: string): Problem => ({
  level: "error",
  rule,
  message,
  ...(fixture === undefined ? {} : { fixture }),
});

/** The event types a rule is on. */
const typesOf = ({ on }: AnyRule): readonly string[] => (typeof on === "string" ? [on] : on);

const webhooksOf = (runs: readonly Run[]): Planned[] => runs.flatMap(({ webhooks }) => webhooks);

const matchedBy = (rule: AnyRule, webhooks: readonly Planned[]): Planned[] =>
  webhooks.filter(({ outcomes }) =>
    outcomes.some(({ rule: name, outcome }) => name === rule.name && outcome === "matched"),
  );

/** Names that two rules have, or that are not for rules. */
const names = ({ rules }: RuleSet): Found => {
  const all = rules.map(({ name }) => name);
  const twice = [...new Set(all.filter((name, i) => all.indexOf(name) !== i))];
  return [
    ...twice.map((name) => error(name, "the name is given twice; it is part of each call's Idempotency-Key")),
    ...(all.includes(LINKS) ? [error(LINKS, "this name is taken by the function that links identifiers")] : []),
  ];
};

/** Rules that are on no event at all, and would never run. */
const onNothing = ({ rules }: RuleSet): Found =>
  rules.flatMap((rule) =>
    typesOf(rule).length === 0 ? [error(rule.name, "is on no event: `on` is an empty list, so it never runs")] : [],
  );

/** Event types that no fixture has: misspelt, or there is no such event. */
const unknownTypes = ({ rules }: RuleSet, runs: readonly Run[]): Found => {
  const known = new Set(webhooksOf(runs).map(({ type }) => type));
  return rules.flatMap((rule) => {
    const [first, ...more] = typesOf(rule).filter((type) => !known.has(type));
    if (first === undefined) return [];
    const like = nearest(first, known);
    const hint = like === undefined ? "" : `; the nearest that has one is "${like}"`;
    const types =
      more.length === 0 ? `type "${first}"${hint}` : `types ${[first, ...more].map((t) => `"${t}"`).join(", ")}`;
    return [
      error(rule.name, `no fixture of the event ${types}. Misspelt? Else add a payload as the provider sends it`),
    ];
  });
};

/** Rules that match no fixture of their types. */
const unreached = ({ rules }: RuleSet, runs: readonly Run[]): Found =>
  rules.flatMap((rule) => {
    const told = webhooksOf(runs).flatMap(({ outcomes }) => outcomes.filter((outcome) => outcome.rule === rule.name));
    if (told.length === 0 || told.some(({ outcome }) => outcome !== "not matched")) return [];
    const many = told.length === 1 ? "the only fixture" : `all ${told.length} fixtures`;
    return [error(rule.name, `matches no fixture: in ${many} of its types this is false: ${told[0]?.clause}`)];
  });

/** Rules, or links, that throw. */
const thrown = (runs: readonly Run[]): Found =>
  runs.flatMap(({ fixture, webhooks }) =>
    webhooks.flatMap(({ outcomes }) =>
      outcomes.flatMap(({ rule, outcome, message }) =>
        outcome === "failed" ? [error(rule, `throws: ${message ?? ""}`, fixture)] : [],
      ),
    ),
  );

/**
 * Leaves that are undefined in every fixture their rule matches: where a payload's type is loose, that is what a misspelt
 * path looks like. A function that several rules share counts once: a value in any of them shows that its path is right.
 */
const alwaysUndefined = ({ rules }: RuleSet, runs: readonly Run[]): Found => {
  const leaves = rules.flatMap((rule) => {
    const bodies = matchedBy(rule, webhooksOf(runs)).map(({ body }) => body);
    return bodies.length === 0 ? [] : functionLeaves(rule).map((leaf) => ({ rule: rule.name, bodies, ...leaf }));
  });
  const given = new Set(
    leaves.flatMap(({ of, bodies }) => (bodies.some((body) => of(body) !== undefined) ? [of] : [])),
  );
  return leaves
    .filter(({ of }) => !given.has(of))
    .map(({ rule, name, bodies }) => {
      const many = bodies.length === 1 ? "the only fixture" : `all ${bodies.length} fixtures`;
      return error(rule, `${name} is undefined in ${many} it matches: is its path misspelt? Else add one that has it`);
    });
};

/** Everything wrong with a set of rules that its own fixtures show. */
export const checkRules = (ruleSet: RuleSet, runs: readonly Run[]): Problem[] => [
  ...names(ruleSet),
  ...onNothing(ruleSet),
  ...unknownTypes(ruleSet, runs),
  ...unreached(ruleSet, runs),
  ...thrown(runs),
  ...alwaysUndefined(ruleSet, runs),
];
