import { beforeEach, describe, expect, it } from "vitest";
import { contactInRow } from "../../../../../src/email/workspace/contacts/contact-rows.ts";
import { cursorOf, readCursor } from "../../../../../src/email/workspace/core/cursor.ts";
import { countForSend, goOn } from "../../../../../src/email/workspace/operator/campaigns/count-audience.ts";
import { estimate as estimateOf } from "../../../../../src/email/workspace/operator/campaigns/handlers.ts";
import { openedCursor, sealedCursor } from "../../../../../src/email/workspace/operator/campaigns/sealed-cursor.ts";
import { sendCampaign } from "../../../../../src/email/workspace/operator/campaigns/send.ts";
import { reasonNotToMarket } from "../../../../../src/email/workspace/sending/gate.ts";
import { readTeam } from "../../../../../src/email/workspace/team/team.ts";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { contextOf, counted } from "../counted.ts";
import { pumpSlices } from "./bench.ts";
import { act, addContacts, addReady } from "./ready-campaign.ts";

isolated();

/** API_KEY_SECRET of test/workerd/wrangler.toml. */
const SECRET = "test-key-secret";

let team: Team;
beforeEach(async () => {
  team = await createTeam();
  await team.post("/contacts/properties", { name: "seats", type: "number" });
});

const seats = (operator: string, value: number, key = "seats") => ({
  audienceFilter: { match: "all", conditions: [{ type: "property", key, operator, value }] },
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
      next: null,
    });
    expect((await act(team, id, "send", { dryRun: true })).json.recipients).toEqual({ estimate: 19, exact: true });
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
    expect((await act(team, id, "send", { expected: 40 })).json.code).toBe("audience_changed");
    expect((await act(team, id, "send", { expected: 29 })).json.status).toBe("Sending");
    for (let n = 0; n < 5; n++) {
      await runAlarm(team.stub);
      advance(1_500);
    }
    const { delivery } = (await team.get(`/campaigns/${id}`)).json;
    expect(delivery).toMatchObject({ state: "done", recipients: 40, sent: 29, skipped: 11 });
  });

  it("is of the segment too, which a later edit changes only before sending", async () => {
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
    expect((await act(team, id, "send", { expected: 4 })).json.status).toBe("Scheduled");
    await edit(9);
    expect(await estimate(id)).toMatchObject({ recipients: 4 });
  });

  it("leaves out an erased person who was added again", async () => {
    await addContacts(team, 3);
    await team.admin("POST", "/suppressions", { email: "p2@example.com" });
    await team.admin("POST", "/erase", { emails: ["p2@example.com"] });
    await team.post("/contacts/create", { email: "p2@example.com" });
    const { id } = await addReady(team);
    const [{ digests } = { digests: 0 }] = await team.rows(
      "SELECT count(*) AS digests FROM suppressions WHERE email_key LIKE 'sha256:%'",
    );
    expect(digests).toBe(1);
    expect(await estimate(id)).toMatchObject({ recipients: 2, matching: 3, excluded: { suppressed: 1 }, total: 3 });
  });

  it("is of another audience than the campaign has, which stays as it is", async () => {
    const list = (await team.admin("POST", "/lists", { name: "News" })).json.id;
    await addContacts(team, 40);
    await set("$.mailingLists", JSON.stringify({ [list]: true }), "n <= 10");
    const segment = (
      await team.post("/audience-segments", { name: "Few", filter: seats("lessThan", 5).audienceFilter })
    ).json.id;
    const { id } = await addReady(team, seats("lessThan", 1));
    const before = (await team.get(`/campaigns/${id}`)).json;
    expect(await estimate(id, { audience: {} })).toMatchObject({ recipients: 40, matching: 40, exact: true });
    expect(await estimate(id, { audience: { mailingListId: list } })).toMatchObject({
      recipients: 10,
      matching: 40,
      excluded: { not_on_list: 30 },
    });
    const both = { mailingListId: null, audienceSegmentId: segment, ...seats("greaterThan", 2) };
    expect(await estimate(id, { audience: both, exact: true })).toMatchObject({
      recipients: 8,
      matching: 8,
      total: 40,
    });
    expect((await team.get(`/campaigns/${id}`)).json).toEqual(before);
    expect(await estimate(id)).toMatchObject({ recipients: 4 });
  });

  it("is 0 for a team without contacts", async () => {
    const { id } = await addReady(team);
    expect(await estimate(id)).toEqual({
      recipients: 0,
      exact: true,
      low: 0,
      high: 0,
      matching: 0,
      excluded: {},
      total: 0,
      next: null,
    });
  });

  describe("of a large team", () => {
    let id: string;
    beforeEach(async () => {
      await addContacts(team, 60_000);
      await set("$.subscribed", "false", "n % 5 = 0");
      ({ id } = await addReady(team, seats("lessThan", 5)));
    });

    const countAll = async () => {
      const answers = [await estimate(id, { exact: true })];
      for (let next = answers[0].next; next !== null; next = answers.at(-1).next)
        answers.push(await estimate(id, { exact: true, cursor: next }));
      return answers;
    };
    const whole = {
      recipients: 24_000,
      exact: true,
      low: 24_000,
      high: 24_000,
      matching: 30_000,
      excluded: { unsubscribed: 6_000 },
      total: 60_000,
      next: null,
    };
    const sent = async (body: object) => (await act(team, id, "send", body)).json;

    it("is from a sample", async () => {
      const { recipients, low, high, ...rough } = await estimate(id);
      expect(rough).toMatchObject({ exact: false, total: 60_000, next: null });
      expect(low).toBeLessThanOrEqual(24_000);
      expect(high).toBeGreaterThanOrEqual(24_000);
      expect(rough.matching).toBe(recipients + rough.excluded.unsubscribed);
      expect((await sent({ dryRun: true })).recipients.exact).toBe(false);
    });

    it("counts a part in each request when it is asked to, and everybody in the end", async () => {
      const answers = await countAll();
      expect(answers.at(-1)).toEqual(whole);
      const parts = answers.slice(0, -1);
      expect(parts.length).toBeGreaterThan(1);
      for (const { exact, low, high, recipients, total, matching, excluded } of parts) {
        expect(exact).toBe(false);
        expect(low).toBeLessThan(24_000);
        expect(high).toBeGreaterThan(24_000);
        expect([recipients, total, matching, excluded]).toEqual([24_000, 60_000, 30_000, { unsubscribed: 6_000 }]);
      }
    });

    it("stops where the audience is edited meanwhile, and where the cursor is none", async () => {
      const { next } = await estimate(id, { exact: true });
      for (const cursor of ["x", "bnVsbA", next.slice(0, -6)])
        expect((await act(team, id, "estimate", { exact: true, cursor })).json).toMatchObject({
          code: "invalid_request",
          path: "cursor",
        });
      await team.post(`/campaigns/${id}`, seats("lessThan", 4));
      const { status, json } = await act(team, id, "estimate", { exact: true, cursor: next });
      expect([status, json.code, json.path]).toEqual([409, "audience_changed", "cursor"]);
    });

    it("takes no counts that a client made up, and none of another team or of before", async () => {
      const { next } = await estimate(id, { exact: true });
      const { of, ...seal } = await team.inside(async (sql) => {
        const context = contextOf(sql);
        const { counted } = await goOn(context, { team: "acme", campaignId: id, exact: true }, SECRET);
        return { of: counted?.of ?? "", team: readTeam(sql).slug, now: context.now };
      });
      const issued = await openedCursor({ ...seal, secret: SECRET }, of, next);
      if (typeof issued === "string") throw new Error(`The cursor of the answer is ${issued}.`);
      const made = (change: (value: [number, number, number, [string, number][]]) => unknown) =>
        cursorOf(change(readCursor(issued.cursor) as never));
      const sealedBy = (secret: string, cursor: string) => sealedCursor({ ...seal, secret }, of, cursor);
      const refused = async (cursor: string, of = id, by = team) => {
        const { status, json } = await act(by, of, "estimate", { exact: true, cursor });
        expect([status, json.code, json.path], cursor).toEqual([400, "invalid_request", "cursor"]);
      };
      for (const cursor of [
        made((value) => value),
        made(([digest, after, total]) => [digest, after, total, [["", 1]]]),
        made(([digest, after, total, reasons]) => [digest, after, total, [...reasons, ["bored", 7]]]),
        made(([digest, , total, reasons]) => [digest, 70_000, total, reasons]),
      ]) {
        await refused(cursor);
        await refused(await sealedBy("another secret", cursor));
      }
      for (const at of [0, 30, next.length - 10])
        await refused(next.slice(0, at) + (next[at] === "A" ? "Q" : "A") + next.slice(at + 1));
      const again = await sealedBy(SECRET, issued.cursor);
      expect((await act(team, id, "estimate", { exact: true, cursor: again })).status).toBe(200);
      const other = await createTeam({ id: "other" });
      await refused(next, (await addReady(other)).id, other);
      expect((await act(team, id, "estimate", { exact: true, cursor: next })).status).toBe(200);
      advance(600_001);
      await refused(next);
      expect((await sent({ dryRun: true })).recipients.exact).toBe(false);
    });

    it("is what sending compares with for ten minutes, so that it does not count again", async () => {
      await countAll();
      expect((await sent({ dryRun: true })).recipients).toEqual({ estimate: 24_000, exact: true });
      await set("$.subscribed", "false", "n % 3 = 0");
      expect(await sent({ expected: 16_000 })).toMatchObject({ code: "audience_changed", recipients: 24_000 });
      advance(600_000);
      const before = await team.everything();
      const old = await act(team, id, "send", { expected: 24_000 });
      expect([old.status, old.json]).toMatchObject([409, { code: "audience_not_counted", path: "campaignId" }]);
      expect(await team.everything()).toBe(before);
      await countAll();
      expect(await sent({ expected: 24_000 })).toMatchObject({ code: "audience_changed", recipients: 16_000 });
      expect(await sent({ expected: 16_000 })).toMatchObject({
        status: "Sending",
        recipients: { estimate: 16_000, exact: true },
      });
    });

    it("is kept where an exact count was asked for, and not where the team was small when an estimate began", async () => {
      const input = { team: "acme", campaignId: id, exact: true };
      const whole = { recipients: 24_000, excluded: { unsubscribed: 6_000 }, total: 60_000 };
      const isKeptBy = async (exact: boolean) => {
        await team.inside(async (sql) => {
          const goneOn = await goOn(contextOf(sql), input, "a secret");
          const all = { ...whole, of: goneOn.counted?.of ?? "" };
          estimateOf(contextOf(sql), { ...input, exact }, { counted: all });
        });
        return (await sent({ dryRun: true })).recipients.exact;
      };
      expect(await isKeptBy(false)).toBe(false);
      expect(await isKeptBy(true)).toBe(true);
    });

    it("is of no use to sending after an edit of the audience", async () => {
      await countAll();
      await team.post(`/campaigns/${id}`, seats("lessThan", 4));
      expect((await sent({ dryRun: true })).recipients.exact).toBe(false);
      expect(await sent({ expected: 24_000 })).toMatchObject({ code: "audience_not_counted" });
      await countAll();
      expect(await sent({ expected: 24_000 })).toMatchObject({ code: "audience_changed", recipients: 18_000 });
    });

    it("is made before sending, which reads a sample only, and says first what else the campaign lacks", async () => {
      const input = { team: "acme", campaignId: id, expected: 24_000, dryRun: false };
      const answer = await team.inside(async (sql) => {
        const { sql: measured, take } = counted(sql);
        const found = await countForSend({ sql: measured, now: Date.now(), campaignId: id });
        const mail = { envelope: undefined, envelopeClasses: [], inboxOnly: ["marketing" as const], notes: [] };
        const reply = sendCampaign({ ...contextOf(measured), mail }, input, found);
        return { reply, read: take().read };
      });
      expect(answer.reply).toMatchObject({ refusal: { code: "audience_not_counted" } });
      expect(answer.read).toBeLessThan(30_000);
      await team.run("DELETE FROM properties");
      expect(await sent({ expected: 24_000 })).toMatchObject({ code: "campaign_not_ready" });
    });

    it("holds a campaign that was sent or scheduled that has more recipients by then", async () => {
      await set("$.subscribed", "false", "n % 10 < 4");
      await countAll();
      await set("$.subscribed", "true", "n % 5 > 0");
      expect((await sent({ expected: 6_000 })).status).toBe("Sending");
      await team.inside((_, storage) => pumpSlices(storage, { slices: 200 }));
      expect((await team.get(`/campaigns/${id}`)).json.delivery).toMatchObject({
        state: "held",
        reason: "more_recipients",
        sent: 0,
      });
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
    await team.run(
      "INSERT INTO suppressions (email_key, reason, at) SELECT email_key, 'bounce', 1 FROM contacts WHERE n % 17 = 0",
    );
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

  it.each([
    [{ mailingListId: "lst_none" }, 400, "unknown_mailing_list", "audience.mailingListId"],
    [{ audienceSegmentId: "seg_none" }, 404, "segment_not_found", "audience.audienceSegmentId"],
    [seats("lessThan", 5, "gone"), 400, "unknown_property", "audience.audienceFilter.conditions.0.key"],
    [seats("contains", 5), 400, "invalid_filter", "audience.audienceFilter.conditions.0.operator"],
    [{ list: "lst_1" }, 400, "invalid_request", "audience.list"],
  ])("with the audience %j", async (audience, status, code, path) => {
    const { id } = await addReady(team);
    const answer = await act(team, id, "estimate", { audience });
    expect([answer.status, answer.json.code, answer.json.path]).toEqual([status, code, path]);
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

it("sending is refused when the audience was edited while it was counted", async () => {
  await addContacts(team, 40);
  const { id } = await addReady(team, seats("lessThan", 5));
  const counted = { of: "[null,[]]", recipients: 40, excluded: {}, total: 40 };
  const input = { team: "acme", campaignId: id, expected: 40, dryRun: false };
  const before = await team.everything();
  const answer = await team.inside((sql) => sendCampaign(contextOf(sql), input, counted));
  const message = "The audience of the campaign was edited just now. Estimate it, and send again.";
  expect(answer).toEqual({ refusal: { code: "audience_changed", path: "campaignId", message } });
  expect(await team.everything()).toBe(before);
});
