import { beforeEach, describe, expect, it } from "vitest";
import { contactInRow } from "../../../../../src/email/workspace/contacts/row.ts";
import { launch } from "../../../../../src/email/workspace/launch/launch.ts";
import { reasonNotToMarket } from "../../../../../src/email/workspace/sending/gate.ts";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { contextOf } from "../counted.ts";
import { act, addContacts, addReady } from "./launching.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
  await team.post("/contacts/properties", { name: "seats", type: "number" });
});

const seats = (operator: string, value: number) => ({
  audienceFilter: { match: "all", conditions: [{ type: "property", key: "seats", operator, value }] },
});
const estimate = async (id: string, body: object = {}) => {
  const { status, json } = await act(team, id, "estimate", body);
  expect([status, json], JSON.stringify(json)).toMatchObject([200, { exact: expect.any(Boolean) }]);
  return json;
};
const set = (path: string, value: string, where: string) =>
  team.run(`UPDATE contacts SET data = jsonb_set(data, '${path}', jsonb(?)) WHERE ${where}`, value);

describe("an estimate", () => {
  it("counts who gets the campaign, and who does not, by reason", async () => {
    const list = (await team.admin("POST", "/lists", { name: "News" })).json.id;
    await addContacts(team, 40);
    await set("$.mailingLists", JSON.stringify({ [list]: true }), "n % 10 <> 4");
    await set("$.subscribed", "false", "n = 1");
    await set("$.optInStatus", '"pending"', "n = 2");
    await set("$.optInStatus", '"rejected"', "n = 3");
    await team.admin("POST", "/suppressions", { email: "p5@example.com" });
    await team.run("UPDATE contacts SET email = NULL, email_key = NULL, user_id = 'u6' WHERE n = 6");
    const { id } = await addReady(team, { mailingListId: list, ...seats("lessThan", 7) });
    const whole = { recipients: 19, exact: true, low: 19, high: 19, matching: 28, total: 40 };
    expect(await estimate(id)).toEqual({
      ...whole,
      excluded: { unsubscribed: 1, not_confirmed: 2, not_on_list: 4, suppressed: 1, no_email: 1 },
    });
    expect((await act(team, id, "launch", { dryRun: true })).json.recipients).toEqual({ estimate: 19, exact: true });
  });

  it("leaves out contacts without a value of a variable that has no fallback", async () => {
    await addContacts(team, 40);
    await set("$.firstName", '"Ada"', "n > 10");
    await set("$.properties.seats", "null", "n = 40");
    await set("$.subscribed", "false", "n = 1");
    const lmx =
      "<Paragraph>{contact.firstName} {contact.seats} {contact.plan} {contact.id} {contact.createdAt}</Paragraph>";
    const content = {
      subject: "A",
      fromName: "Acme",
      fromEmail: "news",
      lmx,
      contactPropertiesFallbacks: { plan: "free" },
    };
    await team.post("/contacts/properties", { name: "plan", type: "string" });
    const { id } = await addReady(team, {}, content);
    const excluded = { unsubscribed: 1, missing_variables: 10 };
    expect(await estimate(id)).toMatchObject({ recipients: 29, exact: true, matching: 40, excluded });
    expect((await act(team, id, "launch", { expected: 40 })).json.code).toBe("audience_changed");
    expect((await act(team, id, "launch", { expected: 29 })).json.status).toBe("Sending");
    for (let n = 0; n < 5; n++) {
      await runAlarm(team.stub);
      advance(1_500);
    }
    const { delivery } = (await team.get(`/campaigns/${id}`)).json;
    expect(delivery).toMatchObject({ state: "done", recipients: 40, sent: 29, skipped: 11 });
  });

  it("is of the segment too, which a later edit changes only before the launch", async () => {
    await addContacts(team, 40);
    const { audienceFilter: filter } = seats("lessThan", 5);
    const segment = (await team.post("/audience-segments", { name: "Few", filter })).json.id;
    const scheduling = { method: "schedule", timestamp: Date.now() + 3_600_000 };
    const { id } = await addReady(team, { audienceSegmentId: segment, ...seats("greaterThan", 2), scheduling });
    expect(await estimate(id)).toMatchObject({ recipients: 8, matching: 8, excluded: {}, total: 40 });
    const edit = (value: number) =>
      team.admin("POST", `/audience-segments/${segment}`, { filter: seats("lessThan", value).audienceFilter });
    await edit(4);
    expect(await estimate(id)).toMatchObject({ recipients: 4 });
    expect((await act(team, id, "launch", { expected: 4 })).json.status).toBe("Scheduled");
    await edit(9);
    expect(await estimate(id)).toMatchObject({ recipients: 4 });
  });

  it("leaves out a forgotten person who was added again", async () => {
    await addContacts(team, 3);
    await team.admin("POST", "/suppressions", { email: "p2@example.com" });
    await team.admin("POST", "/forget", { emails: ["p2@example.com"] });
    await team.post("/contacts/create", { email: "p2@example.com" });
    const { id } = await addReady(team);
    const [{ digests } = { digests: 0 }] = await team.rows(
      "SELECT count(*) AS digests FROM suppressions WHERE email_key LIKE 'sha256:%'",
    );
    expect(digests).toBe(1);
    expect(await estimate(id)).toMatchObject({ recipients: 2, matching: 3, excluded: { suppressed: 1 }, total: 3 });
  });

  it("is 0 for a team without contacts", async () => {
    const { id } = await addReady(team);
    expect(await estimate(id)).toEqual({
      ...{ recipients: 0, exact: true, low: 0, high: 0, matching: 0, excluded: {}, total: 0 },
    });
  });

  it("samples a large team, and counts it when asked to", async () => {
    await addContacts(team, 30_000);
    await set("$.subscribed", "false", "n % 5 = 0");
    const { id } = await addReady(team, seats("lessThan", 5));
    const { recipients, low, high, ...rough } = await estimate(id);
    expect(rough).toMatchObject({ exact: false, total: 30_000 });
    expect(low).toBeLessThanOrEqual(12_000);
    expect(high).toBeGreaterThanOrEqual(12_000);
    expect(rough.matching).toBe(recipients + rough.excluded.unsubscribed);
    expect(await estimate(id, { exact: true })).toEqual({
      ...{ recipients: 12_000, exact: true, low: 12_000, high: 12_000 },
      ...{ matching: 15_000, excluded: { unsubscribed: 3_000 }, total: 30_000 },
    });
    // A launch counts everybody.
    expect((await act(team, id, "launch", { expected: 11_000 })).json).toMatchObject({ recipients: 12_000 });
    expect((await act(team, id, "launch", { expected: 12_000 })).json).toMatchObject({
      ...{ status: "Sending", recipients: { estimate: 12_000, exact: true } },
    });
  });

  it("judges each contact as its mail will be judged", async () => {
    const list = (await team.admin("POST", "/lists", { name: "News" })).json.id;
    await addContacts(team, 600);
    await set("$.subscribed", "false", "n % 7 = 0");
    await set("$.optInStatus", '"pending"', "n % 11 = 0");
    await set("$.optInStatus", '"accepted"', "n % 11 = 1");
    await set("$.mailingLists", JSON.stringify({ [list]: true }), "n % 3 > 0");
    await set("$.mailingLists", JSON.stringify({ [list]: false }), "n % 13 = 0");
    await team.run("INSERT INTO suppressions SELECT email_key, 'bounce', 1 FROM contacts WHERE n % 17 = 0");
    await team.run("UPDATE contacts SET email = NULL, email_key = NULL, user_id = 'u' || n WHERE n % 19 = 0");
    for (const mailingListId of [list, null]) {
      const { id } = await addReady(team, { mailingListId });
      const { excluded, recipients } = await estimate(id);
      const expected = await team.inside((sql) => {
        const counts: Record<string, number> = {};
        for (let n = 1; n <= 600; n++) {
          const contact = contactInRow(sql, n);
          const reason = (contact && reasonNotToMarket(sql, contact, mailingListId)) ?? "recipients";
          counts[reason] = (counts[reason] ?? 0) + 1;
        }
        return counts;
      });
      expect({ recipients, ...excluded }).toEqual(expected);
    }
  });
});

describe("an estimate is refused", () => {
  it.each([
    [{ exact: "yes" }, "exact"],
    [{ dryRun: true }, "dryRun"],
  ])("with %j", async (body, path) => {
    const { id } = await addReady(team);
    expect((await act(team, id, "estimate", body)).json).toMatchObject({ code: "invalid_request", path });
  });

  it("of a campaign of another team", async () => {
    const { id } = await addReady(await createTeam({ id: "other" }));
    const { status, json } = await act(team, id, "estimate");
    expect([status, json.code, json.path]).toEqual([404, "campaign_not_found", "campaignId"]);
  });

  it("where the audience names something that is gone", async () => {
    const { id } = await addReady(team, seats("lessThan", 5));
    await team.run("DELETE FROM properties");
    const { status, json } = await act(team, id, "estimate");
    expect([status, json.code, json.path]).toEqual([400, "campaign_not_ready", "audienceFilter.conditions.0.key"]);
    expect(json.message).toMatch(/^The audience of the campaign cannot be evaluated\. .*"seats"/);
  });
});

it("a launch is refused when the audience was edited while it was counted", async () => {
  await addContacts(team, 40);
  const { id } = await addReady(team, seats("lessThan", 5));
  const counted = { of: "[null,[]]", recipients: 40, excluded: {}, total: 40 };
  const input = { team: "acme", campaignId: id, expected: 40, dryRun: false, counted };
  const before = await team.everything();
  const answer = await team.inside((sql) => launch(contextOf(sql), input));
  const message = "The audience of the campaign was edited just now. Estimate it, and launch again.";
  expect(answer).toEqual({ refusal: { code: "audience_changed", path: "campaignId", message } });
  expect(await team.everything()).toBe(before);
});
