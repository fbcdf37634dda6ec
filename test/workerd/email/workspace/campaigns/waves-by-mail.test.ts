import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../../src/email/env.ts";
import { bounceAddress, tokenOf } from "../../../../../src/email/mail/bounces/return-path-token.ts";
import { receiveMail } from "../../../../../src/email/mail-in.ts";
import type { Behavior } from "../../../../mail-provider/relay.ts";
import { bindings, createTeam, isolated, type Team } from "../../bench.ts";
import { receive } from "../webhooks/receiver.ts";
import { act, addCampaign, addHalves, progressOf } from "./bench.ts";
import { withMailProvider } from "./with-mail-provider.ts";

// A destination takes each mail at RCPT, and its server returns half of the campaign to the return paths later.

isolated();

const env = bindings as unknown as Env;
const MINUTE = 60_000;
const DESTINATION = "gd.example";
const RATE = "550 5.1.1 <%> - 192.0.2.7 has sent to too many recipients within this hour";
const UNKNOWN = "550 5.1.1 <%>: Recipient address rejected: User unknown in virtual mailbox table";

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

const dsn = (returnPath: string, recipient: string, reply: string): string =>
  [
    "Return-Path: <>",
    "From: MAILER-DAEMON@relay.test (Mail Delivery System)",
    `To: ${returnPath}`,
    "Subject: Undelivered Mail Returned to Sender",
    "Auto-Submitted: auto-replied",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="r"',
    "",
    "--r",
    "",
    "This is the mail system at host relay.test.",
    "",
    `<${recipient}>: host mx.${DESTINATION}[192.0.2.9] said: ${reply} (in reply to RCPT TO command)`,
    "",
    "--r",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; relay.test",
    "",
    `Final-Recipient: rfc822; ${recipient}`,
    "Action: failed",
    "Status: 5.1.1",
    `Remote-MTA: dns; mx.${DESTINATION}`,
    `Diagnostic-Code: smtp; ${reply}`,
    "",
    "--r--",
    "",
  ].join("\r\n");

/** Returns the mails of the destination that were taken, one notice each. */
const returnAll = async (reply: string, mails = 80): Promise<number> => {
  const taken = await team.rows(
    `SELECT n, recipient FROM sends WHERE recipient LIKE '%@${DESTINATION}' AND state = 'sent' ORDER BY n LIMIT ${mails}`,
  );
  const rejected: string[] = [];
  for (const { n, recipient } of taken) {
    const token = await tokenOf({ team: "acme", n: Number(n) }, bindings.API_KEY_SECRET);
    const to = bounceAddress(token, "envelope.example.com");
    const raw = new Response(dsn(to, String(recipient), reply.replace("%", String(recipient)))).body;
    if (raw) await receiveMail({ to, raw, setReject: (reason) => void rejected.push(reason) }, env);
  }
  expect(rejected).toEqual([]);
  return taken.length;
};
const ring = async (times: number, ms = 1_000) => {
  for (let n = 0; n < times; n += 1) await mailProvider.ring(ms);
};
const suppressed = () => team.rows("SELECT email_key FROM suppressions");
const status = async () => (await team.admin("GET", `/campaigns/${id}/status`)).json;
const resume = async () => expect((await team.admin("POST", `/campaigns/${id}/resume`)).status).toBe(200);
const taken = () => Object.values(mailProvider.taken());

/** Some mails to other destinations wait, so the campaign is still sending when the notices arrive. */
const sendMost = async () => {
  await addHalves(team, 160);
  behavior.rcpt = (address) => (/^o\d*[048]@/.test(address) ? "451 4.3.2 later" : undefined);
  await act(team, id);
  await ring(3);
  expect(await progressOf(team, id)).toMatchObject({ state: "sending" });
  delete behavior.rcpt;
};

describe("80 notices of one destination about mail that it had taken", () => {
  it.each([
    [
      "in the words of a rate",
      RATE,
      "sender_refuses",
      /refuses mail after mail.*within this hour".*GoDaddy refused it by its rule IB607/,
    ],
    ["in those of an unknown mailbox", UNKNOWN, "bounce_wave", /gd\.example said of 80 addresses in the same words/],
  ])("%s: suppress no address, hold the campaign, and the rest is sent once", async (_, reply, reason, words) => {
    await sendMost();
    expect(await returnAll(reply)).toBe(80);
    expect(await suppressed()).toEqual([]);
    await ring(1);
    const { progress, waiting } = await status();
    expect(progress).toMatchObject({ state: "held", reason });
    expect(waiting[0].message).toMatch(words);
    const { attention } = (await team.admin("GET", "/overview")).json;
    expect(attention).toContainEqual(expect.objectContaining({ kind: "campaign_held", ids: { campaign: id } }));

    await resume();
    await ring(10, MINUTE);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", queued: 0, unknown: 0 });
    expect(await suppressed()).toEqual([]);
    const again = reason === "bounce_wave" ? 80 : 0;
    expect(taken().toSorted()).toEqual([...Array(160 - again).fill(1), ...Array(again).fill(2)]);
  });

  it("suppress no address of a campaign that is done", async () => {
    await addHalves(team, 160);
    await act(team, id);
    await ring(3);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: 160 });
    expect(await returnAll(RATE)).toBe(80);
    await ring(1);
    expect([await suppressed(), (await status()).progress.state]).toEqual([[], "done"]);
    expect(await team.rows("SELECT count(*) AS n FROM sends WHERE state = 'failed'")).toEqual([{ n: 80 }]);
  });

  it("hold the campaign again only if later mails come back too", async () => {
    await sendMost();
    await returnAll(RATE, 20);
    await ring(1);
    expect(await status()).toMatchObject({ progress: { state: "held" } });
    await resume();
    await returnAll(RATE);
    await ring(1);
    expect(await status()).toMatchObject({ progress: { state: "sending" } });
  });
});
