import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Behavior } from "../../../../mail-provider/relay.ts";
import { createTeam, isolated, type Team } from "../../bench.ts";
import { receive } from "../webhooks/receiver.ts";
import { act, addCampaign, addHalves, progressOf } from "./bench.ts";
import { withMailProvider } from "./with-mail-provider.ts";

isolated();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const RATE = "550 5.1.1 <%> - 192.0.2.7 has sent to too many recipients within this hour";
const UNKNOWN = "550 5.1.1 <%>: user unknown";
const HOSTED =
  "550 5.4.1 Recipient address rejected: Access denied. [AM0EUR~FT0.eop-EUR02.prod.example.com 2026-11-30T10:~:17.3~Z 08DD~A]";
const TIMED = "550 5.1.1 <%>: user unknown (30 Nov 2026 10:10:~)";
const NAMED = "550 5.1.1 <%>: user unknown, ref ^";

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

/** `~` in a reply is another number in each, `^` another word. */
const refuses = (reply: string, isRefused = (address: string) => address.endsWith("@gd.example")) => {
  let count = 0;
  const own = (address: string) => {
    count += 1;
    const word = String.fromCharCode(97 + (count % 26), 97 + (count % 7), 104 + (count % 11)).repeat(3);
    return reply
      .replace("%", address)
      .replaceAll("~", String(10 + count))
      .replace("^", word);
  };
  behavior.rcpt = (address) => (isRefused(address) ? own(address) : undefined);
};
const send = async (count = 160, rings = 3) => {
  await addHalves(team, count);
  await act(team, id);
  await ring(rings);
};
const ring = async (times: number, ms = 1_000) => {
  for (let n = 0; n < times; n += 1) await mailProvider.ring(ms);
};
const suppressed = () => team.rows("SELECT email_key, reason, cause FROM suppressions ORDER BY email_key");
const waves = async () => (await team.admin("GET", "/waves")).json.data;
const decide = (wave: string, decision: string) => team.admin("POST", `/waves/${wave}/decide`, { decision });
const resume = async () => expect((await team.admin("POST", `/campaigns/${id}/resume`)).status).toBe(200);
const status = async () => (await team.admin("GET", `/campaigns/${id}/status`)).json;
const mostTaken = () => Math.max(...Object.values(mailProvider.taken()));

describe("a destination that refuses mail after mail as to unknown mailboxes", () => {
  it.each([
    ["because of the rate", RATE, "550 5.1.1 <…> - 192.0.2.7 has sent to too many recipients within this hour"],
    ["in the words of an unknown mailbox", UNKNOWN, "550 5.1.1 <…>: user unknown"],
    ["with a server, a time and an id", HOSTED, "550 5.4.1 Recipient address rejected: Access denied. […]"],
    ["with a time", TIMED, "550 5.1.1 <…>: user unknown (… Nov …)"],
    ["in other words each", NAMED, "550 5.1.1 <…>: user unknown, ref "],
  ])(
    "%s: suppresses no address, holds the campaign, and after the resume each of the rest gets one mail",
    async (_, reply, words) => {
      refuses(reply);
      await send();
      expect(await suppressed()).toEqual([]);
      const { progress, waiting } = await status();
      expect(progress.state).toBe("held");
      expect(waiting[0].message).toContain(words);
      const { attention } = (await team.admin("GET", "/overview")).json;
      expect(attention).toContainEqual(expect.objectContaining({ kind: "campaign_held", ids: { campaign: id } }));
      delete behavior.rcpt;
      await resume();
      await ring(10, MINUTE);
      expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: 160, failed: 0, queued: 0, unknown: 0 });
      expect(Object.keys(mailProvider.taken())).toHaveLength(160);
      expect(mostTaken()).toBe(1);
      expect(await suppressed()).toEqual([]);
    },
  );

  it("shows the wave with its words, its campaign, and how many addresses it is about", async () => {
    refuses(UNKNOWN);
    await send();
    const [wave, ...others] = await waves();
    expect(others).toEqual([]);
    expect(wave).toMatchObject({
      destination: "gd.example",
      cause: "The mail provider answered RCPT with 550 5.1.1 <…>: user unknown",
      campaigns: [{ id, name: "News" }],
      decision: null,
      done: true,
    });
    expect(wave.mails).toBe((await team.rows("SELECT 1 FROM sends WHERE state = 'bounced'")).length);
    expect(wave.mails).toBeGreaterThanOrEqual(5);
    expect(await status()).toMatchObject({ progress: { reason: "bounce_wave" }, wave: { id: wave.id } });
    const [{ id: bounced } = {}] = await team.rows("SELECT id FROM sends WHERE state = 'bounced' LIMIT 1");
    const mail = (await team.admin("GET", `/sends/${bounced}`)).json;
    expect(mail.suppressed).toBeNull();
    expect(mail.meaning).toMatch(/^It bounced: /);
    expect(mail.meaning).toContain(wave.meaning);
  });

  it("sends to all of them again when a person says that they are good: each gets one mail", async () => {
    refuses(UNKNOWN);
    await send();
    const [{ id: wave, mails }] = await waves();
    delete behavior.rcpt;
    const { status: code, json } = await decide(wave, "resend");
    expect([code, json.decision, json.changed, json.done]).toEqual([200, "resend", mails, true]);
    await ring(10, MINUTE);
    const none = { queued: 0, failed: 0, skipped: 0, unknown: 0, cancelled: 0 };
    expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: 160, ...none });
    expect(Object.keys(mailProvider.taken())).toHaveLength(160);
    expect(mostTaken()).toBe(1);
    const [counts] = await team.rows(
      "SELECT sends, hard_bounces, refused, settled, accepted, deferred FROM message_counts",
    );
    expect(counts).toEqual({ sends: 160, hard_bounces: 0, refused: 0, settled: 160, accepted: 160, deferred: 0 });
    const [sent] = await team.rows("SELECT count(*) AS n FROM recipients WHERE state NOT IN ('sent', 'queued')");
    expect(sent).toEqual({ n: 0 });
  });

  it("suppresses them when a person says so, and then believes that answer of that destination", async () => {
    refuses(UNKNOWN);
    await send();
    const [{ id: wave, mails }] = await waves();
    const { json } = await decide(wave, "suppress");
    expect(json).toMatchObject({ decision: "suppress", changed: mails, leftOut: {} });
    expect(await suppressed()).toHaveLength(mails);
    await ring(10, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: 80, failed: 80 });
    expect(await suppressed()).toHaveLength(80);
    expect(await waves()).toHaveLength(1);
  });

  it("is held again by a new wave if it goes on to refuse, and no address is suppressed", async () => {
    refuses(UNKNOWN);
    await send();
    await resume();
    await ring(4, MINUTE);
    expect(await waves()).toHaveLength(2);
    expect(await status()).toMatchObject({ progress: { state: "held", reason: "bounce_wave" } });
    expect(await suppressed()).toEqual([]);
  });

  it("keeps the wave over a restart, and refuses a second decision", async () => {
    refuses(UNKNOWN);
    await send();
    await evictDurableObject(team.stub);
    await mailProvider.start();
    const [{ id: wave }] = await waves();
    expect(await decide(wave, "keep")).toMatchObject({ status: 200 });
    expect(await decide(wave, "suppress")).toMatchObject({ status: 200 });
    const again = await decide(wave, "resend");
    expect([again.status, again.json.code]).toEqual([409, "wave_closed"]);
    expect((await decide("wav_1", "keep")).status).toBe(404);
    expect((await decide(wave, "forget")).status).toBe(400);
  });

  it("has other marketing mail to it wait for the decision, and lets the other mail of that campaign leave", async () => {
    refuses(UNKNOWN);
    await send(40);
    expect(await status()).toMatchObject({ progress: { state: "held" } });
    const other = await addCampaign(team);
    await act(team, other);
    delete behavior.rcpt;
    await ring(3);
    const { progress, waiting } = (await team.admin("GET", `/campaigns/${other}/status`)).json;
    expect(progress).toMatchObject({ state: "sending", sent: 20, queued: 20 });
    expect(waiting).toContainEqual({ code: "mails_wait", message: expect.stringContaining("20 of its mails wait") });
    const [{ id: wave }] = await waves();
    await decide(wave, "keep");
    await ring(5);
    expect((await team.admin("GET", `/campaigns/${other}/status`)).json.progress).toMatchObject({
      state: "done",
      sent: 40,
    });
  });

  it("keeps mail that waited for a retry there, however long the decision takes", async () => {
    refuses("451 4.7.1 <%>: greylisted");
    await send(40);
    expect(await status()).toMatchObject({ progress: { sent: 20, queued: 20 } });
    refuses(UNKNOWN, (address) => /^g(?:1|3|5|7|9)@/.test(address));
    const other = await addCampaign(team);
    await team.run("UPDATE sends SET due = due + 3600000 WHERE state = 'queued'");
    await act(team, other);
    await ring(3);
    expect(await waves()).toHaveLength(1);
    delete behavior.rcpt;
    await ring(60, 60 * MINUTE);
    expect(await status()).toMatchObject({ progress: { state: "sending", sent: 20, queued: 20, failed: 0 } });
    const [{ id: wave }] = await waves();
    await decide(wave, "resend");
    await ring(6, MINUTE);
    expect(await status()).toMatchObject({ progress: { state: "done", sent: 40, failed: 0 } });
    expect((await team.admin("GET", `/campaigns/${other}/status`)).json.progress).toMatchObject({
      state: "done",
      sent: 40,
    });
  });

  it("ends 30 days later, with no address suppressed", async () => {
    refuses(UNKNOWN);
    await send(40);
    await ring(2, 31 * DAY);
    await ring(3);
    expect(await waves()).toEqual([]);
    expect(await team.rows("SELECT * FROM wave_mails")).toEqual([]);
    expect(await suppressed()).toEqual([]);
  });
});

describe("reports of a destination, one after the other", () => {
  const hard = { kind: "hard", code: "5.1.1", message: "550 5.1.1 The email account does not exist" } as const;
  const mailsTo = async (domain: string) =>
    (await team.rows(`SELECT n FROM sends WHERE recipient LIKE '%@${domain}' ORDER BY n`)).map(({ n }) => Number(n));
  const tell = async (numbers: readonly number[]) => {
    for (const n of numbers) await team.stub.feedback("mail", [{ n, feedback: [hard] }]);
  };

  it("suppress no address when they are many, and after the decision each of their mails is sent again", async () => {
    await send(40);
    const mails = await mailsTo("gd.example");
    await tell(mails);
    expect(await suppressed()).toEqual([]);
    const [{ id: wave, mails: count, campaigns }] = await waves();
    expect([count, campaigns]).toEqual([20, []]);
    const { attention } = (await team.admin("GET", "/overview")).json;
    expect(attention).toContainEqual(expect.objectContaining({ kind: "bounce_wave", ids: { wave } }));
    await decide(wave, "resend");
    await ring(3);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: 40, failed: 0 });
    const [counts] = await team.rows("SELECT sends, hard_bounces, refused, settled FROM message_counts");
    expect(counts).toEqual({ sends: 40, hard_bounces: 0, refused: 0, settled: 40 });
    expect(Object.values(mailProvider.taken()).toSorted()).toEqual([...Array(20).fill(1), ...Array(20).fill(2)]);
  });

  it("hold a campaign that is still sending", async () => {
    behavior.rcpt = (address) => (/^o(?:38|40)@/.test(address) ? "451 4.3.2 later" : undefined);
    await send(40);
    await tell(await mailsTo("gd.example"));
    await ring(1);
    expect(await status()).toMatchObject({ progress: { state: "held", reason: "bounce_wave" } });
  });

  it("suppress the addresses when they are at most a fifth of the mails there", async () => {
    await send();
    await tell((await mailsTo("gd.example")).slice(0, 16));
    expect(await suppressed()).toHaveLength(16);
    expect(await waves()).toEqual([]);
  });

  it("are counted anew after a restart, and the first ones are part of the wave too", async () => {
    await send(40);
    const mails = await mailsTo("gd.example");
    await tell(mails.slice(0, 4));
    expect(await suppressed()).toHaveLength(4);
    await evictDurableObject(team.stub);
    await mailProvider.start();
    await tell(mails.slice(4, 9));
    expect(await suppressed()).toEqual([]);
    expect(await waves()).toEqual([expect.objectContaining({ mails: 9 })]);
  });

  it("suppress an address again only after a new mail, not after a second report", async () => {
    await send(40);
    const mails = await mailsTo("gd.example");
    await tell(mails);
    const [{ id: wave }] = await waves();
    await decide(wave, "keep");
    await team.stub.feedback("ses", [{ n: mails[0] ?? 0, feedback: [{ ...hard, message: "said otherwise" }] }]);
    expect(await suppressed()).toEqual([]);
  });
});

describe("unknown mailboxes that come singly", () => {
  it("are suppressed at once, with the words of their bounce", async () => {
    refuses(UNKNOWN, (address) => ["g11@gd.example", "g51@gd.example", "g91@gd.example"].includes(address));
    await send();
    await ring(2);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: 157, failed: 3 });
    const cause = "The mail provider answered RCPT with 550 5.1.1 <…>: user unknown";
    expect(await suppressed()).toContainEqual({ email_key: "g11@gd.example", reason: "bounce", cause });
    expect(await suppressed()).toHaveLength(3);
    expect(await waves()).toEqual([]);
  });

  it("are suppressed also where they are one of ten of a destination", async () => {
    refuses(UNKNOWN, (address) => /^g\d?[357]1@/.test(address));
    await send();
    await ring(2);
    const { failed } = await progressOf(team, id);
    expect(failed).toBe(5);
    expect(await suppressed()).toHaveLength(failed);
  });
});
