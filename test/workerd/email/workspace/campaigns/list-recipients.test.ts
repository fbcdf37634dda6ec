import { parse } from "papaparse";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { startCampaign } from "../../../../../src/email/workspace/campaigns/control.ts";
import { admin, advance, createTeam, isolated, request, type Team } from "../../bench.ts";
import { pictureIn, visit } from "../../marketing.ts";
import { contextOf } from "../counted.ts";
import { campaignOf, claim, HANDOVERS, hear, pumpSlices, report } from "./bench.ts";
import { clicksIn, type Made, mailTo, makeCampaign, sendCampaign } from "./recipients.ts";

isolated();

const at = (name: string) => `${name}@example.com`;

let team: Team;
let campaign: Made;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam();
  for (const name of ["ada", "bob", "cy", "dan"]) {
    await team.post("/contacts/create", { email: at(name), userId: `u-${name}` });
    advance(1_000);
  }
  await team.put("/contacts/update", { email: at("dan"), subscribed: false });
  campaign = await makeCampaign(team);
});

const of = (rest: string) => team.admin("GET", `/campaigns/${campaign.id}${rest}`);
type Listed = { data: { email: string; state: string }[]; next: string | null; searchedTo: string | null };
const list = async (query: string) => (await of(`/recipients${query}`)).json as Listed;
const emails = async (query: string) => (await list(query)).data.map(({ email }) => email);
const csv = async (query = "") => {
  const { status, headers, text } = await of(`/recipients.csv${query}`);
  expect(status, text).toBe(200);
  return { headers, text, rows: parse<string[]>(text, { skipEmptyLines: true }).data };
};

const addMany = (many: number, state: string, reason: string | null = null) =>
  team.inside((sql) => {
    const numbers = "WITH RECURSIVE numbers (i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM numbers WHERE i < ?1)";
    sql.exec(
      `${numbers} INSERT INTO contacts (n, id, email, email_key, data, created_at, updated_at)
       SELECT i, 'con_' || i, i || '@many.example', i || '@many.example', jsonb('{"mailingLists":{},"properties":{}}'), i, i FROM numbers`,
      1_000 + many,
    );
    sql.exec(
      `${numbers} INSERT INTO recipients SELECT k.n, i, ?2, ?3, NULL, 1 FROM campaigns k, numbers`,
      1_000 + many,
      state,
      reason,
    );
  });

describe("the list of recipients", () => {
  it("has each with its state in words, its mail and its times", async () => {
    await sendCampaign(team, campaign);
    const ada = await mailTo(at("ada"));
    await visit(pictureIn(ada.html));
    advance(1_000);
    await visit(clicksIn(ada)[0] ?? "");
    const [first, , , last] = (await list("")).data;
    const [send] = await team.rows(`SELECT id FROM sends WHERE recipient = '${at("ada")}'`);
    expect(first).toEqual({
      contactId: expect.stringMatching(/^con_/),
      email: at("ada"),
      userId: "u-ada",
      state: "sent",
      reason: null,
      meaning: "In the local inbox only. It was not sent outside this machine.",
      sendId: send?.id,
      settledAt: expect.any(String),
      sentAt: expect.any(String),
      openedAt: new Date(Date.now() - 1_000).toISOString(),
      clickedAt: new Date().toISOString(),
      unsubscribedAt: null,
    });
    expect(last).toMatchObject({
      email: at("dan"),
      state: "skipped",
      reason: "unsubscribed",
      sentAt: null,
      meaning: "It was not sent, because the person had unsubscribed.",
    });
  });

  it("finds every reason that the results count, also of texts with ids", async () => {
    await sendCampaign(team, campaign);
    const texts = {
      ada: "554 5.6.0 rejected, id N11xyz",
      bob: "554 5.6.0 rejected, id N22xyz",
      cy: "554 rejected, id 4Bq7Zp1xYz",
    };
    for (const [name, text] of Object.entries(texts))
      await team.run(
        "UPDATE recipients SET state = 'failed', reason = ? WHERE contact = (SELECT n FROM contacts WHERE email = ?)",
        text,
        at(name),
      );
    const { reasons } = (await of("/results")).json;
    const found: Record<string, number> = {};
    for (const { reason, state, recipients } of reasons) {
      const { length } = await emails(`?state=${state}&reason=${encodeURIComponent(reason)}`);
      expect(length, reason).toBe(recipients);
      found[reason] = length;
    }
    expect(found).toEqual({ "5.6.0": 2, "554 rejected, id …": 1, unsubscribed: 1 });
    expect(await emails(`?reason=${encodeURIComponent(texts.bob)}`)).toEqual([at("bob")]);
    expect((await csv("?reason=5.6.0")).rows).toHaveLength(3);
  });

  it("has the recipients of a state, a reason or a group, alone or together", async () => {
    await sendCampaign(team, campaign);
    await visit(pictureIn((await mailTo(at("ada"))).html));
    await visit(clicksIn(await mailTo(at("bob")))[0] ?? "");
    expect(await emails("")).toEqual(["ada", "bob", "cy", "dan"].map(at));
    expect(await emails("?state=sent")).toEqual(["ada", "bob", "cy"].map(at));
    expect(await emails("?state=skipped")).toEqual([at("dan")]);
    expect(await emails("?reason=unsubscribed")).toEqual([at("dan")]);
    expect(await emails("?reason=suppressed")).toEqual([]);
    expect(await emails("?group=opened")).toEqual(["ada", "bob"].map(at));
    expect(await emails("?group=notOpened")).toEqual([at("cy")]);
    expect(await emails("?group=clicked")).toEqual([at("bob")]);
    expect(await emails("?state=skipped&group=opened")).toEqual([]);
    expect(await emails("?state=&group=")).toHaveLength(4);
    await team.run("UPDATE sends SET state = 'complained' WHERE recipient = ?", at("cy"));
    expect(await emails("?state=complained&group=notOpened")).toEqual([at("cy")]);
    await team.post("/contacts/delete", { email: at("cy") });
    expect(await emails("?group=notOpened")).toEqual([]);
  });

  it("has in the group notOpened only those whose mail has reached them, and that no person has opened", async () => {
    const outcomes: Record<string, keyof typeof HANDOVERS> = {
      ada: "accepted",
      bob: "unknown",
      cy: "mailboxFull",
      eve: "noAddress",
      fay: "deferred",
      gus: "accepted",
      hal: "accepted",
      ida: "accepted",
    };
    for (const name of ["eve", "fay", "gus", "hal", "ida"]) await team.post("/contacts/create", { email: at(name) });
    await team.inside(async (sql, storage) => {
      startCampaign(contextOf(sql), campaignOf(sql, campaign.id));
      await pumpSlices(storage);
      const numbers = new Map(claim(sql).map((mail) => [mail.recipient, mail]));
      for (const [name, outcome] of Object.entries(outcomes))
        report(sql, numbers.get(at(name)) ?? [], HANDOVERS[outcome]);
      hear(sql, numbers.get(at("gus"))?.n ?? 0, "delivered");
      hear(sql, numbers.get(at("hal"))?.n ?? 0, "hard");
      hear(sql, numbers.get(at("ida"))?.n ?? 0, "complaint");
    });
    const states = (await list("")).data.map(({ email, state }) => [email.split("@")[0], state]);
    expect(Object.fromEntries(states)).toEqual({
      ada: "sent",
      bob: "unknown",
      cy: "failed",
      dan: "skipped",
      eve: "bounced",
      fay: "queued",
      gus: "delivered",
      hal: "bounced",
      ida: "complained",
    });
    const reached = ["ada", "gus", "ida"].map(at);
    expect(await emails("?group=notOpened")).toEqual(reached);
    expect((await csv("?group=notOpened")).rows.slice(1).map(([email]) => email)).toEqual(reached);
    expect(await emails("?state=unknown&group=notOpened")).toEqual([]);
  });

  it("goes on where a page ends, and does not shift when states change", async () => {
    await addMany(25, "queued");
    const first = await list("?perPage=10");
    expect(first.data).toHaveLength(10);
    await team.run("UPDATE recipients SET state = 'sent'");
    const second = await list(`?perPage=10&cursor=${first.next}`);
    const third = await list(`?perPage=10&cursor=${second.next}`);
    expect([...first.data, ...second.data, ...third.data].map(({ email }) => email)).toEqual(
      Array.from({ length: 25 }, (_, i) => `${1001 + i}@many.example`),
    );
    expect([third.next, third.searchedTo]).toEqual([null, null]);
  });

  it("looks at 10,000 recipients a request, and says how far it came", async () => {
    await addMany(20_500, "sent");
    await team.run("UPDATE recipients SET state = 'failed', reason = 'busy' WHERE contact IN (1005, 21500)");
    const pages = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Listed = await list(`?state=failed&cursor=${cursor}`);
      pages.push([page.data.map(({ email }) => email), page.searchedTo]);
      cursor = page.next;
    }
    expect(pages).toEqual([
      [["1005@many.example"], new Date(11_000).toISOString()],
      [[], new Date(21_000).toISOString()],
      [["21500@many.example"], null],
    ]);
  });
});

describe("the file of recipients", () => {
  it("has a head, a name, and a line for each recipient, with the reason in words", async () => {
    await sendCampaign(team, campaign);
    await visit(pictureIn((await mailTo(at("ada"))).html));
    const { headers, rows } = await csv();
    expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("Cache-Control")).toBe("no-store");
    const file = `${campaign.id}-recipients.csv`;
    expect(headers.get("Content-Disposition")).toBe(`attachment; filename="${file}"`);
    const [sent] = await team.rows("SELECT sent_at AS at FROM engagement WHERE sent_at IS NOT NULL");
    const sentAt = new Date(sent?.at as number).toISOString();
    const taken = "In the local inbox only. It was not sent outside this machine.";
    expect(rows).toEqual([
      ["email", "userId", "state", "reason", "sentAt", "openedAt", "clickedAt"],
      [at("ada"), "u-ada", "sent", taken, sentAt, new Date().toISOString(), ""],
      [at("bob"), "u-bob", "sent", taken, sentAt, "", ""],
      [at("cy"), "u-cy", "sent", taken, sentAt, "", ""],
      [at("dan"), "u-dan", "skipped", "It was not sent, because the person had unsubscribed.", "", "", ""],
    ]);
  });

  it("takes the filters of the list, and has a head alone where nothing matches", async () => {
    await sendCampaign(team, campaign);
    expect((await csv("?state=skipped")).rows.map(([email]) => email)).toEqual(["email", at("dan")]);
    expect((await csv("?group=clicked&state=")).rows).toHaveLength(1);
    expect((await csv("?reason=unsubscribed")).rows).toHaveLength(2);
  });

  it("has no cell that a spreadsheet runs, and none that breaks a line", async () => {
    const nasty = [
      "=1+1",
      '=HYPERLINK("https://evil.example")',
      "+49 30 1",
      "-2+3",
      "@SUM(A1)",
      "\t=1",
      "\r=1",
      "\n=1",
      "＝1",
      'a"b',
      "a,b",
      "a;b",
      "a\r\nb",
      "a\tb",
      " =1",
      "'=1",
      "юзер",
      "=cmd|' /C calc'!A0",
    ];
    await addMany(nasty.length, "failed", '"; =1+1\n=2');
    for (const [i, userId] of nasty.entries())
      await team.run("UPDATE contacts SET user_id = ? WHERE n = ?", userId, 1001 + i);
    const { rows } = await csv("?state=failed");
    expect(rows.slice(1).map(([, userId]) => userId)).toEqual(
      nasty.map((userId) => (/^[=+\-@\t\r\n＝]/.test(userId) ? `'${userId}` : userId)),
    );
    for (const cell of rows.slice(1).flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝]/);
    expect(rows.every(({ length }) => length === 7)).toBe(true);
    expect(rows[1]?.[3]).toBe('It failed: "; =1+1\n=2.');
  });

  it("has all of many thousand recipients, once each, in several pieces", async () => {
    await addMany(25_001, "sent");
    const { rows } = await csv();
    expect(rows).toHaveLength(25_002);
    expect(new Set(rows.map(([email]) => email)).size).toBe(25_002);
    expect(rows.at(-1)?.[0]).toBe("26001@many.example");
  });

  it("is refused as other requests are", async () => {
    const path = `/admin/teams/acme/campaigns/${campaign.id}/recipients.csv`;
    const without = await request("GET", path);
    expect([without.status, without.json.code]).toEqual([401, "missing_api_key"]);
    const wrong = await request("GET", path, { headers: { Authorization: `Bearer ${team.key}` } });
    expect(wrong.status).toBe(401);
    const posted = await admin("POST", path, {});
    expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET"]);
    const bad = async (query: string) => {
      const { status, json } = await admin("GET", path + query);
      return [status, json.code, json.path];
    };
    expect(await bad("?state=lost")).toEqual([400, "invalid_request", "state"]);
    expect(await bad("?group=bored")).toEqual([400, "invalid_request", "group"]);
    expect(await bad(`?reason=${"x".repeat(501)}`)).toEqual([400, "invalid_request", "reason"]);
    expect(await bad("?states=sent")).toEqual([400, "invalid_request", "states"]);
    expect(await bad("?group=opened&perPage=50")).toEqual([400, "invalid_request", "perPage"]);
    expect(await bad("?team=globex")).toEqual([400, "invalid_request", "team"]);
    expect(await bad("?campaignId=cmp_2")).toEqual([400, "invalid_request", "campaignId"]);
    expect(await bad("?reason=%ff")).toEqual([400, "invalid_request", "reason"]);
    expect((await admin("GET", `${path}?state=&reason=`)).status).toBe(200);
    const other = await admin("GET", path.replace(campaign.id, "cmp_none"));
    expect([other.status, other.json.code]).toEqual([404, "campaign_not_found"]);
    const noTeam = await admin("GET", path.replace("acme", "nowhere"));
    expect([noTeam.status, noTeam.json.path]).toEqual([404, "team"]);
    const badTeam = await admin("GET", path.replace("acme", "Not_A_Team"));
    expect([badTeam.status, badTeam.json.path]).toEqual([400, "team"]);
    const strange = await admin("GET", path.replace(campaign.id, encodeURIComponent('a"\r\nX: y')));
    expect(strange.status).toBe(404);
  });
});

it("every route refuses a campaign of another team, an unknown one, and what it does not know", async () => {
  const other = await createTeam({ id: "globex" });
  for (const rest of ["results", "links", "recipients", "recipients.csv", `contacts/${at("ada")}`]) {
    const foreign = await other.admin("GET", `/campaigns/${campaign.id}/${rest}`);
    expect([foreign.status, foreign.json.code, foreign.json.path], rest).toEqual([
      404,
      "campaign_not_found",
      "campaignId",
    ]);
    expect((await team.admin("GET", `/campaigns/${"x".repeat(101)}/${rest}`)).json, rest).toMatchObject({
      code: "invalid_request",
      path: "campaignId",
    });
  }
  const refused = async (query: string) => {
    const { status, json } = await of(`/recipients${query}`);
    return [status, json.code, json.path];
  };
  expect(await refused("?state=lost")).toEqual([400, "invalid_request", "state"]);
  expect(await refused("?group=all")).toEqual([400, "invalid_request", "group"]);
  expect(await refused("?perPage=5")).toEqual([400, "invalid_request", "perPage"]);
  expect(await refused("?cursor=zzz")).toEqual([400, "invalid_request", "cursor"]);
});
