import type { AnyRule } from "../../src/rules/types.ts";
import type { Checked } from "./check.ts";

/** A value in a fixture. Never null, which has no type. */
export type Given = { fixture: string; value: string | number | boolean };

export type Use = { source: string; rule: string; name: string; given: Given[] };

export const deliveriesOf = ({ runs }: Checked, rule: AnyRule) =>
  runs.flatMap(({ fixture, webhooks }) =>
    webhooks.flatMap(({ deliveries }) =>
      deliveries.filter((delivery) => delivery.rule === rule.name).map((delivery) => ({ fixture, delivery })),
    ),
  );

type Values = Readonly<Record<string, string | number | boolean | null>>;

const usesOf = (
  about: { source: string; rule: string },
  names: readonly string[],
  all: { fixture: string; values: Values }[],
): Use[] => {
  const found = [...new Set([...names, ...all.flatMap(({ values }) => Object.keys(values))])];
  return found.map((name) => ({
    ...about,
    name,
    given: all.flatMap(({ fixture, values }) => {
      const value = values[name];
      return value === undefined || value === null ? [] : [{ fixture, value }];
    }),
  }));
};

export const propertyUses = (checked: readonly Checked[]): Use[] =>
  checked.flatMap((subject) =>
    subject.ruleSet.rules.flatMap((rule) => {
      const values = deliveriesOf(subject, rule).flatMap(({ fixture, delivery }) =>
        delivery.action === "contact" ? [{ fixture, values: delivery.properties }] : [],
      );
      const names = Object.keys({ ...rule.update, ...rule.subscription?.update });
      return usesOf({ source: subject.sources[0] ?? "", rule: rule.name }, names, values);
    }),
  );

export const eventUses = (checked: readonly Checked[]): (Omit<Use, "given"> & { properties: Use[] })[] =>
  checked.flatMap((subject) =>
    subject.ruleSet.rules.flatMap((rule) => {
      const { event } = rule;
      if (!event) return [];
      const about = { source: subject.sources[0] ?? "", rule: rule.name };
      const values = deliveriesOf(subject, rule).flatMap(({ fixture, delivery }) =>
        delivery.action === "event" ? [{ fixture, values: delivery.eventProperties }] : [],
      );
      return [{ ...about, name: event.name, properties: usesOf(about, Object.keys(event.properties ?? {}), values) }];
    }),
  );
