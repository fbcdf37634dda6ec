import { wordsOfTarget } from "../../../lib/contract/audience/condition-words.ts";
import { evaluatorOf } from "../../policy/segments/evaluate.ts";
import { contactsByNumber } from "../contacts/contact-rows.ts";
import { factsOf, lastContact } from "./audience.ts";
import type { NamedFilter } from "./near-misses.ts";
import { drawNumbers } from "./sample.ts";
import { teamFactsOf } from "./team-facts.ts";

type Warning = { code: string; path: string; message: string };

const SAMPLE = 1_000;

/**
 * Warns where most contacts that meet the filters were never sent a mail that a negated activity condition asks
 * about. Looks at a random sample, and only for filters with such a condition. `now`: Unix ms.
 */
export const unreachedIn = (sql: SqlStorage, filters: readonly NamedFilter[], now: number): Warning[] => {
  const team = teamFactsOf(sql);
  const asked = filters.flatMap(({ path, filter }) =>
    filter.conditions.flatMap((condition, i) => {
      if (condition.type !== "activity" || !condition.negate) return [];
      const messages = team.messagesOf(condition.target, condition.id) ?? [];
      return [{ path: `${path}.conditions.${i}`, condition, messages, contacts: 0 }];
    }),
  );
  if (asked.length === 0) return [];
  const evaluators = filters.map(({ filter }) => evaluatorOf(filter, team));
  let matching = 0;
  for (const contact of contactsByNumber(sql, drawNumbers(lastContact(sql), SAMPLE, now))) {
    const facts = factsOf(sql, contact, now);
    if (!evaluators.every(({ matches }) => matches(facts))) continue;
    matching++;
    for (const one of asked) if (!facts.hasActivity(one.messages, "sent")) one.contacts++;
  }
  return asked
    .filter(({ contacts }) => contacts * 2 > matching)
    .map(({ path, condition, contacts }) => ({
      code: "mostly_unreached",
      path,
      message: `${contacts} of ${matching} contacts looked at were never sent ${wordsOfTarget(condition)}. To reach those who got it and did not open it, all conditions have to match, and one of them is "opened" with negate.`,
    }));
};
