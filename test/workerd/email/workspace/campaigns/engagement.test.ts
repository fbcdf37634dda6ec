import { beforeEach, expect, it, vi } from "vitest";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { pictureIn, visit } from "../../marketing.ts";
import { clicksIn, type Made, mailTo, makeCampaign, sendCampaign } from "./recipients.ts";

isolated();

const NAMES = ["ada", "bob", "cy"];
const at = (name: string) => `${name}@example.com`;

let team: Team;
let campaign: Made;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam();
  for (const name of NAMES) await team.post("/contacts/create", { email: at(name) });
  campaign = await makeCampaign(team);
});

const did = (action: string, negate = false) => ({
  match: "all",
  conditions: [{ type: "activity", action, negate, target: "campaign", id: campaign.id }],
});
const estimate = async (body: object) => {
  const { status, json, text } = await team.admin("POST", "/audience/estimate", { exact: true, ...body });
  expect(status, text).toBe(200);
  return json.contacts as number;
};
const open = async (name: string) => visit(pictureIn((await mailTo(at(name))).html));
const click = async (name: string) => visit(clicksIn(await mailTo(at(name)))[0] ?? "");

it("a filter and a segment count an open and a click from the next request on, and who did neither", async () => {
  const segment = (await team.post("/audience-segments", { name: "Openers", filter: did("opened") })).json.id;
  expect(await estimate({ filter: did("sent") })).toBe(0);
  await sendCampaign(team, campaign);
  expect(await estimate({ filter: did("sent") })).toBe(3);
  expect(await estimate({ audienceSegmentId: segment })).toBe(0);
  await open("ada");
  expect(await estimate({ audienceSegmentId: segment })).toBe(1);
  expect(await estimate({ filter: did("opened", true) })).toBe(2);
  await click("bob");
  expect(await estimate({ audienceSegmentId: segment })).toBe(2);
  expect(await estimate({ filter: did("clicked") })).toBe(1);
  expect(await estimate({ filter: did("clicked", true) })).toBe(2);
  await visit(clicksIn(await mailTo(at("cy")))[0] ?? "", "curl/8");
  expect(await estimate({ filter: did("opened") })).toBe(2);
});

it("a campaign to those who did not open another has exactly those who got it, without a contact that came later", async () => {
  await sendCampaign(team, campaign);
  await team.post("/contacts/create", { email: at("new") });
  await open("ada");
  await click("bob");
  const again = await makeCampaign(team, "Again", undefined, { audienceFilter: did("opened", true) });
  await sendCampaign(team, again);
  const { data } = (await team.admin("GET", `/campaigns/${again.id}/recipients`)).json;
  expect(data.map(({ email }: { email: string }) => email)).toEqual([at("cy")]);
  await open("cy");
  expect(await estimate({ filter: did("opened") })).toBe(2);
});

it("an estimate and a dry run warn where most recipients never got the campaign that they are asked about", async () => {
  await sendCampaign(team, campaign);
  for (let i = 0; i < 5; i++) await team.post("/contacts/create", { email: at(`new${i}`) });
  const conditions = [
    { type: "activity", action: "opened", negate: true, target: "campaign", id: campaign.id },
    { type: "activity", action: "sent", negate: true, target: "campaign", id: campaign.id },
  ];
  const again = await makeCampaign(team, "Again", undefined, { audienceFilter: { match: "any", conditions } });
  const warning = { code: "mostly_unreached", path: "audienceFilter.conditions.0" };
  const estimated = (await team.admin("POST", `/campaigns/${again.id}/estimate`, {})).json;
  expect(estimated).toMatchObject({ recipients: 8, warnings: [warning, { path: "audienceFilter.conditions.1" }] });
  expect(estimated.warnings[0].message).toContain("5 of 8 contacts looked at were never sent a mail of the campaign");
  const { warnings } = (await team.admin("POST", `/campaigns/${again.id}/send`, { dryRun: true })).json;
  expect(warnings).toContainEqual(estimated.warnings[0]);
  const audience = { audienceFilter: { match: "all", conditions: conditions.slice(0, 1) } };
  const other = (await team.admin("POST", `/campaigns/${again.id}/estimate`, { audience })).json;
  expect(other).toMatchObject({ recipients: 3 });
  expect(other.warnings).toBeUndefined();
});

it("a filter of a workflow lets a contact pass that opened the campaign a moment ago", async () => {
  await sendCampaign(team, campaign);
  const { id, rootNodeId } = (await team.post("/workflows", { name: "Openers" })).json;
  const edit = async (path: string, body: object) => {
    advance(1_100);
    const { workflowRevisionId: expectedRevisionId } = (await team.get(`/workflows/${id}`)).json;
    const { status, json, text } = await team.post(`/workflows/${id}${path}`, { expectedRevisionId, ...body });
    expect(status, text).toBe(200);
    return json as { node: { id: string } };
  };
  await edit(`/nodes/${rootNodeId}`, { payload: { typeName: "EventTrigger", eventName: "visited" } });
  const { node: timer } = await edit("/nodes", {
    insertMode: "after",
    nodeTypeName: "TimerAction",
    fromNodeId: rootNodeId,
  });
  const { node: filter } = await edit("/nodes", {
    insertMode: "before",
    nodeTypeName: "AudienceFilter",
    toNodeId: timer.id,
  });
  await edit(`/nodes/${filter.id}`, { payload: { audienceFilter: did("opened") } });
  await team.run("UPDATE workflows SET status = 'Sending'");
  await open("ada");
  for (const name of NAMES) await team.post("/events/send", { email: at(name), eventName: "visited" });
  await runAlarm(team.stub);
  const passed = await team.rows(
    "SELECT c.email, r.wake IS NOT NULL AS waits, r.ended FROM runs r JOIN contacts c ON c.n = r.contact ORDER BY c.n",
  );
  expect(passed).toEqual([
    { email: at("ada"), waits: 1, ended: null },
    { email: at("bob"), waits: 0, ended: "filtered" },
    { email: at("cy"), waits: 0, ended: "filtered" },
  ]);
});
