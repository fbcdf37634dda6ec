import type { AudienceCondition, AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import { type Evaluator, readerOf } from "../../policy/segments/evaluate.ts";
import type { Facts } from "../../policy/segments/facts.ts";

export type NamedFilter = { path: string; filter: AudienceFilter };

type Misses = { condition: AudienceCondition; contacts: number; spellings: Map<string, number> };

const MAX_SPELLINGS = 5;

/** Collects contacts that fail exactly one condition of an all-match filter. */
export const createNearMisses = (filters: readonly NamedFilter[], evaluators: readonly Evaluator[]) => {
  const found = new Map<string, Misses>();

  const missOf = (facts: Facts): { path: string; condition: AudienceCondition } | undefined => {
    const misses = filters.flatMap(({ path, filter }, i) => {
      const evaluator = evaluators[i] as Evaluator;
      if (evaluator.matches(facts)) return [];
      const failing = evaluator.failing(facts).map((position) => ({
        path: `${path}.conditions.${position}`,
        condition: filter.conditions[position] as AudienceCondition,
      }));
      // An any-match filter fails with all of its conditions.
      return filter.match === "all" ? failing : [undefined, undefined];
    });
    return misses.length === 1 ? misses[0] : undefined;
  };

  return {
    add(facts: Facts): void {
      const miss = missOf(facts);
      if (!miss) return;
      const misses = found.get(miss.path) ?? {
        condition: miss.condition,
        contacts: 0,
        spellings: new Map<string, number>(),
      };
      misses.contacts++;
      const spelling = otherSpelling(miss.condition, facts);
      if (spelling !== undefined) misses.spellings.set(spelling, (misses.spellings.get(spelling) ?? 0) + 1);
      found.set(miss.path, misses);
    },

    /** @param factor team contacts per added contact; 1 if all were added */
    list(factor: number) {
      const counted = (contacts: number) => Math.round(contacts * factor);
      return [...found]
        .map(([path, { contacts, spellings }]) => {
          const otherSpellings = [...spellings]
            .map(([value, have]) => ({ value, contacts: counted(have) }))
            .sort((a, b) => b.contacts - a.contacts || (a.value < b.value ? -1 : 1))
            .slice(0, MAX_SPELLINGS);
          const about = factor === 1 ? "" : "about ";
          const have = otherSpellings
            .map((spelling) => ` ${spelling.contacts} of them have "${spelling.value}".`)
            .join("");
          const message = `Without this condition, ${about}${counted(contacts)} more contacts would match.${have}`;
          return { path, contacts: counted(contacts), otherSpellings, message };
        })
        .sort((a, b) => b.contacts - a.contacts);
    },
  };
};

const caseless = (text: string): string => text.normalize("NFC").toLowerCase();

const otherSpelling = (condition: AudienceCondition, { contact }: Facts): string | undefined => {
  if (condition.type !== "property" || condition.operator !== "equals") return undefined;
  const value = readerOf(condition.key)(contact);
  const isSpelling =
    typeof value === "string" && typeof condition.value === "string" && caseless(value) === caseless(condition.value);
  return isSpelling ? value : undefined;
};
