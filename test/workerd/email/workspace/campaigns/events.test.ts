import { beforeEach, expect, it, vi } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";
import { linksOf, pictureIn, visit } from "../../marketing.ts";
import { addWebhook, delivered, type Received, receive } from "../webhooks/receiver.ts";
import { type Made, mailTo, makeCampaign, sendCampaign } from "./recipients.ts";

isolated();

const ADA = "ada@example.com";
const NONE = { sends: 0, opens: 0, clicks: 0, unsubscribes: 0, spamReports: 0, hardBounces: 0, softBounces: 0 };

let team: Team;
let received: Received[];
let list: string;
let campaign: Made;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  ({ received } = receive());
  team = await createTeam();
  list = (await team.admin("POST", "/lists", { name: "News", visibility: "public" })).json.id;
  await team.post("/contacts/create", { email: ADA, userId: "u1", mailingLists: { [list]: true } });
  const lmx = '<Paragraph><Link href="https://shop.example.com/">Shop</Link></Paragraph>';
  campaign = await makeCampaign(team, "Spring sale", lmx, { mailingListId: list });
});

const sent = async () => {
  await sendCampaign(team, campaign);
  return mailTo(ADA);
};
const bodies = async () => {
  await delivered(team);
  return received.splice(0).map(({ body }) => body);
};
const metrics = async () => (await team.get(`/campaigns/${campaign.id}/metrics`)).json;

it("a mail of a campaign is reported as sent, with its campaign and its mailing list", async () => {
  await addWebhook(team);
  await sent();
  const [row] = await team.rows("SELECT id FROM sends");
  expect(await bodies()).toEqual([
    {
      eventName: "campaign.email.sent",
      eventTime: expect.any(Number),
      webhookSchemaVersion: "1.0.0",
      contactIdentity: { id: expect.stringMatching(/^con_/), email: ADA, userId: "u1" },
      email: { id: row?.id, emailMessageId: campaign.emailMessageId, subject: "Sale" },
      campaignId: campaign.id,
      campaignName: "Spring sale",
      mailingLists: [{ id: list, name: "News", description: expect.anything(), isPublic: true }],
    },
  ]);
});

it("what its recipient does is reported with the campaign, and counted", async () => {
  await addWebhook(team);
  expect(await metrics()).toEqual(NONE);
  const { html } = await sent();
  await bodies();
  expect(await metrics()).toEqual({ ...NONE, sends: 1 });
  await visit(pictureIn(html));
  await visit(linksOf(html).find((url) => url.includes("/t/c/")) ?? "");
  const events = await bodies();
  expect(events.map(({ eventName }) => eventName).sort()).toEqual(["email.clicked", "email.opened"]);
  for (const event of events) expect(event).toMatchObject({ sourceType: "campaign", campaignId: campaign.id });
  expect(await metrics()).toEqual({ ...NONE, sends: 1, opens: 1, clicks: 1 });
  const [row] = await team.rows("SELECT n FROM sends");
  await team.stub.feedback("mail", [{ n: row?.n as number, feedback: [{ kind: "complaint", message: "spam" }] }]);
  expect((await bodies()).find(({ eventName }) => eventName === "email.spamReported")).toMatchObject({
    sourceType: "campaign",
    campaignId: campaign.id,
  });
  expect(await metrics()).toEqual({ ...NONE, sends: 1, opens: 1, clicks: 1, spamReports: 1 });
});
