import { nearest } from "../../src/lib/util/nearest.ts";
import { LINKS } from "../../src/rules/evaluate.ts";
import { templatesOf } from "../../src/rules/templates.ts";
import type { AnyRule, RuleSet } from "../../src/rules/types.ts";
import { count } from "../lib/cli.ts";
import { functionLeaves } from "./leaves.ts";
import { type Problem, someOf } from "./problem.ts";
import type { Planned, Run } from "./run.ts";

/** Different messages of one rule that throws. */
const MOST_MESSAGES = 3;

type Found = Problem[];
const error = (rule: string, message: string, fixture?: string): Problem => ({
  level: "error",
  rule,
  message,
  ...(fixture === undefined ? {} : { fixture }),
});

const typesOf = ({ on }: AnyRule): readonly string[] => (typeof on === "string" ? [on] : on);

const webhooksOf = (runs: readonly Run[]): Planned[] => runs.flatMap(({ webhooks }) => webhooks);

const matchedBy = (rule: AnyRule, webhooks: readonly Planned[]): Planned[] =>
  webhooks.filter(({ outcomes }) =>
    outcomes.some(({ rule: name, outcome }) => name === rule.name && outcome === "matched"),
  );

const names = ({ rules }: RuleSet): Found => {
  const all = rules.map(({ name }) => name);
  const twice = [...new Set(all.filter((name, i) => all.indexOf(name) !== i))];
  return [
    ...twice.map((name) =>
      error(
        name,
        "two rules have this name. It must be unique, because it is part of the Idempotency-Key of each delivery",
      ),
    ),
    ...(all.includes(LINKS) ? [error(LINKS, "this name is reserved for the function that links identifiers")] : []),
  ];
};

/** Gives rules without a name that of a misspelled key, or that of their events, so that all others can be checked. */
export const withNames = (ruleSet: RuleSet): { ruleSet: RuleSet; problems: Problem[] } => {
  const problems: Problem[] = [];
  const rules = ruleSet.rules.map((rule) => {
    if (typeof rule.name === "string") return rule;
    const key = nearest("name", Object.keys(rule));
    const given = (rule as unknown as Record<string, unknown>)[key ?? ""];
    const name = typeof given === "string" ? given : `on ${typesOf(rule).join(", ")}`;
    const message = `has no name: ${key === undefined ? "give it the key `name`" : `the key \`${key}\` is misspelled \`name\``}`;
    problems.push({ ...error(name, message), first: true });
    return { ...rule, name };
  });
  return { ruleSet: problems.length === 0 ? ruleSet : { ...ruleSet, rules }, problems };
};

const onNothing = ({ rules }: RuleSet): Found =>
  rules.flatMap((rule) => (typesOf(rule).length === 0 ? [error(rule.name, "never runs: `on` is an empty list")] : []));

/** The type is misspelled, does not exist, or needs a fixture. */
const unknownTypes = ({ rules }: RuleSet, runs: readonly Run[]): Found => {
  const known = new Set(webhooksOf(runs).map(({ type }) => type));
  return rules.flatMap((rule) => {
    const [first, ...more] = typesOf(rule).filter((type) => !known.has(type));
    if (first === undefined) return [];
    const like = nearest(first, known);
    const hint = like === undefined ? "" : `; the nearest type with a fixture is "${like}"`;
    const types =
      more.length === 0 ? `type "${first}"${hint}` : `types ${[first, ...more].map((t) => `"${t}"`).join(", ")}`;
    return [
      error(
        rule.name,
        `no fixture has the event ${types}. Is it misspelled? Otherwise add a payload as the provider sends it`,
      ),
    ];
  });
};

const unreached = ({ rules }: RuleSet, runs: readonly Run[]): Found =>
  rules.flatMap((rule) => {
    const results = webhooksOf(runs).flatMap(({ outcomes }) =>
      // An outcome without a clause is of another event type.
      outcomes.filter(
        (outcome) => outcome.rule === rule.name && !(outcome.outcome === "not matched" && outcome.clause === undefined),
      ),
    );
    if (results.length === 0 || results.some(({ outcome }) => outcome !== "not matched")) return [];
    const many = results.length === 1 ? "the only fixture" : `all ${results.length} fixtures`;
    return [
      error(
        rule.name,
        `matches no fixture. This condition is false in ${many} of its event types: ${results[0]?.clause}`,
      ),
    ];
  });

/** A template that a rule may choose, and that no fixture shows. */
const unchosen = ({ rules }: RuleSet, runs: readonly Run[]): Found =>
  rules.flatMap((rule) => {
    const chosen = webhooksOf(runs).flatMap(({ deliveries }) =>
      deliveries.map((one) => (one.action === "transactional" && one.rule === rule.name ? one.template : undefined)),
    );
    const names = templatesOf(rule);
    if (names.length < 2) return [];
    return names
      .filter((name) => !chosen.includes(name))
      .map((name) => error(rule.name, `no fixture gets the template "${name}". Add a payload for which it is chosen`));
  });

/** One problem for each rule that throws, with each different message. */
const thrown = (runs: readonly Run[]): Found => {
  const failures = runs.flatMap(({ fixture, webhooks }) =>
    webhooks.flatMap(({ outcomes }) =>
      outcomes.flatMap(({ rule, outcome, message = "" }) => (outcome === "failed" ? [{ rule, fixture, message }] : [])),
    ),
  );
  return [...Map.groupBy(failures, ({ rule }) => rule)].map(([rule, all]) => {
    const fixtures = [...new Set(all.map(({ fixture }) => fixture))];
    const [first, ...more] = Map.groupBy(all, ({ message }) => message);
    const message = first?.[0] ?? "";
    if (fixtures.length === 1 && more.length === 0)
      return { ...error(rule, `throws: ${message}`, fixtures[0]), first: true };
    const others = more.slice(0, MOST_MESSAGES - 1).map(([text, [one]]) => `${one?.fixture}: ${text}`);
    const rest = more.length > others.length ? [`… and ${more.length - others.length} other messages`] : [];
    const many = `throws in ${count(fixtures.length, "fixture")} (${someOf(fixtures)}): ${message}`;
    return { ...error(rule, [many, ...others, ...rest].join("\n")), first: true };
  });
};

/** A misspelled path in a loosely typed payload looks like this. */
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
      return error(
        rule,
        `${name} is undefined in ${many} that the rule matches. Is its path misspelled? Otherwise add a fixture with a value`,
      );
    });
};

export const checkRules = (ruleSet: RuleSet, runs: readonly Run[]): Problem[] => [
  ...names(ruleSet),
  ...onNothing(ruleSet),
  ...unknownTypes(ruleSet, runs),
  ...unreached(ruleSet, runs),
  ...unchosen(ruleSet, runs),
  ...thrown(runs),
  ...alwaysUndefined(ruleSet, runs),
];
