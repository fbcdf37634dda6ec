import { beforeEach, describe, expect, it } from "vitest";
import { pauseCampaign, resumeCampaign, retryUnknown } from "../../../../../src/email/workspace/campaigns/control.ts";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";
import { act, addCampaign, addContacts, claim, HANDOVERS, progressOf, pumpSlices, report } from "./bench.ts";

isolated();

let team: Team;
let id: string;
/** Unix ms. */
let since: number;

beforeEach(async () => {
  team = await createTeam();
  await addContacts(
    team,
    Array.from({ length: 8 }, (_, n) => `p${n}@example.com`),
  );
  id = await addCampaign(team);
  await act(team, id);
  await pump();
  since = Date.now();
});

const pump = () => team.inside((_, storage) => pumpSlices(storage));

const settle = (count: number, handover: keyof typeof HANDOVERS, after = 10_000) => {
  advance(after);
  return team.inside((sql) => report(sql, claim(sql, count), HANDOVERS[handover]));
};

const progress = () => progressOf(team, id) as Promise<{ perSecond: number; eta: string; queued: number }>;

const expectRate = async (results: number, queued: number): Promise<void> => {
  const { perSecond, eta, ...shown } = await progress();
  const seconds = (Date.now() - since) / 1_000;
  expect(perSecond).toBeCloseTo(results / seconds, 6);
  expect(shown.queued).toBe(queued);
  expect(Date.parse(eta) - Date.now()).toBeCloseTo((queued / results) * seconds * 1_000, -1);
};

const expectNoRate = async (): Promise<void> => expect(await progress()).toMatchObject({ perSecond: null, eta: null });

describe("the rate and the time left of a campaign", () => {
  it("count the results since its mails began to leave", async () => {
    await expectNoRate();
    await settle(2, "accepted");
    await expectRate(2, 6);
    await settle(1, "mailboxFull");
    await settle(1, "unknown");
    await expectRate(4, 4);
  });

  it("count anew when it is resumed, so that the pause is not in them", async () => {
    await settle(4, "accepted");
    await act(team, id, pauseCampaign);
    await expectNoRate();
    advance(86_400_000);
    await act(team, id, resumeCampaign);
    since = Date.now();
    await expectNoRate();
    await pump();
    await settle(1, "accepted", 5_000);
    await expectRate(1, 3);
  });
});

describe("the time left of a campaign with a send limit", () => {
  it("is not before the limit lets the last mail leave, also while it waits for room", async () => {
    await team.run("UPDATE team SET send_per_hour = 5");
    await settle(3, "accepted");
    const at = Date.now();
    await team.run("INSERT INTO claimed_mails (at, count) VALUES (?, 3)", at);
    expect(Date.parse((await progress()).eta)).toBe(at + 3_600_000);
    await settle(2, "accepted");
    await team.run("INSERT INTO claimed_mails (at, count) VALUES (?, 2)", Date.now());
    advance(3_000_000);
    expect(await progress()).toMatchObject({ queued: 3, eta: new Date(at + 3_600_000).toISOString() });
  });
});

describe("the rate of a campaign whose unknown mails are sent again", () => {
  it("counts anew when the campaign was done", async () => {
    await settle(6, "accepted");
    await settle(2, "unknown");
    await pump();
    expect(await progress()).toMatchObject({ state: "done", perSecond: null, eta: null });
    advance(3_600_000);
    await act(team, id, retryUnknown);
    await expectNoRate();
    await pump();
    since = Date.now();
    await expectNoRate();
    await settle(1, "accepted", 4_000);
    await expectRate(1, 1);
  });

  it("stays what it is until they have results again, however often it is asked for", async () => {
    await settle(4, "unknown");
    await expectRate(4, 4);
    await act(team, id, retryUnknown);
    await expectRate(4, 4);
    await act(team, id, retryUnknown);
    await expectRate(4, 4);
    await pump();
    await expectRate(4, 8);
    await settle(3, "accepted");
    await expectRate(7, 5);
  });

  it("does not count those that are left out in the end", async () => {
    await settle(4, "unknown");
    await act(team, id, retryUnknown);
    for (const n of [0, 1]) await team.put("/contacts/update", { email: `p${n}@example.com`, subscribed: false });
    await pump();
    await expectRate(4, 6);
  });

  it("counts anew when the campaign is resumed before all of them wait", async () => {
    await settle(4, "unknown");
    await act(team, id, pauseCampaign);
    await act(team, id, retryUnknown);
    await act(team, id, resumeCampaign);
    since = Date.now();
    await pump();
    await expectNoRate();
    await settle(1, "accepted");
    await expectRate(1, 7);
  });

  it("is not changed by one of them that a person has sent again", async () => {
    await settle(4, "unknown");
    const [send] = await team.rows("SELECT id FROM sends WHERE state = 'unknown' ORDER BY n");
    expect((await team.admin("POST", `/sends/${send?.id}/retry`)).status).toBe(200);
    await expectRate(4, 5);
  });
});
