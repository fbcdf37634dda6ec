import { expect, it, vi } from "vitest";
import { watch } from "../../../../src/email/http/monitor/watch.ts";
import { Workspace } from "../../../../src/email/workspace/object.ts";
import { admin, advance, bindings, createTeam, isolated, START } from "../bench.ts";
import { alarmOf, inDirectory, loseAlarm, MINUTE, stuckMails, touch } from "./arrange.ts";

isolated();

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const activeAt = (id: string) =>
  inDirectory((sql) => sql.exec<{ at: number }>("SELECT active_at AS at FROM teams WHERE id = ?", id).one().at);

const touchedTeams = () => {
  const seen: string[] = [];
  const pulse = Workspace.prototype.pulse;
  vi.spyOn(Workspace.prototype, "pulse").mockImplementation(async function (this: Workspace, request) {
    const answer = await pulse.call(this, request);
    seen.push(this.ctx.id.name ?? "");
    return answer;
  } as typeof pulse);
  return { take: () => seen.splice(0).toSorted() };
};

it("an active team costs the Directory one row an hour, whatever it does", async () => {
  const team = await createTeam();
  await vi.waitFor(async () => expect(await activeAt("acme")).toBeGreaterThanOrEqual(START));
  const first = await activeAt("acme");
  for (let minutes = 0; minutes < 50; minutes += 10) {
    advance(10 * MINUTE);
    await team.get("/lists");
    await touch();
  }
  expect(await activeAt("acme")).toBe(first);
  advance(20 * MINUTE);
  await team.get("/lists");
  await vi.waitFor(async () => expect(await activeAt("acme")).toBeGreaterThan(first));
});

it("touches teams of the last 24 hours, 20 an event, each once in a turn", async () => {
  await inDirectory((sql) =>
    sql.exec(
      `INSERT INTO teams (id, name, created_at, active_at)
       WITH RECURSIVE k(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM k WHERE k < 60)
       SELECT 'team-' || k, 'Team', 0, iif(k <= 45, ?, ?) FROM k`,
      START - HOUR,
      START - 25 * HOUR,
    ),
  );
  const touched = touchedTeams();
  const turns = [];
  for (let event = 0; event < 4; event++) {
    await touch();
    turns.push(touched.take());
  }
  expect(turns.map(({ length }) => length)).toEqual([20, 20, 5, 20]);
  expect(new Set(turns.slice(0, 3).flat()).size).toBe(45);
  expect(turns[3]).toEqual(turns[0]);
});

it.each([false, true])("finds a lost alarm (object evicted: %s), and what was due is done", async (isEvicted) => {
  const team = await createTeam();
  await stuckMails(team, 1, Date.now() + HOUR);
  await touch();
  expect(await alarmOf(team)).not.toBeNull();
  await loseAlarm(team, isEvicted);
  if (!isEvicted) expect(await alarmOf(team)).toBeNull();
  await touch();
  expect(await alarmOf(team)).toBeLessThanOrEqual(Date.now() + HOUR);
});

it("sets an alarm again that is overdue", async () => {
  const team = await createTeam();
  await stuckMails(team, 1, Date.now() + MINUTE);
  await touch();
  const first = await alarmOf(team);
  expect(first).toBeLessThanOrEqual(Date.now() + MINUTE);
  advance(3 * MINUTE);
  expect(await alarmOf(team)).toBe(first);
  await touch();
  expect(await alarmOf(team)).toBeGreaterThan(Date.now());
});

it("touches a quiet team when its alarm is due, so that a campaign of next week starts although its alarm was lost", async () => {
  const team = await createTeam();
  await stuckMails(team, 1, START + 7 * DAY);
  const touched = touchedTeams();
  for (let hours = 1; hours < 36; hours++) {
    advance(HOUR);
    await touch();
  }
  const wakeAt = await inDirectory((sql) => sql.exec<{ at: number }>("SELECT wake_at AS at FROM teams").one().at);
  expect(wakeAt).toBeGreaterThan(Date.now());
  expect(wakeAt).toBeLessThanOrEqual(START + 7 * DAY);
  touched.take();
  await touch();
  expect(touched.take()).toEqual([]);
  await loseAlarm(team, true);
  vi.setSystemTime(START + 7 * DAY + MINUTE);
  await touch();
  expect(touched.take()).toEqual(["acme"]);
  expect(await alarmOf(team)).not.toBeNull();
});

it.each([5_000, 5_001, 5_002, 10_001])("touches an active team behind %i others that are quiet", async (others) => {
  await inDirectory((sql) =>
    sql.exec(
      `INSERT INTO teams (id, name, created_at, active_at)
       WITH RECURSIVE k(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM k WHERE k < ?1 + 2)
       SELECT 'team-' || k, 'Team', 0, iif(k > ?1, ?2, ?3) FROM k`,
      others,
      START - HOUR,
      START - 25 * HOUR,
    ),
  );
  const touched = touchedTeams();
  for (let event = 0; event < 3; event++) await touch();
  expect(touched.take()).toEqual([`team-${others + 1}`, `team-${others + 2}`]);
});

it("a team that does not answer, and a Directory that fails, stop neither the others nor the next event", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => void lines.push(line));
  await createTeam({ id: "broken" });
  const whole = await createTeam({ id: "whole" });
  await stuckMails(whole, 1, Date.now() + HOUR);
  await loseAlarm(whole);
  const { pulse } = Workspace.prototype;
  vi.spyOn(Workspace.prototype, "pulse").mockImplementation(function (this: Workspace, request) {
    const { name } = (this as unknown as { ctx: DurableObjectState }).ctx.id;
    return name === "broken" ? Promise.reject(new Error("overloaded")) : pulse.call(this, request);
  });
  await touch();
  expect(await alarmOf(whole)).not.toBeNull();
  const failing = {
    ...bindings,
    DIRECTORY: { getByName: () => ({ toTouch: () => Promise.reject(new Error("down")) }) },
  };
  await watch(failing as never, Date.now());
  expect(lines.filter((line) => line.includes("watch_failed"))).toHaveLength(1);
  expect((await admin("GET", "/admin/alerts")).json).toEqual({ data: [], pending: 0 });
});
