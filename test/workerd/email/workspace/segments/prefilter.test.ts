import fc from "fast-check";
import { expect, it } from "vitest";
import { emailKey } from "../../../../../src/lib/util/email-key.ts";
import { disagreements } from "../../../../audience/compare.ts";
import { filter, randomTeam } from "../../../../audience/random.ts";
import { createTeam, isolated } from "../../bench.ts";

isolated();

// test/unit/email/policy/segments/prefilter.test.ts does the same with many more.
it("the SQL of random filters agrees with the evaluator in the SQLite of a Durable Object", async () => {
  const team = await createTeam();
  const { contacts, activity } = randomTeam(7, 200);
  const wrong = await team.inside((sql) => {
    for (const { n, email, userId, data, createdAt, updatedAt } of contacts) {
      sql.exec(
        `INSERT INTO contacts (n, id, email, email_key, user_id, data, created_at, updated_at)
         VALUES (?, 'con_' || ?, ?, ?, ?, jsonb(?), ?, ?)`,
        n,
        n,
        email,
        email === null ? null : emailKey(email),
        userId,
        JSON.stringify(data),
        createdAt,
        updatedAt,
      );
    }
    for (const { contact, message, sent, opened, clicked } of activity) {
      const times = [sent, opened, clicked].map((did) => (did ? 1 : null));
      sql.exec(
        `INSERT INTO engagement (contact, message, run, send, sent_at, opened_at, clicked_at)
         VALUES (?, ?, 0, 1, ?, ?, ?)`,
        contact,
        message,
        ...times,
      );
    }
    const byContact = Map.groupBy(activity, ({ contact }) => contact);
    const query = (text: string, parameters: string, after: number) =>
      sql.exec<{ n: number; unsure: number }>(text, parameters, after).toArray();
    return fc
      .sample(filter, { seed: 7, numRuns: 300 })
      .flatMap((one) => disagreements(one, { contacts, activity: byContact }, query));
  });
  expect(wrong).toEqual([]);
});
