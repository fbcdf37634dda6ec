import { expect, it } from "vitest";
import { type ObjectFacts, openMailsOf, pulseOf } from "../../../../src/email/workspace/operator/overview/pulse.ts";
import { createTeam, isolated } from "../bench.ts";
import { contextOf, counted } from "../workspace/counted.ts";
import { MINUTE, stuckMails } from "./arrange.ts";

isolated();

const facts: ObjectFacts = {
  alarm: null,
  wasLost: false,
  startedAt: 0,
  alarmProblem: undefined,
  results: [],
  hasSender: () => true,
  opensAt: () => 0,
  claimsOf: () => ({ claims: 0, silentSince: null, lastResult: null }),
};

it("a touch writes nothing, and reads as much in a team with 30 000 waiting mails as in one with 30", async () => {
  const team = await createTeam();
  const touch = () =>
    team.inside((real) => {
      const { sql, take } = counted(real);
      const pulse = pulseOf(contextOf(sql), facts);
      return { rows: take(), kinds: pulse.problems.map(({ kind }) => kind) };
    });
  await stuckMails(team, 30, Date.now() - 5 * MINUTE);
  const few = await touch();
  expect(few.kinds).toEqual(["queue.stalled"]);
  await stuckMails(team, 30_000, Date.now() - 4 * MINUTE);
  const many = await touch();
  expect(many.rows).toEqual(few.rows);
  expect(few.rows.written).toBe(0);
  expect(few.rows.read).toBeLessThan(50);
});

it("the numbers of open mails end at 10 000 of a class", async () => {
  const team = await createTeam();
  await stuckMails(team, 12_000, Date.now());
  expect(await team.inside((sql) => openMailsOf({ sql }))).toEqual([
    { mailClass: "transactional", state: "queued", count: 10_000 },
  ]);
});
