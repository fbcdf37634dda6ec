import type { AudienceFilter, LoopsClient } from "loops";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Mailspan, startMailspan } from "../system/mailspan.ts";
import { type Answer, failure, isCampaignMethod, methodsOf, operator, pacedClient, pagination } from "./official.ts";
import { expectShape, type Shape } from "./shapes.ts";

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startMailspan();
});
afterAll(() => mailspan.stop());

const used = new Set<string>();

let client: LoopsClient;
let list: string;
let serial = 0;
beforeEach(async () => {
  const team = `campaigns-${serial++}`;
  await operator(mailspan, "", { id: team, name: "Campaigns" });
  const { key } = await operator(mailspan, `/${team}/keys`, { name: "test" });
  list = (await operator(mailspan, `/${team}/lists`, { name: "News" })).id;
  client = pacedClient(mailspan, key, used);
});

const text = { string: true } as const;
const textOrNull = { string: true, null: true } as const;
const campaign: Shape<Answer<"getCampaign">> = {
  id: text,
  url: text,
  name: text,
  status: text,
  createdAt: text,
  updatedAt: text,
  emailMessageId: textOrNull,
  campaignGroupId: textOrNull,
  mailingListId: textOrNull,
  audienceSegmentId: textOrNull,
  audienceFilter: { object: true, null: true },
  scheduling: { object: true },
};
const FILTER: AudienceFilter = {
  match: "all",
  conditions: [{ type: "property", key: "subscribed", operator: "isTrue" }],
};

it("creates a campaign, fills its message, changes, shows and lists it", async () => {
  const timestamp = new Date(Date.now() + 86_400_000).toISOString();
  const { id: campaignGroupId } = await client.createCampaignGroup({ name: "Sales" });
  const { id: audienceSegmentId } = await client.createAudienceSegment({ name: "Subscribed", filter: FILTER });
  const created = await client.createCampaign({ name: "Spring sale" });
  expectShape(created, { ...campaign, emailMessageContentRevisionId: textOrNull });
  expect(created).toMatchObject({ status: "Draft", scheduling: { method: "now", timestamp: null } });
  const message = await client.updateEmailMessage(created.emailMessageId as string, {
    expectedRevisionId: created.emailMessageContentRevisionId as string,
    subject: "Sale",
    fromName: "Acme",
    fromEmail: "news",
    lmx: "<Paragraph>Hello {contact.firstName}</Paragraph>",
  });
  expect(message).toMatchObject({ campaignId: created.id, subject: "Sale" });
  const fields = { name: "Summer sale", campaignGroupId, mailingListId: list, audienceSegmentId };
  const scheduling = { method: "schedule" as const, timestamp };
  const changed = await client.updateCampaign(created.id, { ...fields, audienceFilter: FILTER, scheduling });
  expectShape(changed, campaign);
  expect(changed).toMatchObject({ ...fields, audienceFilter: FILTER, scheduling });
  expect(await client.updateCampaign(created.id, { audienceFilter: null, mailingListId: null })).toMatchObject({
    audienceSegmentId,
    audienceFilter: null,
    mailingListId: null,
  });
  const shown = await client.getCampaign(created.id);
  const page = await client.listCampaigns({ perPage: 10 });
  expectShape(page.pagination, pagination);
  expect(page.data).toEqual([shown]);
});

it("gets refusals as its errors", async () => {
  const { id } = await client.createCampaign({ name: "Spring sale" });
  const timestamp = new Date(Date.now() - 1_000).toISOString();
  const codeOf = async (promise: Promise<unknown>) => {
    const { statusCode, json } = await failure(promise);
    return [statusCode, (json as { code?: string }).code];
  };
  expect(await codeOf(client.getCampaign("cmp_none"))).toEqual([404, "campaign_not_found"]);
  expect(await codeOf(client.updateCampaign(id, {}))).toEqual([400, "invalid_request"]);
  expect(await codeOf(client.updateCampaign(id, { mailingListId: "lst_none" }))).toEqual([
    404,
    "mailing_list_not_found",
  ]);
  expect(await codeOf(client.createCampaign({ name: "A", campaignGroupId: "grp_none" }))).toEqual([
    400,
    "unknown_campaign_group",
  ]);
  expect(await codeOf(client.createCampaign({ name: "A", scheduling: { method: "schedule", timestamp } }))).toEqual([
    400,
    "invalid_request",
  ]);
});

it("got an answer for every method of campaigns", () => {
  const own = methodsOf().filter(isCampaignMethod);
  expect(own.length).toBeGreaterThan(3);
  expect(own.filter((name) => !used.has(name))).toEqual([]);
});
