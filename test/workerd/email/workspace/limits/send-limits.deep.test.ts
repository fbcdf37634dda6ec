import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRandom } from "../../../simulation/random.ts";
import { admin, createTeam, isolated, START, type Team } from "../../bench.ts";
import { counted } from "../counted.ts";
import { insert, mostIn, pumped, setLimit, statesOf } from "./pumped.ts";

isolated();

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

let team: Team;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam({ samples: true });
});

afterEach(() => team.run("UPDATE sends SET mailer = NULL WHERE state = 'sending'"));

type Settings = Partial<Record<"sendPerSecond" | "sendPerHour" | "sendPerDay", unknown>>;
const set = (settings: Settings) => team.admin("POST", "", settings);

describe("the settings sendPerSecond, sendPerHour and sendPerDay", () => {
  it("are null at first, are set, stay when they are left out, and go away with null", async () => {
    const none = { sendPerSecond: null, sendPerHour: null, sendPerDay: null };
    expect((await team.admin("GET", "")).json).toMatchObject(none);
    const all = { sendPerSecond: 1, sendPerHour: 10_000_000, sendPerDay: 100_000_000 };
    expect(await set(all)).toMatchObject({ status: 200, json: all });
    await set({ sendPerHour: 7 });
    expect((await team.admin("GET", "")).json).toMatchObject({ ...all, sendPerHour: 7 });
    expect((await set(none)).json).toMatchObject(none);
  });

  it.each([
    ["sendPerSecond", 10_000],
    ["sendPerHour", 10_000_000],
    ["sendPerDay", 100_000_000],
  ] as const)("%s is a whole number from 1 to %i", async (field, most) => {
    for (const value of [0, -1, 1.5, "10", true, most + 1]) {
      const { status, json } = await set({ [field]: value });
      expect({ status, ...json }).toMatchObject({
        status: 400,
        code: "invalid_request",
        path: field,
        message: expect.stringContaining(`must be a whole number from 1 to ${most}, or null for no limit`),
      });
    }
    expect((await team.admin("GET", "")).json[field]).toBeNull();
  });

  it("belong to one team; a team that does not exist is 404", async () => {
    await createTeam({ id: "other" });
    await set({ sendPerDay: 5 });
    expect((await admin("GET", "/admin/teams/other")).json.sendPerDay).toBeNull();
    expect((await admin("POST", "/admin/teams/nobody", { sendPerDay: 5 })).status).toBe(404);
    expect((await admin("GET", "/admin/teams/other/limits")).json.sending).toEqual([]);
  });
});

describe("claims of marketing mail", () => {
  it.each([1, 2, 3, 4, 5, 6])("are within every limit in any window, through restarts (seed %i)", async (seed) => {
    const random = createRandom(seed);
    const limits = { second: random.one([3, 20]), hour: random.one([25, 60]), day: random.one([150, 200]) };
    await team.inside(async (sql) => {
      for (const [span, limit] of Object.entries(limits)) setLimit(sql, span as keyof typeof limits, limit);
      const total = 420;
      insert(sql, 1, total);
      const pump = pumped(sql, random.int(1, 4));
      await pump.run();
      for (let step = 0; step < 4_000 && (statesOf(sql).sent ?? 0) < total; step += 1) {
        const mailer = `acme:marketing:${random.int(0, 3)}`;
        const act = random.int(0, 9);
        if (act < 4) await pump.report(mailer, random.int(1, 30));
        else if (act === 4) pump.moveTo(pump.now() + random.one([1, 200, SECOND]));
        else if (act === 5 && random.chance(0.1)) pump.restart();
        else if (act === 6) await pump.run();
        else await pump.alarm();
      }
      expect(statesOf(sql)).toEqual({ sent: total });
      expect(mostIn(pump.given, SECOND)).toBeLessThanOrEqual(limits.second);
      expect(mostIn(pump.given, HOUR)).toBeLessThanOrEqual(limits.hour);
      expect(mostIn(pump.given, DAY)).toBeLessThanOrEqual(limits.day);
      expect(mostIn(pump.given, DAY)).toBe(limits.day);
    });
  });

  it("wake the object exactly when there is room, and not before", async () => {
    await team.inside(async (sql) => {
      setLimit(sql, "second", 5);
      setLimit(sql, "hour", 12);
      insert(sql, 1, 30);
      const pump = pumped(sql);
      let alarms = 0;
      await pump.run();
      for (; statesOf(sql).queued !== undefined; alarms += 1) {
        await pump.reportAll();
        await pump.alarm();
      }
      const times = Map.groupBy(pump.given, ({ at }) => at - START);
      expect([...times].map(([at, of]) => [at, of.length])).toEqual([
        [0, 5],
        [SECOND, 5],
        [2 * SECOND, 2],
        [HOUR, 5],
        [HOUR + SECOND, 5],
        [HOUR + 2 * SECOND, 2],
        [2 * HOUR, 5],
        [2 * HOUR + SECOND, 1],
      ]);
      expect(alarms).toBeLessThanOrEqual(3 * times.size);
    });
  });

  it("leave no alarm where no mail waits", async () => {
    await team.inside(async (sql) => {
      setLimit(sql, "day", 1);
      insert(sql, 1, 1);
      const pump = pumped(sql);
      await pump.run();
      expect(pump.given).toHaveLength(1);
      expect(pump.wakeAt()).toBe(START + 4 * SECOND);
    });
  });

  it("go past mail that may not leave, also where little room is left", async () => {
    await team.inside(async (sql) => {
      setLimit(sql, "second", 1);
      insert(sql, 1, 40);
      sql.exec("UPDATE contacts SET data = jsonb_set(data, '$.subscribed', jsonb('false')) WHERE n <= 38");
      const pump = pumped(sql, 1);
      await pump.run();
      for (let turn = 0; turn < 20 && statesOf(sql).queued !== undefined; turn += 1) {
        await pump.reportAll();
        await pump.alarm();
      }
      expect(pump.given.map(({ n, at }) => [n, at - START])).toEqual([
        [39, 0],
        [40, SECOND],
      ]);
      expect(statesOf(sql)).toEqual({ not_sent: 38, sent: 1, sending: 1 });
    });
  });

  it("count each attempt, and count also where a Mailer never started the mail", async () => {
    await team.inside(async (sql) => {
      setLimit(sql, "hour", 3);
      insert(sql, 1, 2);
      const pump = pumped(sql, 1);
      await pump.run();
      await pump.report("acme:marketing:0", 1, "deferred");
      pump.moveTo(START + 10 * SECOND);
      await pump.run();
      expect(pump.given.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
      pump.restart();
      for (const end = START + HOUR - 1; pump.wakeAt() <= end; ) await pump.alarm();
      expect(pump.given).toHaveLength(3);
      expect(statesOf(sql)).toEqual({ queued: 2 });
      await pump.alarm();
      expect(pump.given.slice(3).map(({ at }) => at)).toEqual([START + HOUR, START + HOUR]);
    });
  });

  it("find mail of workflows before mail of campaigns when there is little room", async () => {
    const { id: workflow } = (await team.post("/workflows", { name: "Trial" })).json;
    const { campaignId, id = campaignId } = (await team.post("/campaigns", { name: "Sale" })).json;
    await team.inside(async (sql) => {
      sql.exec("UPDATE workflows SET status = 'Sending'");
      sql.exec("UPDATE campaigns SET status = 'Sending', state = 'sending'");
      setLimit(sql, "hour", 4);
      insert(sql, 1, 30, { origin: id });
      insert(sql, 101, 3, { origin: workflow, at: START + 1 });
      const pump = pumped(sql, 1);
      pump.moveTo(START + 1);
      await pump.run();
      expect(pump.given.map(({ n }) => n).sort((a, b) => a - b)).toEqual([1, 101, 102, 103]);
    });
  });

  it("follow a change of a limit at once", async () => {
    await team.inside(async (sql) => {
      setLimit(sql, "hour", 10);
      insert(sql, 1, 60);
      const pump = pumped(sql, 1);
      const claimed = async () => {
        await pump.run();
        return pump.given.length;
      };
      expect(await claimed()).toBe(10);
      setLimit(sql, "hour", 15);
      expect(await claimed()).toBe(15);
      setLimit(sql, "hour", 3);
      pump.moveTo(START + HOUR - 1);
      expect(await claimed()).toBe(15);
      setLimit(sql, "hour", null);
      expect(await claimed()).toBe(60);
    });
  });
});

describe("transactional mail", () => {
  it("never waits for a send limit, and counts", async () => {
    await team.inside(async (sql) => {
      setLimit(sql, "hour", 10);
      insert(sql, 1, 20);
      insert(sql, 101, 8, { mailClass: "transactional" });
      const pump = pumped(sql, 1);
      await pump.run();
      const count = (mailClass: string) => pump.given.filter((one) => one.mailClass === mailClass).length;
      expect([count("transactional"), count("marketing")]).toEqual([8, 2]);
      insert(sql, 201, 40, { mailClass: "transactional" });
      await pump.run();
      expect([count("transactional"), count("marketing")]).toEqual([48, 2]);
    });
  });

  it("writes no row more without a limit, and one for a claim with one", async () => {
    await team.inside(async (real) => {
      const { sql, take } = counted(real);
      const written = async (from: number, count: number) => {
        insert(real, from, count, { mailClass: "transactional" });
        const pump = pumped(sql, 1);
        take();
        await pump.run();
        expect(pump.given).toHaveLength(count);
        const { written: rows } = take();
        await pump.reportAll();
        return rows;
      };
      const without = await written(1, 10);
      expect(real.exec("SELECT count(*) AS count FROM claimed_mails").one()).toEqual({ count: 0 });
      setLimit(real, "day", 1_000);
      expect(await written(101, 10)).toBe(without + 1);
      expect(real.exec("SELECT at, count FROM claimed_mails").toArray()).toEqual([{ at: START, count: 10 }]);
    });
  });
});
