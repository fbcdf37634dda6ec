import { beforeEach, describe, expect, it, vi } from "vitest";
import { timesChore } from "../../../../../src/email/workspace/campaigns/count-times.ts";
import { advance, createTeam, isolated, START, type Team } from "../../bench.ts";
import { pictureIn, visit } from "../../marketing.ts";
import { clicksIn, type Made, mailTo, makeCampaign, sendCampaign } from "./recipients.ts";

isolated();

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (name: string) => `${name}@example.com`;
const SALE = "https://shop.example.com/sale";
const TWICE = `<Paragraph><Link href="${SALE}?x=1">Sale</Link> <Link href="https://shop.example.com/two">Two</Link></Paragraph>
<Button href="${SALE}?x=1">Take the &quot;offer&quot;</Button>
<Paragraph><Link href="https://shop.example.com/{contact.userId}">Yours</Link></Paragraph>`;

let team: Team;
let campaign: Made;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam();
  for (const name of ["ada", "bob", "cy"])
    await team.post("/contacts/create", { email: at(name), userId: `u-${name}`, firstName: name });
  campaign = await makeCampaign(team, "Spring sale", TWICE);
});

const of = async (rest: string, { id }: Made = campaign) => {
  const { status, json } = await team.admin("GET", `/campaigns/${id}${rest}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
};
const open = async (name: string) => visit(pictureIn((await mailTo(at(name))).html));

describe("the series of a campaign", () => {
  it("of a draft has no points", async () => {
    expect(await of("/series")).toEqual({
      unit: "hour",
      timeZone: "UTC",
      startedAt: null,
      points: [],
      later: { sent: 0, opened: 0, clicked: 0 },
    });
  });

  it("has each mail and each person once, by hour and by day of the team's time zone", async () => {
    expect((await team.admin("POST", "", { timeZone: "Asia/Tokyo" })).status).toBe(200);
    await sendCampaign(team, campaign);
    await open("ada");
    await open("ada");
    advance(2 * HOUR);
    await visit(clicksIn(await mailTo(at("bob")))[0] ?? "");
    advance(DAY);
    await open("bob");
    await open("cy");
    const { points, later, startedAt } = await of("/series");
    expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(START);
    expect(points).toHaveLength(27);
    const hour = (n: number) => new Date(START + n * HOUR).toISOString();
    expect(points.filter((point: { sent: number; opened: number }) => point.sent + point.opened > 0)).toEqual([
      { at: hour(0), sent: 3, opened: 1, clicked: 0 },
      { at: hour(2), sent: 0, opened: 1, clicked: 1 },
      { at: hour(26), sent: 0, opened: 1, clicked: 0 },
    ]);
    expect(later).toEqual({ sent: 0, opened: 0, clicked: 0 });
    const days = await of("/series?unit=day");
    expect(days).toMatchObject({ unit: "day", timeZone: "Asia/Tokyo" });
    expect(days.points).toEqual([
      { at: "2089-12-31T15:00:00.000Z", sent: 3, opened: 2, clicked: 1 },
      { at: "2090-01-01T15:00:00.000Z", sent: 0, opened: 1, clicked: 0 },
    ]);
    const results = await of("/results");
    expect([results.opened, results.clicked]).toEqual([3, 1]);
  });

  it("counts what comes after its hours and days apart, and its points are bounded", async () => {
    await sendCampaign(team, campaign);
    advance(8 * DAY);
    await open("ada");
    advance(100 * DAY);
    await open("bob");
    const hours = await of("/series?unit=hour");
    expect([hours.points.length, hours.later.opened]).toEqual([168, 2]);
    const days = await of("/series?unit=day");
    expect([days.points.length, days.later.opened]).toEqual([91, 1]);
    expect(days.points[8]).toMatchObject({ opened: 1 });
  });

  it("takes the opens and clicks back of a program that follows all links", async () => {
    await sendCampaign(team, campaign);
    for (const url of clicksIn(await mailTo(at("ada")))) await visit(url);
    const { points } = await of("/series");
    expect(points[0]).toMatchObject({ opened: 0, clicked: 0 });
    const { data } = await of("/links");
    for (const { places } of data) for (const place of places) expect(place).toMatchObject({ clicks: 0, people: 0 });
  });

  it("is counted later for a campaign of an earlier version, in slices, and nothing twice", async () => {
    await sendCampaign(team, campaign);
    await open("ada");
    advance(3 * HOUR);
    await visit(clicksIn(await mailTo(at("bob")))[0] ?? "");
    advance(9 * DAY);
    const [hours, days] = [await of("/series"), await of("/series?unit=day")];
    await team.run("UPDATE message_counts SET sent_times = NULL");
    await team.run("UPDATE message_engagement SET opened_times = NULL, clicked_times = NULL");
    await team.run("UPDATE campaigns SET not_selected = NULL, not_on_list = NULL");
    await team.run("DELETE FROM kept_counts WHERE name = 'times of campaigns'");
    expect((await of("/series")).points[0]).toMatchObject({ sent: 0, opened: 0 });
    const slice = () => team.inside((sql) => timesChore.run(sql, Date.now(), 2));
    await slice();
    advance(1_000);
    await open("cy");
    for (let n = 0; n < 3; n++) await slice();
    expect(await team.inside((sql) => timesChore.next(sql))).toBe(Number.POSITIVE_INFINITY);
    expect((await of("/series")).points).toEqual(hours.points);
    const after = await of("/series?unit=day");
    expect(after.points.slice(0, -1)).toEqual(days.points.slice(0, -1));
    expect(after.points.at(-1)).toMatchObject({ sent: 0, opened: 1, clicked: 0 });
  });

  it.each(["week", "Hour"])("refuses another unit: %j", async (unit) => {
    const { status, json } = await team.admin("GET", `/campaigns/${campaign.id}/series?unit=${unit}`);
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", "unit"]);
  });

  it("is none of an unknown campaign", async () => {
    const { status, json } = await team.admin("GET", "/campaigns/cmp_none/series");
    expect([status, json.code]).toEqual([404, "campaign_not_found"]);
  });
});

describe("the places of links", () => {
  const placesOf = async () => {
    const { data } = await of("/links");
    return data.map(({ url, places }: { url: string | null; places: object[] }) => ({ url, places }));
  };

  it("are those of the content, in order, also before anybody clicks", async () => {
    const none = { clicks: 0, people: 0 };
    expect(await placesOf()).toEqual([
      {
        url: SALE,
        places: [
          { place: 1, kind: "text", text: "Sale", ...none },
          { place: 3, kind: "button", text: 'Take the "offer"', ...none },
        ],
      },
      { url: "https://shop.example.com/two", places: [{ place: 2, kind: "text", text: "Two", ...none }] },
      { url: null, places: [{ place: 4, kind: "text", text: "Yours", ...none }] },
    ]);
  });

  it("tell apart where the same address was clicked, and count a person once at each", async () => {
    await sendCampaign(team, campaign);
    const clicksOf = async (name: string) => clicksIn(await mailTo(at(name)));
    const [text, , button, own] = await clicksOf("ada");
    // Outlook's button has the same address as the others'.
    expect(await clicksOf("ada")).toHaveLength(4);
    for (const url of [text, button]) await visit(url ?? "");
    advance(60_000);
    for (const url of [button, own]) await visit(url ?? "");
    advance(60_000);
    await visit((await clicksOf("bob"))[2] ?? "");
    const { data } = await of("/links");
    expect(data[0]).toMatchObject({
      url: SALE,
      clicks: 4,
      people: 2,
      places: [
        { place: 1, clicks: 1, people: 1 },
        { place: 3, clicks: 3, people: 2 },
      ],
    });
    expect(data[2]).toMatchObject({ url: null, clicks: 1, people: 1, places: [{ place: 4, clicks: 1, people: 1 }] });
  });
});

describe("the results of a campaign", () => {
  it("name the campaign that was sent before it, with its counts", async () => {
    expect((await of("/results")).previous).toBeNull();
    await sendCampaign(team, campaign);
    await open("ada");
    const next = await makeCampaign(team, "Summer sale");
    const previous = {
      id: campaign.id,
      name: "Spring sale",
      startedAt: expect.stringMatching(/^2090-01-01T12:0/),
      sent: 3,
      delivered: 3,
      bounced: 0,
      opened: 1,
      clicked: 0,
      unsubscribed: 0,
      complained: 0,
    };
    expect((await of("/results", next)).previous).toEqual(previous);
    await sendCampaign(team, next);
    expect((await of("/results", next)).previous).toEqual(previous);
    expect((await of("/results")).previous).toBeNull();
  });

  it("say how many contacts were no recipients, and why", async () => {
    expect((await of("/results")).leftOut).toBeNull();
    const list = (await team.admin("POST", "/lists", { name: "News" })).json.id;
    for (const name of ["ada", "bob"])
      await team.put("/contacts/update", { email: at(name), mailingLists: { [list]: name === "ada" } });
    const filter = {
      match: "all",
      conditions: [{ type: "property", key: "firstName", operator: "notEquals", value: "cy" }],
    };
    const few = await makeCampaign(team, "Few", undefined, { mailingListId: list, audienceFilter: filter });
    await sendCampaign(team, few);
    expect(await of("/results", few)).toMatchObject({ recipients: 1, leftOut: { notSelected: 1, notOnList: 1 } });
  });

  it("are counts in the list of campaigns too", async () => {
    await sendCampaign(team, campaign);
    await open("ada");
    await makeCampaign(team, "Summer sale");
    const { data } = (await team.admin("GET", "/campaigns")).json;
    expect(data.map(({ name, results }: { name: string; results: object | null }) => [name, results])).toEqual([
      ["Summer sale", null],
      ["Spring sale", { sent: 3, delivered: 3, bounced: 0, opened: 1, clicked: 0, unsubscribed: 0, complained: 0 }],
    ]);
  });
});
