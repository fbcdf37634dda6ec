import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Behavior } from "../../../../mail-provider/relay.ts";
import { createTeam, isolated, type Team } from "../../bench.ts";
import { accept, addMarketingMessage } from "../../marketing.ts";
import { receive } from "../webhooks/receiver.ts";
import { act, addCampaign, claim, HANDOVERS, progressOf, report } from "./bench.ts";
import { addContacts } from "./ready-campaign.ts";
import { withMailProvider } from "./with-mail-provider.ts";

isolated();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BLOCKED = "554 5.7.1 <p1@example.com>: blocked, see https://relay.test/blocked";

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
const states = () => team.rows("SELECT state, count(*) AS mails FROM sends GROUP BY state ORDER BY state");
const each = (contacts: number) =>
  Object.fromEntries(Array.from({ length: contacts }, (_, i) => [`p${i + 1}@example.com`, 1]));
const NONE_LOST = { skipped: 0, failed: 0, unknown: 0, cancelled: 0 };

describe("a mail provider that refuses everybody", () => {
  it("has the campaign held: no mail fails, and its words are shown without an address", async () => {
    behavior.at = { RCPT: BLOCKED };
    await sendCampaign(60);
    await rings(2, 1_000);
    const { progress, waiting } = await status();
    expect(progress).toMatchObject({ state: "held", reason: "sender_refuses", queued: 60, sent: 0, ...NONE_LOST });
    expect(waiting).toEqual([
      { code: "sender_refuses", message: expect.stringContaining("554 5.7.1 <…>: blocked, see") },
    ]);
    expect(waiting[0].message).not.toContain("@");
    expect(await states()).toEqual([{ state: "queued", mails: 60 }]);
    const attention = (await team.admin("GET", "/overview")).json.attention;
    expect(attention).toContainEqual(
      expect.objectContaining({ kind: "campaign_held", text: expect.stringContaining("blocked") }),
    );
  });

  it("has the campaign held with the rule of the mailbox provider and its cure", async () => {
    behavior.at = {
      end: "550 5.7.26 Your email has been blocked because the sender is unauthenticated. Gmail requires it.",
    };
    await sendCampaign(60);
    await rings(2, 1_000);
    const { waiting } = await status();
    expect(waiting[0].message).toMatch(
      /Gmail refused it by its rule 5\.7\.26: neither SPF nor DKIM passed.*\. Publish the records/,
    );
  });

  it("loses nothing in days, and after the resume each recipient gets one mail", async () => {
    behavior.at = { end: "550 5.7.1 content rejected" };
    await sendCampaign(60);
    await rings(2, 1_000);
    await rings(3, 3 * MINUTE);
    await evictDurableObject(team.stub);
    await mailProvider.start();
    await rings(4, DAY);
    expect(await progressOf(team, id)).toMatchObject({ state: "held", queued: 60, ...NONE_LOST });
    const asked = mailProvider.asked("p1@example.com");
    delete behavior.at;
    await resume();
    await rings(6, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: 60, ...NONE_LOST });
    expect(mailProvider.taken()).toEqual(each(60));
    expect(mailProvider.asked("p1@example.com")).toBe(asked + 1);
  });

  it("has it held again when it is resumed too early, as often as that happens", async () => {
    behavior.at = { MAIL: "550 5.7.1 sender blocked" };
    await sendCampaign(60);
    for (let times = 0; times < 4; times += 1) {
      if (times > 0) await resume();
      await rings(4, MINUTE);
      expect(await progressOf(team, id)).toMatchObject({ state: "held", queued: 60, ...NONE_LOST });
    }
    delete behavior.at;
    await resume();
    await rings(6, MINUTE);
    expect(mailProvider.taken()).toEqual(each(60));
  });

  it("in the middle of a campaign fails none of the rest, also after a restart and a resume that is too early", async () => {
    let taken = 0;
    behavior.rcpt = () => (taken++ < 40 ? undefined : "554 5.7.1 blocked");
    await sendCampaign(100);
    await rings(4, MINUTE);
    const held = await progressOf(team, id);
    expect(held).toMatchObject({ state: "held", reason: "sender_refuses", sent: 40, queued: 60, ...NONE_LOST });
    await evictDurableObject(team.stub);
    await mailProvider.start();
    await resume();
    await rings(4, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "held", sent: 40, queued: 60, ...NONE_LOST });
    taken = Number.NEGATIVE_INFINITY;
    await resume();
    await rings(6, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: 100, ...NONE_LOST });
    expect(mailProvider.taken()).toEqual(each(100));
  });

  it("since a pause fails none of the rest: what it took before the pause says nothing of it after the resume", async () => {
    let taken = 0;
    behavior.rcpt = () => (taken++ < 10 ? undefined : "451 4.3.2 later");
    await sendCampaign(15);
    await mailProvider.ring();
    expect((await team.admin("POST", `/campaigns/${id}/pause`)).status).toBe(200);
    expect(await progressOf(team, id)).toMatchObject({ state: "paused", sent: 10, queued: 5 });
    behavior.rcpt = () => "554 5.7.1 blocked";
    await resume();
    await rings(8, 2 * MINUTE);
    const held = await progressOf(team, id);
    expect(held).toMatchObject({ state: "held", reason: "sender_refuses", sent: 10, queued: 5, ...NONE_LOST });
    delete behavior.rcpt;
    await resume();
    await rings(6, MINUTE);
    expect(mailProvider.taken()).toEqual(each(15));
  });

  it("holds a campaign of one recipient after its second refusal", async () => {
    behavior.at = { RCPT: "550 5.7.1 blocked" };
    await sendCampaign(1);
    await mailProvider.ring();
    expect(await progressOf(team, id)).toMatchObject({ state: "sending", queued: 1 });
    await rings(4, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "held", reason: "sender_refuses", queued: 1, failed: 0 });
    expect(mailProvider.asked("p1@example.com")).toBe(2);
    delete behavior.at;
    await resume();
    await rings(3, MINUTE);
    expect(mailProvider.taken()).toEqual(each(1));
  });

  it("holds a small campaign when it refuses each of its mails twice, also after a resume", async () => {
    behavior.at = { RCPT: "550 5.7.1 blocked" };
    await sendCampaign(15);
    for (let times = 0; times < 2; times += 1) {
      if (times > 0) await resume();
      await rings(6, MINUTE);
      expect(await progressOf(team, id)).toMatchObject({
        state: "held",
        reason: "sender_refuses",
        queued: 15,
        ...NONE_LOST,
      });
    }
    delete behavior.at;
    await resume();
    await rings(6, MINUTE);
    expect(mailProvider.taken()).toEqual(each(15));
  });

  it("leaves the campaign to be cancelled: those whose mail waits get none", async () => {
    behavior.at = { RCPT: "550 5.7.1 blocked" };
    await sendCampaign(60);
    await rings(2, 1_000);
    expect((await team.admin("POST", `/campaigns/${id}/cancel`)).status).toBe(200);
    await rings(4, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "cancelled", cancelled: 60, failed: 0, queued: 0 });
    expect(await states()).toEqual([{ state: "not_sent", mails: 60 }]);
  });

  it("does not use up the hours of a mail that waits while the campaign is paused", async () => {
    behavior.at = { RCPT: "550 5.7.1 blocked" };
    await sendCampaign(10);
    await mailProvider.ring();
    expect((await team.admin("POST", `/campaigns/${id}/pause`)).status).toBe(200);
    await rings(3, 2 * DAY);
    delete behavior.at;
    await resume();
    await rings(4, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: 10, ...NONE_LOST });
  });
});

it("a refused mail of a workflow fails at once: no campaign waits for it", async () => {
  await addContacts(team, 1);
  const workflow = (await team.post("/workflows", { name: "Welcome" })).json.id;
  await team.run("UPDATE workflows SET status = 'Sending'");
  const revision = await addMarketingMessage(team, "<Paragraph>Hello</Paragraph>");
  await accept(team, revision, "p1@example.com", { origin: workflow, run: 1 });
  await team.inside((sql) => report(sql, claim(sql), HANDOVERS.refused));
  expect(await states()).toEqual([{ state: "failed", mails: 1 }]);
});
