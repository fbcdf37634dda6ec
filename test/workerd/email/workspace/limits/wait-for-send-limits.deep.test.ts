import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Workspace } from "../../../../../src/email/workspace/object.ts";
import { advance, createTeam, isolated, runAlarm, START, type Team } from "../../bench.ts";
import { accept, addMarketingMessage } from "../../marketing.ts";
import { insert, pumped, setLimit, statesOf } from "./pumped.ts";

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

const set = (settings: { sendPerHour: number } | { sendPerDay: number | null }) => team.admin("POST", "", settings);

describe("mail that waits for a send limit", () => {
  it("is not late, however long it waits, and has its 24 hours of retries after that", async () => {
    await team.inside(async (sql) => {
      setLimit(sql, "day", 2);
      insert(sql, 1, 8);
      const pump = pumped(sql, 1);
      await pump.run();
      for (let turn = 0; turn < 50 && pump.given.length < 8; turn += 1) {
        await pump.reportAll();
        await pump.alarm();
      }
      expect(pump.given.map(({ at }) => (at - START) / DAY)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
      expect(statesOf(sql)).toEqual({ sent: 6, sending: 2 });
      setLimit(sql, "day", null);
      for (let turn = 0; turn < 300 && (statesOf(sql).failed ?? 0) < 2; turn += 1) {
        await pump.reportAll("deferred");
        await pump.alarm();
      }
      expect(statesOf(sql)).toEqual({ sent: 6, failed: 2 });
      const last = pump.given.at(-1)?.at ?? 0;
      expect(last - START).toBeGreaterThan(3 * DAY + 22 * HOUR);
      expect(last - START).toBeLessThanOrEqual(4 * DAY);
    });
  });

  it("does not lose its retries to the limit", async () => {
    await team.inside(async (sql) => {
      setLimit(sql, "day", 1);
      insert(sql, 1, 1);
      const pump = pumped(sql, 1);
      await pump.run();
      for (let turn = 0; turn < 30 && pump.given.length < 4; turn += 1) {
        await pump.reportAll("deferred");
        await pump.alarm();
      }
      expect(pump.given.map(({ at, attempt }) => [(at - START) / DAY, attempt])).toEqual([
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 4],
      ]);
    });
  });

  it("does not delay claims that come back", async () => {
    await team.inside(async (sql) => {
      setLimit(sql, "day", 5);
      insert(sql, 1, 3_000);
      const pump = pumped(sql, 1);
      await pump.run();
      pump.restart();
      for (let turn = 0; turn < 20 && statesOf(sql).sending !== undefined; turn += 1) await pump.alarm();
      expect(statesOf(sql)).toEqual({ queued: 3_000 });
      expect(pump.now()).toBeLessThan(START + 200 * SECOND);
    });
  });
});

describe("the rows of claims", () => {
  it("stay few, and go away a day after the last claim", async () => {
    await team.inside(async (sql) => {
      setLimit(sql, "day", 10_000);
      insert(sql, 1, 3_000, { mailClass: "transactional" });
      sql.exec("UPDATE sends SET due = ? + n * 20000", START);
      const pump = pumped(sql, 1);
      for (let n = 1; n <= 3_000; n += 1) {
        pump.moveTo(START + n * 20_000);
        await pump.report("acme:transactional:0", 1);
        await pump.run();
      }
      const { rows, mails } = sql
        .exec<{ rows: number; mails: number }>("SELECT count(*) AS rows, sum(count) AS mails FROM claimed_mails")
        .one();
      expect(mails).toBe(pump.given.length);
      expect(rows).toBeLessThanOrEqual(2_200);
      pump.restart();
      const before = pump.now();
      pump.moveTo(before + DAY);
      await pump.alarm();
      expect(sql.exec("SELECT count(*) AS rows FROM claimed_mails").one()).toEqual({ rows: 0 });
    });
  });
});

describe("the team's object", () => {
  it("sends what the limits allow, says why the rest waits, and goes on after an eviction", async () => {
    await set({ sendPerHour: 2 });
    for (const email of ["a@example.org", "b@example.org", "c@example.org"])
      await team.post("/contacts/create", { email });
    const revision = await addMarketingMessage(team, "<Paragraph>Hello</Paragraph>");
    const start = Date.now();
    const ids: string[] = [];
    for (const email of ["a@example.org", "b@example.org", "c@example.org"]) {
      const accepted = await accept(team, revision, email);
      if ("id" in accepted) ids.push(accepted.id);
    }
    await runAlarm(team.stub);
    await evictDurableObject(team.stub);
    const nextMailAt = new Date(start + HOUR).toISOString();
    const at = `${nextMailAt.slice(0, 19).replace("T", " ")} UTC`;
    const full = `he team may send 2 mails an hour, and has sent 2. The next marketing mail may leave at ${at}.`;
    expect((await team.admin("GET", "/limits")).json.sending).toEqual([
      { per: "hour", limit: 2, used: 2, left: 0, nextMailAt, meaning: `T${full}` },
    ]);
    expect((await team.admin("GET", `/sends/${ids[2]}`)).json).toMatchObject({
      state: "queued",
      meaning: `It waits: t${full}`,
    });
    expect((await team.rows("SELECT state FROM sends ORDER BY n")).map(({ state }) => state)).toEqual([
      "sent",
      "sent",
      "queued",
    ]);
    const alarm = await runInDurableObject(team.stub, (_: Workspace, { storage }) => storage.getAlarm());
    expect(alarm).toBeLessThanOrEqual(start + HOUR);
    for (let turn = 0; turn < 5; turn += 1) {
      advance(HOUR / 4);
      await runAlarm(team.stub);
    }
    expect((await team.rows("SELECT state FROM sends ORDER BY n")).map(({ state }) => state)).toEqual([
      "sent",
      "sent",
      "sent",
    ]);
    expect((await team.admin("GET", "/limits")).json.sending).toMatchObject([
      { used: 1, left: 1, meaning: "The team may send 2 mails an hour, and has sent 1." },
    ]);
  });

  it("sends what waits as soon as a limit is raised", async () => {
    await set({ sendPerDay: 1 });
    for (const email of ["a@example.org", "b@example.org"]) await team.post("/contacts/create", { email });
    const revision = await addMarketingMessage(team, "<Paragraph>Hello</Paragraph>");
    for (const email of ["a@example.org", "b@example.org"]) await accept(team, revision, email);
    await runAlarm(team.stub);
    const states = async () => (await team.rows("SELECT state FROM sends ORDER BY n")).map(({ state }) => state);
    expect(await states()).toEqual(["sent", "queued"]);
    await set({ sendPerDay: null });
    await runAlarm(team.stub);
    expect(await states()).toEqual(["sent", "sent"]);
  });
});
