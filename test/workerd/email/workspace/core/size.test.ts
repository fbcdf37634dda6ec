import { beforeEach, describe, expect, it } from "vitest";
import { startCampaign } from "../../../../../src/email/workspace/campaigns/control.ts";
import { maxBytesOf } from "../../../../../src/email/workspace/core/size.ts";
import { growsOf } from "../../../../../src/email/workspace/requests/when-full.ts";
import { adminContract } from "../../../../../src/lib/contract/admin/email.ts";
import { operationsOf } from "../../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../../src/lib/contract/v1.ts";
import { createTeam, isolated, type Team } from "../../bench.ts";
import { act, addCampaign, addContacts, campaignOf, drive, marketingContext, progressOf } from "../campaigns/bench.ts";
import { file } from "../imports/bench.ts";
import { empty, fillTo } from "./filled.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true });
});

const attention = async () => (await team.admin("GET", "/overview")).json.attention[0];
const stateOf = async () => (await team.admin("GET", "/usage")).json.database.state;
const waitsFor = async (id: string) =>
  (await team.admin("GET", `/campaigns/${id}/status`)).json.waiting.map(({ code }: { code: string }) => code);
const sendCampaign = async (id: string, more: object = {}) =>
  team.admin("POST", `/campaigns/${id}/send`, { expected: 2, ...more });

it("the limit is 10 GB, less if MAX_TEAM_MB says so, and never more", () => {
  expect([{}, { MAX_TEAM_MB: "" }, { MAX_TEAM_MB: "x" }, { MAX_TEAM_MB: -1 }].map(maxBytesOf)).toEqual(
    Array(4).fill(10_000_000_000),
  );
  expect(maxBytesOf({ MAX_TEAM_MB: "250" })).toBe(250_000_000);
  expect(maxBytesOf({ MAX_TEAM_MB: 20_000 })).toBe(10_000_000_000);
});

it("usage and overview say how full the team is", async () => {
  // The first ones keep counts.
  await stateOf();
  await attention();
  const seen = [];
  for (const share of [0.69, 0.71, 0.84, 0.86, 0.94, 0.96]) {
    await fillTo(team, share);
    seen.push([await stateOf(), (await attention())?.kind]);
  }
  const [ok, filling, none, full] = ["ok", "filling", "no_campaigns", "full"];
  expect(seen.map(([state]) => state)).toEqual([ok, filling, filling, none, none, full]);
  expect(seen.map(([, kind]) => kind === "storage_filling")).toEqual([false, true, true, true, true, true]);
  expect((await attention()).text).toMatch(/^The data of the team uses [\d.]+ MB of [\d.]+ MB, so only transactional/);
});

describe("from 85 %", () => {
  it("a campaign does not start, and its estimate says so; another write passes", async () => {
    await addContacts(team, ["a@example.com", "b@example.com"]);
    const id = await addCampaign(team);
    await fillTo(team, 0.86);
    const estimate = (await team.admin("POST", `/campaigns/${id}/estimate`)).json;
    expect([estimate.recipients, estimate.obstacles]).toMatchObject([2, [{ code: "storage_full" }]]);
    const dry = await sendCampaign(id, { dryRun: true });
    expect(dry.json.problems).toMatchObject([{ code: "storage_full", path: null }]);
    const refused = await sendCampaign(id);
    expect([refused.status, refused.json.code]).toEqual([400, "campaign_not_ready"]);
    expect((await team.post("/contacts/create", { email: "c@example.com" })).status).toBe(200);
    await fillTo(team, 0.8);
    expect((await sendCampaign(id, { expected: 3 })).status).toBe(200);
  });

  it("a scheduled campaign is held at its time", async () => {
    await addContacts(team, ["a@example.com", "b@example.com"]);
    const id = await addCampaign(team);
    expect((await sendCampaign(id, { delaySeconds: 3 })).json.status).toBe("Scheduled");
    await fillTo(team, 0.86);
    await drive(team);
    expect(await progressOf(team, id)).toMatchObject({ state: "held", reason: "not_ready" });
    expect(await waitsFor(id)).toEqual(["not_ready", "storage_full"]);
  });
});

describe("from 95 %", () => {
  const refusal = {
    success: false,
    code: "storage_full",
    message: expect.stringMatching(/^The data of the team uses /),
  };

  it("what grows is refused with a code and Retry-After", async () => {
    await addContacts(team, ["a@example.com"]);
    await fillTo(team, 0.96);
    for (const [path, body] of [
      ["/contacts/create", { email: "new@example.com" }],
      ["/events/send", { email: "a@example.com", eventName: "seen" }],
      ["/campaigns", { name: "News" }],
      ["/workflows", { name: "Welcome" }],
    ] as const) {
      const { status, json, headers } = await team.post(path, body);
      expect([path, status, json]).toEqual([path, 507, refusal]);
      expect(headers.get("Retry-After")).toBe("60");
    }
    expect((await team.put("/contacts/update", { email: "new@example.com" })).json).toEqual(refusal);
    expect((await team.put("/contacts/update", { email: "a@example.com", firstName: "Ada" })).json).toEqual(refusal);
    expect((await team.admin("POST", "/lists", { name: "News" })).status).toBe(507);
    expect((await file("", "email\nz@example.com\n")).status).toBe(507);
  });

  it("a campaign that is sending says that it waits for room, and guesses no end", async () => {
    await addContacts(team, ["a@example.com", "b@example.com"]);
    const id = await addCampaign(team);
    await team.inside((sql) => startCampaign(marketingContext(sql), campaignOf(sql, id)));
    await team.run("UPDATE campaigns SET state = 'sending', moving_since = ?, moved = -100", Date.now() - 100_000);
    expect(await waitsFor(id)).not.toContain("storage_full");
    expect(await progressOf(team, id)).toMatchObject({ perSecond: expect.any(Number), eta: expect.any(String) });
    await fillTo(team, 0.96);
    expect(await waitsFor(id)).toContain("storage_full");
    expect(await progressOf(team, id)).toMatchObject({ perSecond: null, eta: null });
    await fillTo(team, 0.8);
    expect(await waitsFor(id)).not.toContain("storage_full");
  });

  it("the dry run of a campaign answers with its obstacle", async () => {
    await addContacts(team, ["a@example.com", "b@example.com"]);
    const id = await addCampaign(team);
    await fillTo(team, 0.96);
    const dry = await sendCampaign(id, { dryRun: true });
    expect([dry.status, dry.json.problems]).toMatchObject([200, [{ code: "storage_full", path: null }]]);
    expect((await sendCampaign(id)).status).toBe(507);
  });

  it("an import that runs says that it waits for room", async () => {
    const { id } = (await file("", "email\nz@example.com\n")).json;
    const found = async () => (await team.admin("GET", `/imports/${id}`)).json;
    expect((await found()).waiting).toEqual([]);
    await team.admin("POST", `/imports/${id}/start`, { mapping: { email: "email" } });
    await fillTo(team, 0.96);
    expect(await found()).toMatchObject({ state: "running", waiting: [{ code: "storage_full" }] });
    await team.admin("POST", `/imports/${id}/pause`);
    expect((await found()).waiting).toEqual([]);
  });

  it("transactional mail, unsubscribes, deletions and reads pass", async () => {
    await addContacts(team, ["a@example.com", "b@example.com"]);
    await fillTo(team, 0.96);
    const list = (await team.get("/transactional")).json.data;
    const mail = { transactionalId: "tpl_welcome", email: "new@example.com", dataVariables: {}, addToAudience: true };
    expect(list.length).toBeGreaterThan(0);
    const { id, dataVariables } = list[0];
    const sent = await team.post("/transactional", {
      ...mail,
      transactionalId: id,
      dataVariables: Object.fromEntries(dataVariables.map((name: string) => [name, "x"])),
    });
    expect(sent.status, sent.text).toBe(200);
    expect(await team.find({ email: "new@example.com" })).toBeUndefined();
    expect((await team.put("/contacts/update", { email: "a@example.com", subscribed: false })).status).toBe(200);
    expect((await team.find({ email: "a@example.com" })).subscribed).toBe(false);
    expect((await team.post("/contacts/delete", { email: "b@example.com" })).status).toBe(200);
    expect((await team.admin("POST", "/suppressions", { email: "x@example.com" })).status).toBe(200);
    expect((await team.admin("POST", "/erase", { emails: ["a@example.com"] })).status).toBe(200);
  });

  it("a campaign and an import wait, and go on when there is room", async () => {
    await addContacts(team, ["a@example.com", "b@example.com"]);
    const id = await addCampaign(team);
    await act(team, id);
    const uploaded = (await file("", "email\nz@example.com\n")).json;
    await team.admin("POST", `/imports/${uploaded.id}/start`, { mapping: uploaded.mapping });
    await fillTo(team, 0.96);
    await drive(team);
    const before = await team.rows(
      "SELECT (SELECT count(*) FROM recipients) AS recipients, (SELECT state FROM imports) AS state",
    );
    expect(before).toEqual([{ recipients: 0, state: "running" }]);
    expect(await progressOf(team, id)).toMatchObject({ state: expect.not.stringMatching("held|paused") });
    empty();
    await drive(team);
    expect((await progressOf(team, id)).state).toBe("done");
    expect(await team.rows("SELECT state, created FROM imports")).toEqual([{ state: "done", created: 1 }]);
  });

  it("opens are not recorded, because anybody can make them", async () => {
    await fillTo(team, 0.96);
    await team.stub.hit({ mail: { team: "acme", send: 1 } } as never);
    expect(await team.rows("SELECT * FROM send_hits")).toEqual([]);
  });
});

it("each act is refused or passes by a list", () => {
  const acts = [v1, adminContract].flatMap((contract) =>
    operationsOf(contract).flatMap(({ name, operation }) => (operation.effect === "act" ? [{ name, operation }] : [])),
  );
  expect(
    acts
      .filter(({ name, operation }) => !growsOf(name, operation))
      .map(({ name }) => name)
      .sort(),
  ).toMatchInlineSnapshot(`
    [
      "audience.removeSegment",
      "campaigns.cancel",
      "campaigns.pause",
      "campaigns.remove",
      "campaigns.unschedule",
      "components.remove",
      "contacts.bulk",
      "contacts.delete",
      "contacts.update",
      "domains.remove",
      "domains.rotate",
      "domains.update",
      "imports.cancel",
      "imports.pause",
      "keys.create",
      "keys.revoke",
      "people.erase",
      "properties.remove",
      "sends.retry",
      "suppression.remove",
      "suppressions.add",
      "suppressions.remove",
      "teams.update",
      "themes.remove",
      "tracking.set",
      "transactional.send",
      "uploads.remove",
      "webhooks.remove",
      "webhooks.update",
      "workflows.delete",
      "workflows.deleteNode",
      "workflows.deleteNodeRecursively",
      "workflows.pause",
      "workflows.remove",
      "workflows.stop",
    ]
  `);
});
