import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRandom } from "../../../../workerd/simulation/random.ts";
import { createTimeline } from "../../../../workerd/simulation/timeline.ts";
import { createBell } from "../workflows/simulation/bell.ts";
import { createEngine } from "./simulation/engine.ts";

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const USERS = ["a", "b"];

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

const sent = (weather: { mailers: number; isDown: boolean }) => {
  const timeline = createTimeline(START);
  const failed = (error: unknown) => {
    throw error;
  };
  const mails: string[] = [];
  const engine = createEngine({
    timeline,
    now: timeline.now,
    random: createRandom(1),
    bug: {},
    claimed: () => {},
    sliced: () => {},
    failed,
    trouble: 0,
    mailers: () => weather.mailers,
    isDoubleOptIn: false,
    slices: 20,
    runsOfSlice: 50,
    faults: { hangs: weather.isDown ? 1 : 0, isDown: () => weather.isDown },
    withMailProvider: ({ recipient }) => void mails.push(recipient),
  });
  const bell = createBell({ timeline, now: timeline.now, object: () => engine, failed });
  for (const user of USERS) engine.update({ userId: user, email: `${user}@example.com` });
  const { id } = engine.addCampaign("c", {}).body as { id: string };
  engine.act(id, "start");
  const until = async (minutes: number) => {
    timeline.in(START + minutes * MINUTE - timeline.now(), () => {});
    while (timeline.now() < START + minutes * MINUTE) {
      await timeline.step();
      bell.arm();
    }
  };
  const states = () =>
    engine.sql.exec<{ state: string; error: string | null }>("SELECT state, error FROM sends ORDER BY n").toArray();
  return { engine, mails, id, until, states, alarmIn: () => (engine.disk.alarm() ?? 0) - timeline.now() };
};

describe("a campaign that waits for a sender", () => {
  it("looks for one each hour, and goes on by itself", async () => {
    const weather = { mailers: 0, isDown: false };
    const { engine, mails, id, until, alarmIn } = sent(weather);
    await until(90);
    expect(engine.campaign(id)).toMatchObject({ state: "sending", counts: { queued: 2, inLedger: 0 } });
    expect(alarmIn()).toBeGreaterThan(0);
    expect(alarmIn()).toBeLessThanOrEqual(60 * MINUTE);

    weather.mailers = 1;
    await until(160);
    expect(engine.campaign(id)).toMatchObject({ status: "Sent", counts: { sent: 2, queued: 0, inLedger: 0 } });
    expect(mails.sort()).toEqual(["a@example.com", "b@example.com"]);
    engine.disk.close();
  });

  it("is done at once when its last recipient is deleted", async () => {
    const { engine, id, until } = sent({ mailers: 0, isDown: false });
    await until(10);
    for (const userId of USERS) engine.remove({ userId });
    await until(11);
    expect(engine.campaign(id)).toMatchObject({ status: "Sent", counts: { skipped: 2, queued: 0, inLedger: 0 } });
    engine.disk.close();
  });
});

it("a mail whose contact is deleted while it is in flight does not wait for a pause to end", async () => {
  const { engine, mails, id, until, states } = sent({ mailers: 1, isDown: true });
  await until(0.5);
  expect(states()).toEqual([]);
  for (const userId of USERS) engine.remove({ userId });
  expect(states().map(({ state }) => state)).toEqual(["sending", "sending"]);
  engine.act(id, "pause");
  await until(60);
  expect(states()).toEqual(USERS.map(() => ({ state: "not_sent", error: "contact_deleted" })));
  expect(engine.campaign(id)).toMatchObject({ status: "Sent", counts: { skipped: 2, inLedger: 0 } });
  expect(mails).toEqual([]);
  engine.disk.close();
});
