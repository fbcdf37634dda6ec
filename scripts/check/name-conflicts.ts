import type { Checked } from "./check.ts";
import type { Problem } from "./problem.ts";
import { eventUses, propertyUses, type Use } from "./uses.ts";

const KINDS: Readonly<Record<string, string>> = { string: "a text", number: "a number", boolean: "true or false" };

/** Names the type of a value: `a text`, `a number`. */
export const kindOf = (value: unknown): string => KINDS[typeof value] ?? typeof value;

const error = ({ source, rule }: { source: string; rule: string }, message: string): Problem => ({
  level: "error",
  source,
  rule,
  message,
});

/** The email service keeps one type per name. */
const types = (uses: readonly Use[], what: string): Problem[] => {
  const first = new Map<string, { use: Use; type: string }>();
  return uses.flatMap((use) => {
    const mixed = new Set(use.given.map(({ value }) => typeof value));
    const [type] = mixed;
    if (type === undefined) return [];
    if (mixed.size > 1) return [error(use, `${what} "${use.name}" has values of several types in the fixtures`)];
    const before = first.get(use.name);
    if (!before) first.set(use.name, { use, type });
    if (!before || before.type === type) return [];
    const { value } = use.given[0] ?? { value: "" };
    const other = `rule "${before.use.rule}" (${before.use.source})`;
    return [error(use, `${what} "${use.name}" is ${kindOf(value)} here and ${KINDS[before.type]} in ${other}`)];
  });
};

const cases = (uses: readonly Pick<Use, "source" | "rule" | "name">[], what: string): Problem[] => {
  const first = new Map<string, (typeof uses)[number]>();
  return uses.flatMap((use) => {
    const before = first.get(use.name.toLowerCase()) ?? use;
    first.set(use.name.toLowerCase(), before);
    if (before.name === use.name) return [];
    return [error(use, `${what} "${use.name}" is "${before.name}" in rule "${before.rule}" (${before.source})`)];
  });
};

/** Finds properties and events with conflicting types or spellings. */
export const checkAgreement = (checked: readonly Checked[]): Problem[] => {
  const properties = propertyUses(checked);
  const events = eventUses(checked);
  return [
    ...types(properties, "the property"),
    ...cases(properties, "the property"),
    ...cases(events, "the event"),
    ...[...new Set(events.map(({ name }) => name))].flatMap((name) => {
      const uses = events.filter((event) => event.name === name).flatMap(({ properties }) => properties);
      return types(uses, `of the event "${name}" the property`);
    }),
  ];
};
