import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Handover } from "../../../../../src/email/types/mail-handover.ts";
import { cancelCampaign } from "../../../../../src/email/workspace/campaigns/control.ts";
import { reasonsOf } from "../../../../../src/email/workspace/campaigns/reasons.ts";
import { showStatus } from "../../../../../src/email/workspace/operator/campaigns/status.ts";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";
import { linksApp, linksOf, pictureIn, SITE, visit } from "../../marketing.ts";
import { contextOf, counted } from "../counted.ts";
import { act, claim, drive, pumpOnce, report } from "./bench.ts";
import { clicksIn, type Made, mailTo, makeCampaign, sendCampaign } from "./recipients.ts";

isolated();

const at = (name: string) => `${name}@example.com`;

let team: Team;
let campaign: Made;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam();
  for (const name of ["ada", "bob", "cy", "dan", "eve"])
    await team.post("/contacts/create", { email: at(name), userId: `u-${name}`, firstName: name });
  await team.put("/contacts/update", { email: at("dan"), subscribed: false });
  await team.admin("POST", "/suppressions", { email: at("eve") });
  campaign = await makeCampaign(team);
});

const of = (rest: string) => team.admin("GET", `/campaigns/${campaign.id}${rest}`);
const results = async () => (await of("/results")).json;
const links = async () =>
  (await of("/links")).json.data.map(({ places: _, ...link }: { places: object[]; url: string | null }) => link);
const metrics = async () => (await team.get(`/campaigns/${campaign.id}/metrics`)).json;
const SALE = "https://shop.example.com/sale";
const TWO = "https://shop.example.com/two";
const ROBOT = "Mozilla/5.0 (compatible; Barracuda Sentinel)";

/** Posts to a recipient's page: `/u/` unsubscribes, `/p/` has the preferences. */
const post = async (name: string, kind: "/u/" | "/p/", body: string) => {
  const url = linksOf((await mailTo(at(name))).html).find((one) => one.startsWith(`${SITE}${kind}`)) ?? "";
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  expect((await linksApp.request(url.replace(SITE, ""), { method: "POST", headers, body })).status).toBe(200);
};
const unsubscribe = (name: string) => post(name, "/u/", "List-Unsubscribe=One-Click");
const feedback = async (name: string, kind: "hard" | "soft" | "complaint" | "delivered", message: string) => {
  const [row] = await team.rows(`SELECT n FROM sends WHERE recipient = '${at(name)}'`);
  await team.stub.feedback("mail", [{ n: row?.n as number, feedback: [{ kind, message }] }]);
};

describe("results", () => {
  it("of a draft are nothing", async () => {
    const zeros = { recipients: 0, queued: 0, sent: 0, skipped: 0, failed: 0, unknown: 0, cancelled: 0, delivered: 0 };
    expect(await results()).toMatchObject({ id: campaign.id, name: "Spring sale", status: "Draft", ...zeros });
    expect(await results()).toMatchObject({ bounced: 0, opened: 0, clicked: 0, reasons: [], deleted: 0 });
  });

  it("count people and not robots, and equal the metrics of the v1 API", async () => {
    await sendCampaign(team, campaign);
    const [ada, bob, cy] = [await mailTo(at("ada")), await mailTo(at("bob")), await mailTo(at("cy"))];
    await visit(pictureIn(ada.html));
    await visit(clicksIn(bob)[0] ?? "");
    await visit(pictureIn(cy.html), "Mozilla/5.0");
    await visit(clicksIn(cy)[0] ?? "", ROBOT);
    await unsubscribe("ada");
    await feedback("cy", "hard", "550 5.1.1 <cy@example.com> unknown user");
    const shown = await results();
    expect(shown).toMatchObject({ recipients: 5, delivered: 2, bounced: 1, hardBounces: 1, softBounces: 0 });
    expect(shown).toMatchObject({ opened: 2, clicked: 1, unsubscribed: 1, complained: 0, prefetched: 1, scanned: 1 });
    expect(await metrics()).toEqual({
      sends: shown.delivered + shown.bounced,
      opens: shown.opened,
      clicks: shown.clicked,
      unsubscribes: shown.unsubscribed,
      spamReports: shown.complained,
      hardBounces: shown.hardBounces,
      softBounces: shown.softBounces,
    });
    await feedback("bob", "complaint", "spam");
    expect((await results()).complained).toBe(1);
  });
});

describe("the counts of results", () => {
  const sums = async () => {
    const { recipients, queued, sent, skipped, failed, unknown, cancelled, ...rest } = await results();
    expect(queued + sent + skipped + failed + unknown + cancelled).toBe(recipients);
    return { recipients, queued, sent, skipped, failed, unknown, cancelled, rest };
  };

  it("close at every moment, also where a mail provider refuses at once, and where the outcome is unknown", async () => {
    await act(team, campaign.id);
    await team.inside((sql) => pumpOnce(sql));
    expect(await sums()).toMatchObject({ recipients: 5, queued: 3, skipped: 2, sent: 0 });
    const [first, second, third] = await team.inside((sql) => claim(sql));
    expect(await sums()).toMatchObject({ queued: 3 });
    const answers: [typeof first, Handover][] = [
      [first, { outcome: "refused", about: "recipient", message: "5.1.1 no such user" }],
      [second, { outcome: "unknown", message: "the connection broke" }],
      [third, { outcome: "accepted" }],
    ];
    for (const [mail, answer] of answers) await team.inside((sql) => mail && report(sql, [mail], answer));
    const { rest, ...counts } = await sums();
    expect(counts).toEqual({ recipients: 5, queued: 0, sent: 1, skipped: 2, failed: 1, unknown: 1, cancelled: 0 });
    expect(rest).toMatchObject({ delivered: 1, bounced: 1, hardBounces: 1 });
    expect(await metrics()).toMatchObject({ sends: 2, hardBounces: 1 });
    const { data } = (await of("/recipients?state=bounced")).json;
    expect(data).toMatchObject([{ meaning: "It bounced: the mailbox does not exist (5.1.1 no such user)." }]);
    expect((await of("/recipients?state=unknown")).json.data).toHaveLength(1);
    await team.post("/contacts/delete", { email: at("dan") });
    await sums();
  });

  it("close after a cancel, whose recipients say so", async () => {
    await act(team, campaign.id);
    await team.inside((sql) => pumpOnce(sql));
    await act(team, campaign.id, cancelCampaign);
    await drive(team);
    expect(await sums()).toMatchObject({ recipients: 5, queued: 0, skipped: 2, cancelled: 3 });
    const { data } = (await of("/recipients?state=cancelled")).json;
    expect(data.map(({ meaning }: { meaning: string }) => meaning)).toEqual(
      Array(3).fill("It was not sent, because the campaign was cancelled before."),
    );
  });
});

describe("reasons", () => {
  it("say in words why a recipient got no mail, counted once in ten seconds", async () => {
    await sendCampaign(team, campaign);
    await feedback("ada", "hard", "550 5.1.1 <ada@example.com> unknown user");
    await feedback("bob", "hard", "550 5.1.1 <bob@example.com> no such mailbox here");
    const reasons = [
      {
        state: "bounced",
        reason: "5.1.1",
        recipients: 2,
        meaning: "It bounced: the mailbox does not exist (5.1.1).",
      },
      {
        state: "skipped",
        reason: "unsubscribed",
        recipients: 1,
        meaning: "It was not sent, because the person had unsubscribed.",
      },
      {
        state: "skipped",
        reason: "suppressed",
        recipients: 1,
        meaning: "It was not sent, because the address was suppressed.",
      },
    ];
    const first = await results();
    expect(first.reasons).toEqual(expect.arrayContaining(reasons));
    expect(first.reasons).toHaveLength(3);
    expect(first.reasonsAt).toBe(new Date().toISOString());
    await team.post("/contacts/delete", { email: at("dan") });
    advance(5_000);
    expect(await results()).toMatchObject({ deleted: 1, reasonsAt: first.reasonsAt });
    advance(6_000);
    const later = await results();
    expect(later.deleted).toBe(1);
    expect(later.reasons).toHaveLength(2);
    expect(later.recipients).toBe(5);
  });

  it("of one state are at most 50, and the rest is counted together", async () => {
    await sendCampaign(team, campaign);
    await team.run(
      `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 60)
       INSERT INTO recipients SELECT k.n, 1000 + i, 'failed', 'the mail provider says no, case ' || i, NULL, 1 FROM campaigns k, numbers`,
    );
    const failed = (await results()).reasons.filter(({ state }: { state: string }) => state === "failed");
    expect(failed).toHaveLength(51);
    expect(failed[0]).toMatchObject({ reason: "other", meaning: "Other reasons.", recipients: 10 });
  });
});

describe("a large campaign", () => {
  const addMany = (many: number, state: string, reason: string | null) =>
    team.run(
      `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ?1)
       INSERT INTO recipients SELECT k.n, (SELECT max(contact) FROM recipients) + i, ?2, ?3, NULL, 1 FROM campaigns k, numbers`,
      many,
      state,
      reason,
    );

  it("has a status without a look at its recipients, and reasons without a look at those that were sent", async () => {
    await sendCampaign(team, campaign);
    await addMany(20_000, "sent", null);
    await addMany(1_000, "skipped", "unsubscribed");
    await team.inside(async (real) => {
      const { sql, take } = counted(real);
      const context = contextOf(sql);
      expect(showStatus(context, { team: "acme", campaignId: campaign.id })).toHaveProperty("body");
      expect(take().read).toBeLessThan(100);
      const { n } = real.exec<{ n: number }>("SELECT n FROM campaigns").one();
      const two = await Promise.all([reasonsOf(sql, n, Date.now()), reasonsOf(sql, n, Date.now() + 60_000)]);
      expect(two[1]).toBe(two[0]);
      expect(take().read).toBeLessThan(5_000);
      expect(two[0].reasons).toMatchObject([{ reason: "unsubscribed", recipients: 1_001 }, { recipients: 1 }]);
    });
  });

  it("has reasons that are exact where they are counted in several slices", async () => {
    await sendCampaign(team, campaign);
    await addMany(30_000, "skipped", "suppressed");
    await addMany(30_000, "skipped", "no_email");
    await addMany(40_000, "cancelled", null);
    const { reasons } = await results();
    const found = Object.fromEntries(
      reasons.map((one: { reason: string; recipients: number }) => [one.reason, one.recipients]),
    );
    expect(found).toEqual({ suppressed: 30_001, no_email: 30_000, unsubscribed: 1 });
  });
});

describe("links", () => {
  it("are those of the message in order, also without clicks, with people and robots apart", async () => {
    const none = { clicks: 0, people: 0, robots: 0 };
    expect(await links()).toEqual([
      { url: SALE, ...none },
      { url: TWO, ...none },
    ]);
    await sendCampaign(team, campaign);
    const [ada, bob] = [clicksIn(await mailTo(at("ada"))), clicksIn(await mailTo(at("bob")))];
    for (let n = 0; n < 3; n++) await visit(ada[1] ?? "");
    advance(10_000);
    await visit(bob[1] ?? "");
    await visit(bob[0] ?? "", ROBOT);
    await visit(bob[0] ?? "", ROBOT);
    expect(await links()).toEqual([
      { url: SALE, clicks: 0, people: 0, robots: 1 },
      { url: TWO, clicks: 4, people: 2, robots: 0 },
    ]);
  });

  it("take back the clicks of a scanner that opens many at once", async () => {
    campaign = await makeCampaign(
      team,
      "Many links",
      ["a", "b", "c"].map((one) => `<Button href="https://shop.example.com/${one}">${one}</Button>`).join("\n"),
    );
    await sendCampaign(team, campaign);
    for (const url of clicksIn(await mailTo(at("ada")))) await visit(url);
    const taken = { clicks: 0, people: 0, robots: 1 };
    expect(await links()).toEqual(["a", "b", "c"].map((one) => ({ url: `https://shop.example.com/${one}`, ...taken })));
    expect(await results()).toMatchObject({ opened: 0, clicked: 0, scanned: 1 });
  });

  it("with values of the recipient in their address are counted without their names", async () => {
    campaign = await makeCampaign(
      team,
      "Personal",
      `<Button href="https://shop.example.com/{contact.firstName}">You</Button>
       <Button href="https://shop.example.com/search?q={contact.firstName}">Search</Button>
       <Button href="https://shop.example.com/quiet" notrack="true">Quiet</Button>`,
    );
    await sendCampaign(team, campaign);
    for (const name of ["ada", "bob"]) {
      const [own = "", search = ""] = clicksIn(await mailTo(at(name)));
      await visit(own);
      await visit(search);
    }
    expect(await links()).toEqual([
      { url: null, clicks: 2, people: 2, robots: 0 },
      { url: "https://shop.example.com/search", clicks: 2, people: 2, robots: 0 },
    ]);
    expect(await team.rows("SELECT url FROM link_counts WHERE url LIKE '%ada%' OR url LIKE '%bob%'")).toEqual([]);
  });

  it("keep their counts when the mails and their requests are deleted after 30 days", async () => {
    await sendCampaign(team, campaign);
    await visit(clicksIn(await mailTo(at("ada")))[0] ?? "");
    await team.run("DELETE FROM sends");
    await team.run("DELETE FROM send_hits");
    expect((await links())[0]).toEqual({ url: SALE, clicks: 1, people: 1, robots: 0 });
    expect(await results()).toMatchObject({ opened: 1, clicked: 1 });
  });
});

it("a contact that unsubscribes by the mail is in the group until it comes back by it", async () => {
  await sendCampaign(team, campaign);
  await unsubscribe("ada");
  const group = async () =>
    (await of("/recipients?group=unsubscribed")).json.data.map(({ email }: { email: string }) => email);
  expect(await group()).toEqual([at("ada")]);
  expect((await results()).unsubscribed).toBe(1);
  await post("ada", "/p/", "do=resubscribe");
  expect(await group()).toEqual([]);
  expect((await results()).unsubscribed).toBe(0);
});
