import type { AnyRule } from "../../src/rules/types.ts";

/** `name`: path such as `update.plan`. */
type FunctionLeaf = { name: string; of: (body: unknown) => unknown };

const inTable = (table: Readonly<Record<string, unknown>> | undefined, where: string): FunctionLeaf[] =>
  Object.entries(table ?? {}).flatMap(([name, leaf]) => {
    if (typeof leaf === "object" && leaf !== null) return inTable({ ...leaf }, `${where}.${name}`);
    return typeof leaf === "function" ? [{ name: `${where}.${name}`, of: leaf as FunctionLeaf["of"] }] : [];
  });

export const functionLeaves = (rule: AnyRule): FunctionLeaf[] => {
  const { contact, update, subscription, lists, event, transactional } = rule;
  return [
    ...(typeof contact === "function" ? [] : inTable(contact, "contact")),
    ...inTable(update, "update"),
    ...inTable(subscription?.update, "subscription.update"),
    ...inTable(lists, "lists"),
    ...inTable(event?.properties, "event.properties"),
    ...inTable(transactional?.variables, "transactional.variables"),
  ];
};
