import { expect, it } from "vitest";
import { LEASE_MS } from "../../../../../src/email/workspace/sending/claims.ts";
import { lostClaims, nothingSearched } from "../../../../../src/email/workspace/sending/leases.ts";
import { createTeam, isolated, START } from "../../bench.ts";
import { counted } from "../counted.ts";

isolated();

const QUEUED = 20_000;
const FILL = `
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
  INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, variables, created_at, preview)
  SELECT n, 'snd_' || n, iif(n % 4 = 0, 'transactional', 'marketing'), 1, 'a@example.com', 'a@example.com', '<m>', 'queued', 0, ?, '{}', 1, 0
  FROM numbers`;

it("a backlog is read once, not at every search for leases that are over", async () => {
  const team = await createTeam({ samples: true });
  await team.inside((real) => {
    real.exec(FILL, QUEUED, START - 1);
    const { sql, take } = counted(real);
    const searched = nothingSearched();
    const search = (now: number) => ({ lost: lostClaims({ sql, now }, searched, 200), ...take() });
    const claim = (n: number, due: number) =>
      real.exec("UPDATE sends SET state = 'sending', attempts = 1, mailer = 'm', due = ? WHERE n = ?", due, n);

    for (const [n, due] of [
      [1, START - 2],
      [4, START - 1],
      [QUEUED, START - 1],
      [9, START + 5],
    ] as const)
      claim(n, due);
    const found: number[] = [];
    let read = 0;
    for (let second = 1; second <= 30; second += 1) {
      const { lost, ...rows } = search(START + second * 100);
      found.push(...(lost.get("m") ?? []).map(({ n }) => n));
      expect(rows.read).toBeLessThanOrEqual(5_000);
      read += rows.read;
    }
    expect(found.sort((a, b) => a - b)).toEqual([1, 4, 9, QUEUED]);
    expect(read).toBeLessThanOrEqual(3 * QUEUED);

    const quiet = search(START + 3_100);
    expect([quiet.lost.size, quiet.written]).toEqual([0, 0]);
    expect(quiet.read).toBeLessThanOrEqual(10);

    claim(50, START + 3_100 + LEASE_MS);
    const again = search(START + 3_100 + LEASE_MS).lost.get("m") ?? [];
    expect(again.map(({ n }) => n).sort((a, b) => a - b)).toEqual([1, 4, 9, 50, QUEUED]);
  });
});

it.each([
  ["due = 1 AND n > 1", "(class=? AND due=? AND rowid>?)"],
  ["due > 1 AND due <= 5", "(class=? AND due>? AND due<?)"],
])("the search seeks in the index of due mails: %s", async (range, seek) => {
  const team = await createTeam();
  const plan = await team.rows(
    `EXPLAIN QUERY PLAN SELECT n, state FROM sends WHERE class = 'marketing' AND ${range} ORDER BY due, n LIMIT 10`,
  );
  expect(plan.map(({ detail }) => detail)).toEqual([`SEARCH sends USING INDEX sends_due ${seek}`]);
});

it("a clock that steps back hides no lease", async () => {
  const team = await createTeam();
  await team.inside((sql) => {
    sql.exec(FILL, 1, START);
    const searched = nothingSearched();
    expect(lostClaims({ sql, now: START + 10 * LEASE_MS }, searched, 200).size).toBe(0);
    sql.exec("UPDATE sends SET state = 'sending', mailer = 'm', due = ?", START + LEASE_MS);
    expect(lostClaims({ sql, now: START + 2 * LEASE_MS }, searched, 200).get("m")).toHaveLength(1);
  });
});
