import { beforeEach, describe, expect, it } from "vitest";
import { advance, arranged, createTeam, START, type Team } from "../../bench.ts";

// Every refusal of the operations: status, code, path, and no writes. Shared refusals are in
// test/workerd/email/http/content.test.ts.

const arrangement = arranged(async () => {
  const team = await createTeam({ createProperties: true });
  await team.post("/contacts/create", { email: "ada@example.com", plan: "pro", seats: 3 });
  await team.admin("POST", "/lists", { name: "News" });
  await team.admin("POST", "/lists", { name: "Old" });
  await team.run("UPDATE mailing_lists SET id = 'lst_' || lower(name)");
  await team.admin("POST", "/lists/lst_old", { isArchived: true });
  await team.post("/transactional-groups", { name: "Other kind" });
  await team.run("UPDATE content_groups SET id = 'grp_other' WHERE kind = 'transactional'");
  const { id, emailMessageId: message } = (await team.post("/campaigns", { name: "Spring sale" })).json;
  return { team, id, message };
});

let team: Team;
let id: string;
let message: string;
beforeEach(() => {
  ({ team, id, message } = arrangement());
});

type Case = [fields: object, status: number, code: string, path: string | undefined];

const refused = async (path: string, [body, status, code, field]: Case) => {
  const before = await team.everything();
  advance(1_000);
  const { status: answered, json, text } = await team.post(path, body);
  const what = `${JSON.stringify(body)}: ${text.slice(0, 300)}`;
  expect([answered, json.code, json.path, json.success], what).toEqual([status, code, field, false]);
  expect(json.message.length, what).toBeGreaterThan(15);
  expect(await team.everything(), what).toBe(before);
  return json.message as string;
};

const property = (more: object) => ({ type: "property", key: "plan", operator: "equals", value: "pro", ...more });
const filterOf = (...conditions: object[]) => ({ audienceFilter: { match: "all", conditions } });
const activity = (target: string, at = "cmp_none") => ({
  type: "activity",
  action: "opened",
  negate: false,
  target,
  id: at,
});
const scheduled = (timestamp: unknown) => ({ scheduling: { method: "schedule", timestamp } });
const invalid = (fields: object, path: string | undefined): Case => [fields, 400, "invalid_request", path];

const ofFields: Case[] = [
  invalid({ name: "  " }, "name"),
  invalid({ name: 5 }, "name"),
  invalid({ name: "x".repeat(256) }, "name"),
  ...["\u0000", "\r", "\n", "\u001b", "\u0085", "\u2028", "\u202e", "\u2066"].map((character) =>
    invalid({ name: `Spring${character}sale` }, "name"),
  ),
  invalid({ color: "red" }, "color"),
  invalid({ status: "Sent" }, "status"),
  invalid({ emailMessageId: "msg_1" }, "emailMessageId"),
  invalid({ campaignGroupId: 5 }, "campaignGroupId"),
  invalid({ mailingListId: "x".repeat(101) }, "mailingListId"),
  invalid({ audienceSegmentId: ["seg_1"] }, "audienceSegmentId"),
  [{ campaignGroupId: "grp_none" }, 400, "unknown_campaign_group", "campaignGroupId"],
  [{ campaignGroupId: "grp_other" }, 400, "unknown_campaign_group", "campaignGroupId"],
  [{ mailingListId: "lst_none" }, 404, "mailing_list_not_found", "mailingListId"],
  [{ mailingListId: "" }, 404, "mailing_list_not_found", "mailingListId"],
  [{ mailingListId: "lst_old" }, 400, "mailing_list_archived", "mailingListId"],
  [{ audienceSegmentId: "seg_none" }, 404, "segment_not_found", "audienceSegmentId"],
  invalid({ audienceFilter: { match: "some", conditions: [property({})] } }, "audienceFilter.match"),
  invalid(filterOf(), "audienceFilter.conditions"),
  invalid(filterOf(property({ extra: 1 })), "audienceFilter.conditions.0.extra"),
  [filterOf(property({ key: "none" })), 400, "unknown_property", "audienceFilter.conditions.0.key"],
  [filterOf(property({ operator: "greaterThan" })), 400, "invalid_filter", "audienceFilter.conditions.0.operator"],
  [
    filterOf(...Array.from({ length: 51 }, () => property({}))),
    ...([400, "too_many_conditions", "audienceFilter.conditions"] as const),
  ],
  [filterOf(property({}), activity("campaign")), 404, "campaign_not_found", "audienceFilter.conditions.1.id"],
  [filterOf(activity("workflow")), 404, "workflow_not_found", "audienceFilter.conditions.0.id"],
  [filterOf(activity("workflowEmail")), 404, "email_message_not_found", "audienceFilter.conditions.0.id"],
  invalid({ scheduling: {} }, "scheduling.method"),
  invalid({ scheduling: { method: "later" } }, "scheduling.method"),
  invalid({ scheduling: { method: "now", zone: "UTC" } }, "scheduling.zone"),
  invalid({ scheduling: { method: "schedule" } }, "scheduling.timestamp"),
  invalid(scheduled(null), "scheduling.timestamp"),
  invalid(scheduled(true), "scheduling.timestamp"),
  invalid(scheduled("tomorrow"), "scheduling.timestamp"),
  invalid(scheduled(START), "scheduling.timestamp"),
  invalid(scheduled("2091-06-01T00:00:00Z"), "scheduling.timestamp"),
  invalid(scheduled("2090-06-01T12:00"), "scheduling.timestamp"),
  invalid({ scheduling: { method: "now", timestamp: "2090-06-01T12:00:00Z" } }, "scheduling.timestamp"),
];

describe("a campaign is not created", () => {
  it("with a wrong field", async () => {
    for (const [fields, ...rest] of [invalid({ name: undefined }, "name"), ...ofFields])
      await refused("/campaigns", [{ name: "A", ...fields }, ...rest]);
  });

  it("when the team has 10,000", async () => {
    await team.run(
      `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       INSERT INTO campaigns (n, id, name, content_group, message, method, status, created_at, updated_at)
       SELECT i, 'cmp_' || i, 'C', 2, 1, 'now', 'Sent', 0, 0 FROM n`,
    );
    await refused("/campaigns", [{ name: "A" }, 400, "too_many_campaigns", undefined]);
  });
});

describe("a campaign is not changed", () => {
  it("with a wrong field", async () => {
    for (const one of ofFields) await refused(`/campaigns/${id}`, one);
  });

  it("without a field to change", async () => {
    for (const body of [{}, { campaignGroupId: null, scheduling: null, name: null }])
      await refused(`/campaigns/${id}`, invalid(body, undefined));
  });

  it.each([
    ["Scheduled", null, "Unschedule it first"],
    ["Sending", "sending", "is sending"],
    ["Sent", "done", "has been sent"],
    ["Sent", "cancelled", "was cancelled"],
  ])("in anything but its name and group: %s, %s", async (status, state, words) => {
    await team.run("UPDATE campaigns SET status = ?, state = ?", status, state);
    for (const [field, value] of Object.entries({
      mailingListId: null,
      audienceSegmentId: null,
      audienceFilter: null,
      scheduling: { method: "now" },
    })) {
      const one: Case = [{ name: "New", [field]: value }, 409, "campaign_not_draft", field];
      expect(await refused(`/campaigns/${id}`, one)).toContain(words);
    }
    await refused(`/campaigns/${id}`, [{ mailingListId: "lst_none" }, 409, "campaign_not_draft", "mailingListId"]);
    const text = { subject: "New" };
    const locked: Case = [text, 409, "email_message_locked", "emailMessageId"];
    expect(await refused(`/email-messages/${message}`, locked)).toContain(words);
  });
});

it.each(["ccEmail", "bccEmail"])("its message has no copies: %s", async (field) => {
  const copy = { [field]: "boss@example.com" };
  await refused(`/email-messages/${message}`, [copy, 400, "invalid_request", field]);
  expect((await team.post(`/email-messages/${message}`, { [field]: "", subject: "A" })).status).toBe(200);
});

it("one that does not exist is 404 everywhere, and one with a long id 400", async () => {
  await refused("/campaigns/cmp_none", [{ name: "A" }, 404, "campaign_not_found", "campaignId"]);
  for (const path of ["/campaigns/cmp_none", "/campaigns/cmp_none/metrics"]) {
    const { status, json } = await team.get(path);
    expect([status, json.code, json.path]).toEqual([404, "campaign_not_found", "campaignId"]);
    expect(json.message).toContain("cmp_none");
    expect((await team.get(path.replace("cmp_none", "x".repeat(101)))).json).toMatchObject({ path: "campaignId" });
  }
  expect((await team.get("/campaigns?perPage=9")).json.path).toBe("perPage");
  expect((await team.get("/campaigns?cursor=x")).json.path).toBe("cursor");
});
