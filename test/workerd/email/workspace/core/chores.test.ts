import { expect, it, vi } from "vitest";
import { runChores } from "../../../../../src/email/workspace/requests/alarm.ts";
import { createTeam, isolated, START } from "../../bench.ts";

isolated();

const DAY = 86_400_000;

/** A row that is deleted by a chore, and its age in days. The oldest is due for longest, because each is kept for 30 days at most. */
const OLD: [table: string, insert: string, days: number][] = [
  ["suppression_removals", "INSERT INTO suppression_removals (n, at) VALUES (1, ?)", 105],
  ["soft_bounces", "INSERT INTO soft_bounces (email_key, count, first_at, last_at) VALUES ('a', 1, 0, ?)", 140],
  ["claimed_mails", "INSERT INTO claimed_mails (at, count) VALUES (?, 1)", 104],
  ["limits", "INSERT INTO limits (name, state, kept_until) VALUES ('x', '{}', ?)", 60],
  ["webhook_events", "INSERT INTO webhook_events (n, id, type, created_at) VALUES (1, 'e', 't', ?)", 150],
  ["dkim_keys", "INSERT INTO dkim_keys VALUES (1, 's', 'retired', '', NULL, 0, ?)", 110],
];

it("the chores of a team: an alarm runs the five that are due for longest, the next one the others", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const team = await createTeam();
  await team.inside(async (sql) => {
    for (const [, insert, days] of OLD) sql.exec(insert, START - days * DAY);
    const left = () =>
      OLD.map(([table]) => table).filter((table) => sql.exec(`SELECT 1 FROM ${table} LIMIT 1`).toArray().length > 0);
    expect(left()).toHaveLength(OLD.length);
    await runChores(sql, START);
    expect(left()).toEqual(["limits"]);
    await runChores(sql, START);
    expect(left()).toEqual([]);
  });
});
