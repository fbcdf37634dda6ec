import { describe, expect, it, vi } from "vitest";
import type { MailClass } from "../../../../../src/email/types/mail-handover.ts";
import { startCampaign } from "../../../../../src/email/workspace/campaigns/control.ts";
import { progressOf } from "../../../../../src/email/workspace/campaigns/shown-campaign.ts";
import type { Context } from "../../../../../src/email/workspace/core/context.ts";
import { createDayRows, type DayRows, ROWS_PER_MAIL } from "../../../../../src/email/workspace/core/day-rows.ts";
import { rowsForCampaign } from "../../../../../src/email/workspace/core/day-rows-words.ts";
import { findImport } from "../../../../../src/email/workspace/imports/import-rows.ts";
import { detailedImport } from "../../../../../src/email/workspace/imports/shown-import.ts";
import { createLimits } from "../../../../../src/email/workspace/limits/limits.ts";
import { waitingOf } from "../../../../../src/email/workspace/operator/campaigns/waiting.ts";
import { pulseOf } from "../../../../../src/email/workspace/operator/overview/pulse.ts";
import { createRunPump } from "../../../../../src/email/workspace/requests/slice-pump.ts";
import { obstacleOf } from "../../../../../src/email/workspace/workflows/runs/run-story.ts";
import { findWorkflow } from "../../../../../src/email/workspace/workflows/workflow-rows.ts";
import { countedSql } from "../../../../../src/lib/counted-sql.ts";
import { advance, bindings, createTeam, isolated, START, type Team } from "../../bench.ts";
import { addCampaign, addContacts, campaignOf, claim, marketingContext } from "../campaigns/bench.ts";
import { file } from "../imports/bench.ts";
import { addReady as addWorkflow, pay } from "../workflows/runs/bench.ts";
import { insert } from "./pumped.ts";

isolated();

const DAY = 86_400_000;
const MIDNIGHT = Math.floor(START / DAY + 1) * DAY;
const LIMIT = 1_000;
const QUIET = { routeOf: () => undefined, onlyRoute: () => undefined, lanes: () => 1 };

const written = (rows: number, limit = LIMIT): DayRows => {
  const dayRows = createDayRows(limit);
  dayRows.written(START);
  dayRows.add(rows);
  return dayRows;
};

const pumpOf = (storage: DurableObjectStorage, dayRows: DayRows) => {
  const context = (): Context => ({ ...marketingContext(storage.sql), dayRows });
  const pump = createRunPump({
    context,
    transaction: (work) => storage.transactionSync(work),
    pause: async () => {},
    follow: () => {},
  });
  return { pump, context };
};

const start = (team: Team, id: string): Promise<void> =>
  team.inside((sql) => {
    const context = marketingContext(sql);
    startCampaign(context, campaignOf(sql, id));
  });

const count = (sql: SqlStorage, table: string): number =>
  sql.exec<{ count: number }>(`SELECT count(*) AS count FROM ${table}`).one().count;

describe("written rows", () => {
  it("are all counted when a statement returns, also those of triggers, indexes and RETURNING", async () => {
    const team = await createTeam();
    await team.inside((sql) => {
      let rows = 0;
      const all = countedSql(sql, (more) => {
        rows += more;
      });
      all.exec("CREATE TABLE one (n INTEGER PRIMARY KEY, a TEXT); CREATE INDEX by_a ON one (a); CREATE TABLE two (n)");
      all.exec("CREATE TRIGGER copied AFTER UPDATE ON one BEGIN INSERT INTO two VALUES (NEW.n); END");
      for (const [statement, expected] of [
        ["INSERT INTO one (a) VALUES ('x'), ('y'), ('z') RETURNING n", 6],
        ["UPDATE one SET a = a || 'b' RETURNING n, a", 9],
        ["DELETE FROM one RETURNING n", 3],
        ["SELECT * FROM two", 0],
      ] as const) {
        rows = 0;
        const cursor = all.exec(statement);
        const atOnce = rows;
        cursor.toArray();
        expect({ atOnce, later: cursor.rowsWritten }, statement).toEqual({ atOnce: expected, later: expected });
      }
      expect(all.databaseSize).toBe(sql.databaseSize);
    });
  });

  it("survive a reset but for the last 20, end with their day, and not by a clock that is set back", async () => {
    const team = await createTeam();
    await team.inside((sql) => {
      const first = written(640);
      first.save(sql, START);
      first.add(19);
      first.save(sql, START);
      const second = createDayRows(LIMIT);
      second.restore(sql, START + 1);
      expect(second.written(START + 1)).toMatchObject({ team: 640, account: 740, limit: LIMIT });
      expect(second.opensAt("campaigns", START)).toBe(MIDNIGHT);
      expect(second.opensAt("workflows", START)).toBe(0);
      expect(second.written(MIDNIGHT)).toMatchObject({ team: 0, account: 100 });
      second.add(700);
      expect(second.opensAt("workflows", MIDNIGHT - 1)).toBe(MIDNIGHT + DAY);
    });
  });

  it("have no ceiling on a paid plan, and are counted there too", () => {
    const dayRows = written(10_000_000, Number.POSITIVE_INFINITY);
    expect(dayRows.opensAt("campaigns", START)).toBe(0);
    expect(dayRows.toTell(START)).toBeUndefined();
    expect(rowsForCampaign({ dayRows, now: START }, 20_000)).toBeUndefined();
    expect(dayRows.written(START)).toMatchObject({ team: 10_000_000, account: 10_000_000 });
  });

  it("are of all teams of the account: the Directory adds them up, a day at a time", async () => {
    const directory = bindings.DIRECTORY.getByName("directory");
    expect(await directory.dayRows("a", 7, 300)).toBe(0);
    expect(await directory.dayRows("b", 7, 350)).toBe(300);
    expect(await directory.dayRows("a", 7, 310)).toBe(350);
    const dayRows = written(310);
    const { day } = dayRows.written(START);
    expect(dayRows.toTell(START)).toEqual({ day, rows: 310 });
    expect(dayRows.toTell(START)).toBeUndefined();
    dayRows.heard(day - 1, 900);
    expect(dayRows.opensAt("campaigns", START)).toBe(0);
    dayRows.heard(day, 350);
    expect(dayRows.opensAt("campaigns", START)).toBe(MIDNIGHT);
    expect(await directory.dayRows("a", 8, 1)).toBe(0);
  });
});

describe("near the end of the day's rows", () => {
  it("a campaign neither collects nor sends, says until when, and goes on at midnight", async () => {
    const team = await createTeam();
    await addContacts(team, ["ada@example.com", "bo@example.com"]);
    const id = await addCampaign(team);
    await start(team, id);
    await team.inside(async (sql, storage) => {
      const full = written(600);
      const { pump, context } = pumpOf(storage, full);
      await pump.run(100);
      expect(count(sql, "recipients")).toBe(0);
      expect(pump.next()).toBe(MIDNIGHT);
      const [why] = waitingOf(context(), campaignOf(sql, id));
      expect(why).toMatchObject({ code: "day_rows", message: expect.stringContaining("2090-01-02T00:00:00.000Z") });
      const open = pumpOf(storage, written(0));
      await open.pump.run(100);
      expect(count(sql, "recipients")).toBe(2);
      expect(pump.isSending()).toBe(false);
      expect(open.pump.isSending()).toBe(true);
      expect(pump.next()).toBe(MIDNIGHT);
      expect(waitingOf(open.context(), campaignOf(sql, id)).map(({ code }) => code)).not.toContain("day_rows");
      vi.setSystemTime(MIDNIGHT);
      expect(pump.isSending()).toBe(true);
      expect(claim(sql).map(({ recipient }) => recipient)).toEqual(["ada@example.com", "bo@example.com"]);
    });
  });

  it("the estimated end of a campaign is not before the day that has rows for its last mail", async () => {
    const team = await createTeam();
    const id = await addCampaign(team);
    await start(team, id);
    await team.inside((sql) => {
      const now = START + 60_000;
      const sending =
        "state = 'sending', recipients = 20000, queued = 19000, skipped = 1000, moving_since = ?, moved = 0";
      sql.exec(`UPDATE campaigns SET ${sending}`, START);
      const etaAfter = (rows: number, limit?: number) =>
        progressOf({ sql, now, dayRows: written(rows, limit) }, campaignOf(sql, id))?.eta;
      expect(etaAfter(59_999, 100_000)).toBe(new Date(MIDNIGHT + DAY).toISOString());
      expect(etaAfter(0, 100_000)).toBe(new Date(MIDNIGHT).toISOString());
      expect(etaAfter(0, 10_000_000)).not.toBe(new Date(MIDNIGHT).toISOString());
    });
  });

  it("a workflow goes on to 80 %, then its runs and its mail wait for midnight; transactional mail does not", async () => {
    const team = await createTeam();
    const { id } = await addWorkflow(team);
    expect((await team.admin("POST", `/workflows/${id}/start`, {})).status).toBe(200);
    await team.put("/contacts/update", { email: "ada@example.com" });
    expect((await pay(team, "ada@example.com")).status).toBe(200);
    await team.run("UPDATE runs SET wake = ?", Date.now());
    advance(1_000);
    await team.inside(async (sql, storage) => {
      const isDue = () => sql.exec("SELECT 1 FROM runs WHERE wake <= ?", Date.now()).toArray().length > 0;
      const { pump, context } = pumpOf(storage, written(710));
      await pump.run(100);
      expect(isDue()).toBe(true);
      const found = findWorkflow(context(), id);
      const obstacle = (dayRows: DayRows) =>
        "workflow" in found && obstacleOf({ ...context(), dayRows }, found.workflow);
      expect(obstacle(written(710))).toMatch(/may write today are used up until 2090-01-02 /);
      expect(obstacle(written(610))).toBeUndefined();
      expect(pump.next()).toBe(MIDNIGHT);
      await pumpOf(storage, written(610)).pump.run(100);
      expect(isDue()).toBe(false);
      const at = (rows: number, now: number) => {
        const limits = createLimits({ sql, ...QUIET, dayRows: written(rows) });
        return [
          limits.passage("marketing", now),
          limits.passage("transactional", now),
          limits.opensAt("marketing", now),
        ];
      };
      expect(at(610, Date.now())).toEqual(["all", "all", 0]);
      expect(at(710, Date.now())).toEqual(["none", "all", MIDNIGHT]);
      expect(at(710, MIDNIGHT)).toEqual(["all", "all", 0]);
    });
  });

  it("mail that waits is no stalled queue", async () => {
    const team = await createTeam();
    await team.inside((sql) => {
      insert(sql, 1, 1);
      vi.setSystemTime(START + 600_000);
      const problemsAfter = (rows: number): string[] => {
        const dayRows = written(rows);
        const { opensAt } = createLimits({ sql, ...QUIET, dayRows });
        const facts = {
          alarm: MIDNIGHT,
          wasLost: false,
          startedAt: START,
          alarmProblem: undefined,
          results: [],
          hasSender: () => true,
          opensAt: (mailClass: MailClass) => opensAt(mailClass, Date.now()),
          claimsOf: () => ({ claims: 0, silentSince: null, lastResult: null }),
        };
        return pulseOf({ ...marketingContext(sql), dayRows }, facts).problems.map(({ kind }) => kind);
      };
      expect(problemsAfter(0)).toContain("queue.stalled");
      expect(problemsAfter(710)).not.toContain("queue.stalled");
    });
  });
});

it("an import that runs says that it waits for midnight", async () => {
  const team = await createTeam();
  const { id } = (await file("", "email\nz@example.com\n")).json;
  await team.admin("POST", `/imports/${id}/start`, { mapping: { email: "email" } });
  await team.inside((sql) => {
    const found = findImport(sql, id);
    const waitingAt = (rows: number) =>
      "found" in found && detailedImport({ ...marketingContext(sql), dayRows: written(rows) }, found.found).waiting;
    expect(waitingAt(590)).toEqual([]);
    const message = expect.stringMatching(/^Imports wait for the next day: .* They go on at 2090-01-02T00:00:00/);
    expect(waitingAt(600)).toEqual([{ code: "day_rows", message }]);
  });
});

describe("what a campaign needs of the day's rows", () => {
  it.each([
    [1_000, 0, { needed: 4_500, left: 60_000, days: 1 }],
    [20_000, 0, { needed: 90_000, left: 60_000, days: 2 }],
    [20_000, 59_000, { needed: 90_000, left: 1_000, days: 3 }],
    [0, 80_000, { needed: 0, left: 0, days: 1 }],
  ])("%i recipients after %i rows", (recipients, rows, expected) => {
    const dayRows = written(rows, 100_000);
    expect(rowsForCampaign({ dayRows, now: START }, recipients)).toEqual(expected);
    expect(expected.needed).toBe(recipients * ROWS_PER_MAIL);
  });
});
