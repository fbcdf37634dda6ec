import type { AnyRule } from "../../src/rules/types.ts";

/** A leaf of a rule that is a function, with its path: `update.plan`. */
type FunctionLeaf = { name: string; of: (body: unknown) => unknown };

const inTable = (table: Readonly<Record<string, unknown>> | undefined, where: string): FunctionLeaf[] =>
  Object.entries(table ?? {}).flatMap(([name, leaf]) => {
    // A guess has leaves of its own.
    if (typeof leaf === "object" && leaf !== null) return inTable({ ...leaf }, `${where}.${name}`);
    return typeof leaf === "function" ? [{ name: `${where}.${name}`, of: leaf as FunctionLeaf["of"] }] : [];
  });

/** The leaves of a rule that are functions of the webhook. */
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
