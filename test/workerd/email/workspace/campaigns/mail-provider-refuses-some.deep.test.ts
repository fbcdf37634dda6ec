import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Behavior } from "../../../../mail-provider/relay.ts";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";
import { addWebhook, receive } from "../webhooks/receiver.ts";
import { act, addCampaign, progressOf, recipientsOf } from "./bench.ts";
import { addContacts } from "./ready-campaign.ts";
import { withMailProvider } from "./with-mail-provider.ts";

isolated();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let team: Team;
let id: string;
let behavior: Behavior;
let mailProvider: ReturnType<typeof withMailProvider>;

beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  receive();
  team = await createTeam();
  behavior = {};
  mailProvider = withMailProvider(team, behavior);
  await mailProvider.start();
  id = await addCampaign(team);
});

const sendCampaign = async (contacts: number) => {
  await addContacts(team, contacts);
  await act(team, id);
};
const rings = async (times: number, ms: number) => {
  for (let n = 0; n < times; n += 1) await mailProvider.ring(ms);
};
const status = async () => (await team.admin("GET", `/campaigns/${id}/status`)).json;
const resume = async () => expect((await team.admin("POST", `/campaigns/${id}/resume`)).status).toBe(200);
const numberOf = (address: string) => Number(/\d+/.exec(address)?.[0]);
const NONE_LOST = { skipped: 0, failed: 0, unknown: 0, cancelled: 0 };

describe("a mail provider that refuses some recipients by a policy", () => {
  const REFUSED = [3, 7, 20, 33, 60].map((n) => `p${n}@example.com`);

  it("is not asked for those it cannot take: these fail at once, however many they are", async () => {
    behavior.keywords = ["PIPELINING", "8BITMIME"];
    await addContacts(team, 100);
    const jörg = "'jörg' || n || '@example.com'";
    await team.run(`UPDATE contacts SET email = ${jörg}, email_key = ${jörg} WHERE n % 4 = 0 OR n > 70`);
    await act(team, id);
    await rings(2, 1_000);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: 53, queued: 0, ...NONE_LOST, failed: 47 });
    expect(await team.rows("SELECT refusals FROM campaigns")).toEqual([{ refusals: null }]);
    expect(await team.rows("SELECT DISTINCT error FROM sends WHERE state = 'failed'")).toEqual([
      { error: expect.stringContaining("SMTPUTF8") },
    ]);
  });

  it("holds the campaign where it can take no mail at all, such as one with a size over its own", async () => {
    behavior.keywords = ["PIPELINING", "8BITMIME", "SIZE 10"];
    await sendCampaign(60);
    await rings(4, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({
      state: "held",
      reason: "sender_refuses",
      queued: 60,
      ...NONE_LOST,
    });
  });

  it("takes the others: these fail after their second refusal, and the campaign is done", async () => {
    await addWebhook(team);
    behavior.rcpt = (address) => (REFUSED.includes(address) ? "550 5.7.1 rejected by policy" : undefined);
    await sendCampaign(60);
    await mailProvider.ring();
    expect(await progressOf(team, id)).toMatchObject({ state: "sending", sent: 55, queued: 5, failed: 0 });
    const { waiting } = await status();
    expect(waiting).toEqual([{ code: "mails_wait", message: expect.stringContaining("rejected by policy") }]);
    await rings(4, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: 55, queued: 0, ...NONE_LOST, failed: 5 });
    expect(REFUSED.map(mailProvider.asked)).toEqual(REFUSED.map(() => 2));
    expect((await recipientsOf(team)).filter(({ state }) => state !== "sent")).toEqual(
      REFUSED.map((email) => ({
        email,
        state: "failed",
        reason: expect.stringContaining("550 5.7.1 rejected by policy"),
      })),
    );
    const events = await team.rows("SELECT type, count(*) AS events FROM webhook_events GROUP BY type ORDER BY type");
    expect(events).toEqual([
      { type: "campaign.email.sent", events: 55 },
      { type: "email.softBounced", events: 5 },
    ]);
    const [{ send }] = (await team.rows(`SELECT id AS send FROM sends WHERE recipient = '${REFUSED[0]}'`)) as [
      { send: string },
    ];
    expect((await team.admin("GET", `/sends/${send}`)).json.story.map(({ what }: { what: string }) => what)).toEqual([
      "accepted",
      "refused",
      "refused",
      "failed",
    ]);
    advance(HOUR);
    await mailProvider.ring();
    expect(REFUSED.map(mailProvider.asked)).toEqual(REFUSED.map(() => 2));
  });

  it.each([
    ["the last 4 of 400", 400, (n: number) => n > 396, 4],
    ["the last 12 of 400", 400, (n: number) => n > 388, 12],
    ["every fifth of 60", 60, (n: number) => n % 5 === 0, 12],
    ["20 spread over 2 000", 2_000, (n: number) => n % 100 === 50, 20],
  ])("ends, where it refuses %s, with these failed after two refusals each", async (_, contacts, isRefused, failed) => {
    behavior.rcpt = (address) => (isRefused(numberOf(address)) ? "550 5.7.1 rejected by policy" : undefined);
    await sendCampaign(contacts);
    await rings(12, MINUTE);
    const sent = contacts - failed;
    expect(await progressOf(team, id)).toMatchObject({ state: "done", sent, queued: 0, ...NONE_LOST, failed });
    for (let n = 1; n <= contacts; n += 1) expect(mailProvider.asked(`p${n}@example.com`)).toBe(isRefused(n) ? 2 : 1);
  });

  it("holds the campaign where 20 or more of them are left: a person decides, and a resume has an end", async () => {
    behavior.rcpt = (address) => (numberOf(address) % 4 === 0 ? "550 5.7.1 rejected by policy" : undefined);
    await sendCampaign(160);
    await rings(12, MINUTE);
    const held = await progressOf(team, id);
    expect(held).toMatchObject({ state: "held", reason: "sender_refuses", sent: 120, skipped: 0, unknown: 0 });
    expect([held.failed <= 5, held.failed + held.queued]).toEqual([true, 40]);
    await resume();
    await rings(12, MINUTE);
    const { reason, failed, queued } = held;
    expect(await progressOf(team, id)).toMatchObject({ state: "held", reason, sent: 120, failed, queued });
    const waits = String((await recipientsOf(team)).findLast(({ state }) => state === "queued")?.email);
    const asked = mailProvider.asked(waits);
    await rings(3, HOUR);
    expect(mailProvider.asked(waits)).toBe(asked);
    behavior.rcpt = (address) => (address === waits ? "550 5.7.1 rejected by policy" : undefined);
    await resume();
    await rings(8, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({
      state: "done",
      sent: 159 - failed,
      queued: 0,
      ...NONE_LOST,
      failed: failed + 1,
    });
  });
});

describe("a mail provider that begins to refuse everybody", () => {
  it("fails five at most of the last mails, although each of them was refused once before by chance", async () => {
    const asked = new Map<string, number>();
    behavior.rcpt = (address) => {
      const times = (asked.get(address) ?? 0) + 1;
      asked.set(address, times);
      return times > 1 || numberOf(address) % 4 === 0 ? "554 5.7.1 blocked" : undefined;
    };
    await sendCampaign(400);
    await rings(12, MINUTE);
    const { failed, queued, ...others } = await progressOf(team, id);
    expect(others).toMatchObject({ state: "held", reason: "sender_refuses", sent: 300 });
    expect(failed + queued).toBe(100);
    expect(failed).toBeLessThanOrEqual(5);
  });

  it("fails five at most where it begins in the middle", async () => {
    let seen = 0;
    behavior.rcpt = () => (seen++ < 200 ? undefined : "554 5.7.1 blocked");
    await sendCampaign(400);
    await rings(12, MINUTE);
    const { failed, queued, ...others } = await progressOf(team, id);
    expect(others).toMatchObject({ state: "held", reason: "sender_refuses", sent: 200 });
    expect([failed <= 5, failed + queued]).toEqual([true, 200]);
  });
});

describe("a mail provider that takes only some mails", () => {
  it.each([
    ["every tenth", 10],
    ["every second", 2],
  ])(
    "has the campaign held when it takes %s: 20 of 50 are too many, and a resume fails five at most",
    async (_, every) => {
      let seen = 0;
      behavior.rcpt = () => {
        seen += 1;
        return seen % every === 0 ? undefined : "554 5.7.1 blocked";
      };
      await sendCampaign(500);
      await rings(12, MINUTE);
      const { progress, waiting } = await status();
      expect(progress).toMatchObject({ state: "held", reason: "sender_refuses", ...NONE_LOST });
      expect(waiting[0].message).toMatch(
        /^The mail provider has refused 20 of the last [2-9]\d mails\. .*554 5\.7\.1 blocked/,
      );
      for (let times = 0, before = 0; times < 3; times += 1) {
        await resume();
        await rings(4, MINUTE);
        const { state, failed } = await progressOf(team, id);
        expect([state, failed <= before + 5]).toEqual(["held", true]);
        before = failed;
      }
      delete behavior.rcpt;
      await resume();
      await rings(8, MINUTE);
      expect(await progressOf(team, id)).toMatchObject({ state: "done", queued: 0 });
    },
  );
});

it("a campaign gets past a long row of refused recipients, because mails that were never tried go first after a resume", async () => {
  behavior.rcpt = (address) => (numberOf(address) <= 250 ? "550 5.7.1 rejected by policy" : undefined);
  await sendCampaign(500);
  let resumes = 0;
  for (; resumes < 15; resumes += 1) {
    await rings(4, MINUTE);
    if ((await progressOf(team, id)).sent === 250) break;
    await resume();
  }
  expect(resumes).toBeGreaterThan(0);
  await rings(12, MINUTE);
  const { failed, queued, ...others } = await progressOf(team, id);
  expect(others).toMatchObject({ state: "held", reason: "sender_refuses", sent: 250 });
  expect([failed < 50, failed + queued]).toEqual([true, 250]);
  expect((await team.admin("POST", `/campaigns/${id}/cancel`)).status).toBe(200);
  await rings(2, MINUTE);
  expect(await progressOf(team, id)).toMatchObject({ state: "cancelled", sent: 250, failed, cancelled: queued });
});

describe("mails that a person sends again after the campaign was done", () => {
  const unknown = async (contacts: number) => {
    behavior.at = { end: "drop" };
    await sendCampaign(contacts);
    await rings(3, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", unknown: contacts });
    behavior.at = { RCPT: "554 5.7.1 blocked" };
  };
  const retry = async () => (await team.admin("POST", `/campaigns/${id}/retry-unknown`)).json.retry.unknown;

  it("fail with their second refusal, and the campaign is done again", async () => {
    await unknown(3);
    const [{ send }] = (await team.rows("SELECT id AS send FROM sends")) as [{ send: string }];
    expect((await team.admin("POST", `/sends/${send}/retry`)).status).toBe(200);
    await rings(2, 1_000);
    expect(await progressOf(team, id)).toMatchObject({ state: "sending", queued: 1, unknown: 2 });
    await rings(4, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", ...NONE_LOST, failed: 1, unknown: 2 });
    const { json } = await team.admin("GET", `/sends/${send}`);
    expect(json.story.map(({ what }: { what: string }) => what)).toEqual([
      "accepted",
      "unknown",
      "retried",
      "refused",
      "refused",
      "failed",
    ]);
    expect(json.story.at(-1).text).toContain("An earlier attempt may have reached the recipient.");
    expect(await retry()).toBe(2);
    await rings(6, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", ...NONE_LOST, failed: 3 });
  });

  it("say so too where the address does not exist", async () => {
    await unknown(1);
    behavior.at = { RCPT: "550 5.1.1 no such user" };
    expect(await retry()).toBe(1);
    await rings(3, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", ...NONE_LOST, failed: 1 });
    const [{ send }] = (await team.rows("SELECT id AS send FROM sends")) as [{ send: string }];
    const { json } = await team.admin("GET", `/sends/${send}`);
    expect(json.state).toBe("bounced");
    expect(json.story.at(-1).text).toContain("An earlier attempt may have reached the recipient.");
  });

  it("hold it where they are many, before they all fail", async () => {
    await unknown(60);
    expect(await retry()).toBe(60);
    await rings(4, MINUTE);
    const held = { state: "held", reason: "sender_refuses", queued: 60, ...NONE_LOST };
    expect(await progressOf(team, id)).toMatchObject(held);
    await resume();
    await rings(6, MINUTE);
    expect(await progressOf(team, id)).toMatchObject(held);
    behavior.at = {};
    await resume();
    await rings(6, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: 60, ...NONE_LOST });
  });
});
