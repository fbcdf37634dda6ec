import { evaluatorOf } from "../../src/email/policy/segments/evaluate.ts";
import { prefilterOf } from "../../src/email/policy/segments/prefilter.ts";
import { activitySql } from "../../src/email/workspace/segments/activity.ts";
import type { AudienceFilter } from "../../src/lib/contract/audience/filter.ts";
import { NOW, type RandomActivity, type RandomContact, team } from "./random.ts";

type Query = (sql: string, parameters: string, after: number) => { n: number; unsure: number }[];

/** Runs a filter as SQL and as JavaScript, and returns a sentence for each contact on which they disagree. */
export const disagreements = (
  filter: AudienceFilter,
  { contacts, activity }: { contacts: readonly RandomContact[]; activity: ReadonlyMap<number, RandomActivity[]> },
  query: Query,
): string[] => {
  const { matches, failing } = evaluatorOf(filter, team);
  const { sql, unsure = "0", parameters } = prefilterOf([filter], team, activitySql, NOW);
  const found = new Map(
    query(`SELECT n, ${unsure} AS unsure FROM contacts WHERE n > ?2 AND ${sql}`, parameters, 0).map((row) => [
      row.n,
      row.unsure,
    ]),
  );
  return contacts.flatMap((contact) => {
    const facts = {
      contact,
      now: NOW,
      hasActivity: (messages: readonly number[], action: "sent" | "opened" | "clicked") =>
        (activity.get(contact.n) ?? []).some((one) => messages.includes(one.message) && one[action]),
    };
    const truth = matches(facts);
    const failed = failing(facts).length;
    const expected = filter.match === "all" ? failed === 0 : failed < filter.conditions.length;
    if (truth !== expected) return [`failing() says ${failed}, matches() says ${truth}: ${JSON.stringify(contact)}`];
    const isKept = found.has(contact.n);
    if (truth && !isKept) return [`SQL drops ${JSON.stringify(contact)}`];
    return isKept && !truth && found.get(contact.n) === 0 ? [`SQL is sure of ${JSON.stringify(contact)}`] : [];
  });
};
