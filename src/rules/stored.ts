import type { Webhook } from "../webhook.ts";
import { value, values } from "./leaves.ts";
import type { AnyRule, Comparisons, Leaf, PlannedDelivery, PropertyValue, StoredState } from "./types.ts";

// biome-ignore lint/suspicious/noExplicitAny: the event type was checked where the rule was written
type Leaves = Readonly<Record<string, Leaf<any, PropertyValue>>>;

/** Evaluates state leaves; undefined becomes null. */
export const stateOf = (leaves: Leaves, webhook: Webhook, where: string): StoredState => {
  const given = values(leaves, webhook, where, (one): one is Exclude<PropertyValue, undefined> => one !== undefined);
  return Object.fromEntries(Object.keys(leaves).map((name) => [name, given.values[name] ?? null]));
};

/** In the order of explanation. */
const KINDS = ["isNot", "is", "changed", "below", "above"] as const;

const comparisonsOf = (given: Comparisons<Leaves>, webhook: Webhook): Comparisons<StoredState> =>
  Object.fromEntries(
    KINDS.flatMap((kind) => {
      const leaves = given[kind];
      return leaves ? [[kind, stateOf(leaves, webhook, `ifStored.${kind}`)]] : [];
    }),
  );

/** Plans a rule's conditions on stored state. */
export const conditionsOf = (
  { ifStored, onlyWithoutOther }: AnyRule,
  webhook: Webhook,
): Pick<PlannedDelivery, "ifStored" | "onlyWithoutOther"> => {
  const idOf = (id: Leaf<unknown, string | null | undefined>) =>
    `${webhook.source}:${value<string | null | undefined>(id, webhook.body) ?? ""}`;
  const { unless } = ifStored ?? {};
  return {
    ...(ifStored
      ? {
          ifStored: {
            id: idOf(ifStored.id),
            ...comparisonsOf(ifStored, webhook),
            ...(unless ? { unless: unless.map((one) => comparisonsOf(one, webhook)) } : {}),
          },
        }
      : {}),
    ...(onlyWithoutOther === undefined ? {} : { onlyWithoutOther: idOf(onlyWithoutOther) }),
  };
};

const WORDS: Readonly<Record<(typeof KINDS)[number], string>> = {
  isNot: "is not",
  is: "is",
  changed: "is known and is not",
  below: "is less than",
  above: "is more than",
};

/** Names a rule's conditions on stored state in words. `shown` formats a leaf. */
export const wordsOf = ({ ifStored, onlyWithoutOther }: AnyRule, shown: (leaf: unknown) => string): string[] => {
  const inWords = (given: Comparisons<Leaves>) =>
    KINDS.flatMap((kind) =>
      Object.entries(given[kind] ?? {}).map(([name, leaf]) => `${name} ${WORDS[kind]} ${shown(leaf)}`),
    );
  const { unless } = ifStored ?? {};
  return [
    ...(ifStored ? inWords(ifStored).map((one) => `before this webhook, the stored ${one}`) : []),
    ...(unless ?? []).map((one) => `before this webhook, it was not so that ${inWords(one).join(" and ")}`),
    ...(onlyWithoutOther === undefined ? [] : ["the person has no other running subscription"]),
  ];
};
