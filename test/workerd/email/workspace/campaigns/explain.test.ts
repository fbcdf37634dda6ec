import { beforeEach, describe, expect, it, vi } from "vitest";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";
import { pictureIn, visit } from "../../marketing.ts";
import { type Made, mailTo, makeCampaign, sendCampaign } from "./recipients.ts";

isolated();

const at = (name: string) => `${name}@example.com`;

let team: Team;
let campaign: Made;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam();
  for (const name of ["ada", "bob"]) await team.post("/contacts/create", { email: at(name), userId: `u-${name}` });
  await team.put("/contacts/update", { email: at("bob"), subscribed: false });
  campaign = await makeCampaign(team);
});

const why = async (contact: string, of: Made = campaign) => {
  const { status, json, text } = await team.admin("GET", `/campaigns/${of.id}/contacts/${encodeURIComponent(contact)}`);
  expect(status, text).toBe(200);
  return json;
};

describe("why a contact got a campaign", () => {
  it("is told by id, address and userId: its mail, the story of it, and where it is", async () => {
    await sendCampaign(team, campaign);
    await visit(pictureIn((await mailTo(at("ada"))).html));
    const { id } = await team.find({ email: at("ada") });
    const shown = await why(at("ada"));
    const [send] = await team.rows(`SELECT id FROM sends WHERE recipient = '${at("ada")}'`);
    expect(shown).toMatchObject({
      contact: { id, email: at("ada"), userId: "u-ada" },
      code: "sent",
      text: "In the local inbox only. It was not sent outside this machine.",
      recipient: { state: "sent", sendId: send?.id },
    });
    expect(shown.story.map(({ text }: { text: string }) => text)).toEqual([
      'The campaign "Spring sale" started.',
      'Accepted as marketing mail: the campaign "Spring sale".',
      expect.stringMatching(/^Attempt 1 by inbox: accepted/),
      "It was opened, once.",
    ]);
    expect(await why(id)).toEqual(shown);
    expect(await why("u-ada")).toEqual(shown);
    const path = new URL(shown.sendUrl).pathname.replace("/admin/teams/acme", "");
    expect((await team.admin("GET", path)).json).toMatchObject({
      id: send?.id,
      campaign: { id: campaign.id, name: "Spring sale" },
    });
  });

  it("is still told when the mail is deleted after 30 days", async () => {
    await sendCampaign(team, campaign);
    advance(1_000);
    await visit(pictureIn((await mailTo(at("ada"))).html));
    await team.run("DELETE FROM sends");
    expect(await why(at("ada"))).toMatchObject({
      code: "sent",
      sendUrl: null,
      recipient: { sendId: null },
      story: [
        { text: 'The campaign "Spring sale" started.' },
        { text: "The mail was sent." },
        { at: new Date().toISOString(), text: "It was opened." },
      ],
    });
  });
});

describe("why a contact did not get a campaign", () => {
  it("is told with the reason that is known", async () => {
    expect(await why(at("ada"))).toMatchObject({ code: "not_started", recipient: null, story: [] });
    await sendCampaign(team, campaign);
    expect(await why(at("bob"))).toMatchObject({
      code: "skipped",
      text: "It was not sent, because the person had unsubscribed.",
      recipient: { state: "skipped", reason: "unsubscribed" },
    });
    await team.post("/contacts/create", { email: at("new") });
    const { code, text, recipient } = await why(at("new"));
    expect([code, recipient]).toEqual(["created_later", null]);
    expect(text).toMatch(/^The contact was created at 20.*, after the campaign started \(20/);
  });

  it("is told with the parts of the audience that it may not have met, and no more than that is known", async () => {
    const list = (await team.admin("POST", "/lists", { name: "News" })).json.id;
    const filter = {
      match: "all",
      conditions: [{ type: "property", key: "firstName", operator: "equals", value: "Ada" }],
    };
    const segment = (await team.post("/audience-segments", { name: "Adas", filter })).json.id;
    const fields = { mailingListId: list, audienceSegmentId: segment, audienceFilter: filter };
    const narrow = await makeCampaign(team, "Narrow", undefined, fields);
    await sendCampaign(team, narrow);
    const { code, text } = await why(at("ada"), narrow);
    expect(code).toBe("not_selected");
    expect(text).toMatch(
      /^When the campaign started \(20.*\), the contact did not meet its mailing list and its segment and its filter\. How the contact was then is not stored\.$/,
    );
  });

  it("is not known before its recipients are collected", async () => {
    await team.run(
      "UPDATE campaigns SET status = 'Sending', state = 'snapshot', started_at = 4102444800000, max_contact = 2, snapshot_cursor = 1",
    );
    expect((await why(at("bob"))).code).toBe("not_looked_at");
    await team.run("UPDATE campaigns SET status = 'Sent', state = 'cancelled'");
    expect((await why(at("bob"))).code).toBe("cancelled");
    await team.run(
      "UPDATE campaigns SET status = 'Scheduled', state = NULL, started_at = NULL, scheduled_at = 4102444800000",
    );
    expect((await why(at("bob"))).text).toBe(
      "The campaign has not started, so its recipients are not known. It starts at 2100-01-01T00:00:00.000Z.",
    );
  });

  it("is refused for a contact that is not there, and for one of another team", async () => {
    const other = await createTeam({ id: "globex" });
    await other.post("/contacts/create", { email: at("far") });
    for (const contact of [at("far"), "con_00000000000000000000", "nobody"]) {
      const { status, json } = await team.admin("GET", `/campaigns/${campaign.id}/contacts/${contact}`);
      expect([status, json.code, json.path]).toEqual([404, "contact_not_found", "contact"]);
    }
    const long = await team.admin("GET", `/campaigns/${campaign.id}/contacts/${"x".repeat(501)}`);
    expect([long.status, long.json.path]).toEqual([400, "contact"]);
  });
});
