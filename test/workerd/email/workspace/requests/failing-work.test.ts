import { beforeEach, expect, it, vi } from "vitest";
import { Inbox } from "../../../../../src/email/objects/inbox.ts";
import { advance, createTeam, handedOver, isolated, runAlarm, START, type Team } from "../../bench.ts";

isolated();

const DAY = 86_400_000;
const MINUTE = 60_000;
const mail = {
  transactionalId: "tpl_password_reset",
  email: "ada@example.com",
  dataVariables: { link: "https://acme.example.com/reset", code: "123456" },
};

let team: Team;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam({ samples: true });
  await runAlarm(team.stub);
});

const refuse = (what: string, table: string) =>
  team.run(`CREATE TRIGGER planted BEFORE ${what} ON ${table} BEGIN SELECT RAISE(ABORT, 'planted'); END`);

const deferred = async () => {
  const busy = { outcome: "deferred", message: "451 4.3.2 busy", code: "4.3.2" } as const;
  vi.spyOn(Inbox.prototype, "capture").mockResolvedValueOnce(busy);
  await team.post("/transactional", mail);
  await handedOver();
  expect(await states()).toEqual(["queued"]);
};
const states = async () => (await team.rows("SELECT state FROM sends")).map(({ state }) => state);
const problem = async () => (await team.stub.pulse({}))?.problems.find(({ kind }) => kind === "team.failing")?.message;
const alarmIn = async () => ((await team.inside((_, storage) => storage.getAlarm())) ?? 0) - Date.now();

const addOldRows = async () => {
  await team.run(
    "INSERT INTO soft_bounces (email_key, count, first_at, last_at) VALUES ('a', 1, 0, ?)",
    START - 140 * DAY,
  );
  await team.run("INSERT INTO suppression_removals (n, at) VALUES (1, ?)", START - 105 * DAY);
};

it("a chore that always fails: due mail leaves, other chores run, health knows, and the alarm rests for a minute", async () => {
  await addOldRows();
  await refuse("DELETE", "soft_bounces");
  await deferred();
  advance(MINUTE);
  await runAlarm(team.stub);
  expect(await states()).toEqual(["sent"]);
  expect(await team.rows("SELECT 1 FROM suppression_removals")).toEqual([]);
  expect(await team.rows("SELECT 1 FROM soft_bounces")).toHaveLength(1);
  advance(MINUTE);
  await runAlarm(team.stub);
  expect(await alarmIn()).toBe(MINUTE);
  expect(await problem()).toContain("planted");
  await team.run("DROP TRIGGER planted");
  advance(MINUTE);
  await runAlarm(team.stub);
  expect(await team.rows("SELECT 1 FROM soft_bounces")).toEqual([]);
  expect(await problem()).toBeUndefined();
});

it("a slice that always fails: due mail leaves, other slices run, health knows, and the alarm rests for a minute", async () => {
  const sweep = (workflow: number) =>
    team.run("INSERT INTO sweeps (workflow, ended, at, runs) VALUES (?, 'node_deleted', 0, '[]')", workflow);
  await sweep(1);
  await refuse("DELETE", "sweeps WHEN old.workflow = 1");
  await sweep(2);
  await deferred();
  advance(MINUTE);
  await runAlarm(team.stub);
  expect(await states()).toEqual(["sent"]);
  expect(await team.rows("SELECT workflow FROM sweeps")).toEqual([{ workflow: 1 }]);
  advance(MINUTE);
  await runAlarm(team.stub);
  expect(await alarmIn()).toBe(MINUTE);
  expect(await problem()).toContain("planted");
});
