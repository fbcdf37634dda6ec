import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, START, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const countOf = async (operator: string, value: unknown, key = "createdAt") => {
  const filter = { match: "all", conditions: [{ type: "property", key, operator, value }] };
  const { status, json } = await team.admin("POST", "/audience/estimate", { filter });
  expect(status, JSON.stringify(json)).toBe(200);
  return json.contacts as number;
};
const today = new Date(START).toISOString().slice(0, 10);
const yesterday = new Date(START - 86_400_000).toISOString().slice(0, 10);

describe("contacts that were created today", () => {
  beforeEach(async () => {
    await team.post("/contacts/create", { email: "ada@example.com" });
  });

  it("are between today and today, and not after it", async () => {
    expect(await countOf("between", { from: today, to: today })).toBe(1);
    expect(await countOf("between", { from: yesterday, to: today })).toBe(1);
    expect(await countOf("after", today)).toBe(0);
    expect(await countOf("after", yesterday)).toBe(1);
    expect(await countOf("before", today)).toBe(0);
  });

  it("are so by the days of the team's time zone", async () => {
    // The clock of the tests stands at noon of UTC.
    await team.run("UPDATE contacts SET created_at = ?", START - 13 * 3_600_000);
    expect(await countOf("between", { from: today, to: today })).toBe(0);
    expect((await team.admin("POST", "", { timeZone: "Europe/Berlin" })).json.timeZone).toBe("Europe/Berlin");
    const inBerlin = new Date(START - 12 * 3_600_000).toISOString().slice(0, 10);
    expect(await countOf("between", { from: inBerlin, to: inBerlin })).toBe(1);
  });
});

it("a property that is a day alone is that day in every time zone", async () => {
  await team.post("/contacts/properties", { name: "trialEnd", type: "date" });
  for (const trialEnd of ["2026-01-30", "2026-01-31", "2026-02-01"])
    await team.post("/contacts/create", { email: `${trialEnd}@example.com`, trialEnd });
  for (const timeZone of ["UTC", "America/New_York", "Pacific/Auckland"]) {
    await team.admin("POST", "", { timeZone });
    const counts = [
      await countOf("between", { from: "2026-01-31", to: "2026-01-31" }, "trialEnd"),
      await countOf("after", "2026-01-31", "trialEnd"),
      await countOf("before", "2026-01-31", "trialEnd"),
    ];
    expect([timeZone, ...counts]).toEqual([timeZone, 1, 1, 1]);
  }
});

it("a time zone has to be one of the database of IANA", async () => {
  for (const timeZone of ["Berlin", "", "+01:00", "Europe/Nowhere", 1]) {
    const { status, json } = await team.admin("POST", "", { timeZone });
    expect([status, json.code, json.path], String(timeZone)).toEqual([400, "invalid_request", "timeZone"]);
  }
  for (const timeZone of ["Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "Asia/Kolkata", "Etc/GMT+3"])
    for (const spelling of [timeZone, timeZone.toLowerCase(), timeZone.toUpperCase()])
      expect((await team.admin("POST", "", { timeZone: spelling })).json.timeZone).toBe(timeZone);
  expect((await team.admin("POST", "", { timeZone: "us/eastern" })).json.timeZone).toBe("US/Eastern");
  expect((await team.admin("POST", "", { timeZone: "america/port_of_spain" })).json.timeZone).toBe(
    "America/Port_of_Spain",
  );
  for (const body of [{ timeZone: null }, { timeZone: null, name: null }]) {
    const { status, json } = await team.admin("POST", "", body);
    expect([status, json.path]).toEqual([400, "timeZone"]);
    expect(json.message).toMatch(/^timeZone: null counts as left out, and one of these is required: name,/);
  }
});

it("a campaign is scheduled by the clock of the team", async () => {
  const create = (timestamp: string) =>
    team.post("/campaigns", { name: "Sale", scheduling: { method: "schedule", timestamp } });
  const wall = `${new Date(START + 2 * 86_400_000).toISOString().slice(0, 10)}T09:00`;
  expect((await create(wall)).status).toBe(400);
  await team.admin("POST", "", { timeZone: "Asia/Kolkata" });
  const { status, json } = await create(wall);
  expect([status, json.scheduling.timestamp]).toEqual([201, new Date(Date.parse(`${wall}:00+05:30`)).toISOString()]);
});
