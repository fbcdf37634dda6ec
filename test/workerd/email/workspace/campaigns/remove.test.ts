import { beforeEach, describe, expect, it, vi } from "vitest";
import { control } from "../../../../../src/lib/contract/admin/email/campaigns/control.ts";
import { advance, createTeam, isolated, request, runAlarm, type Team } from "../../bench.ts";
import { act, addContacts, addReady } from "./ready-campaign.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
  await addContacts(team, 20);
});

const remove = async (id: string) => {
  advance(100);
  const { status, json } = await team.admin("DELETE", `/campaigns/${id}`);
  return { status, json };
};
const isThere = async (id: string) => (await team.get(`/campaigns/${id}`)).status === 200;
const count = async (query: string) => (await team.rows(`SELECT count(*) AS many ${query}`))[0]?.many;
const notOpened = (id: string) => ({
  match: "all",
  conditions: [{ type: "activity", action: "opened", negate: true, target: "campaign", id }],
});

describe("a draft of a campaign", () => {
  it("is deleted with its message and all its revisions, and no other one is", async () => {
    const other = await addReady(team, { name: "Other" });
    const theme = (await team.post("/themes", { name: "Brand" })).json;
    const lmx = `<Style theme="${theme.id}" /><Paragraph>Sale</Paragraph>`;
    const { id, message } = await addReady(team, {}, { subject: "Sale", fromName: "Acme", fromEmail: "news", lmx });
    const before = await count("FROM message_revisions");
    for (const one of [id, other.id])
      await team.run("INSERT INTO kept_counts VALUES (?, 1, '{}')", `audience of ${one}`);
    const { status, json } = await remove(id);
    expect([status, json]).toEqual([200, { success: true }]);
    expect(await team.rows("SELECT name FROM kept_counts")).toEqual([{ name: `audience of ${other.id}` }]);
    expect(control.remove.response.parse(json)).toEqual(json);
    expect(await isThere(id)).toBe(false);
    expect((await team.get(`/email-messages/${message}`)).json.code).toBe("email_message_not_found");
    expect(await count("FROM message_revisions")).toBe(Number(before) - 2);
    for (const table of ["message_revisions", "message_uses", "stale_messages", "kept_messages"])
      expect(await count(`FROM ${table} WHERE message NOT IN (SELECT n FROM email_messages)`), table).toBe(0);
    expect(await isThere(other.id)).toBe(true);
    expect((await team.get(`/email-messages/${other.message}`)).status).toBe(200);
    const again = await remove(id);
    expect([again.status, again.json.code, again.json.path]).toEqual([404, "campaign_not_found", "campaignId"]);
  });

  it("that was sent and taken back is deleted once its recipients are erased", async () => {
    const { id } = await addReady(team);
    expect((await act(team, id, "send", { expected: 20, delaySeconds: 30 })).json.status).toBe("Scheduled");
    expect((await act(team, id, "unschedule")).json.status).toBe("Draft");
    await runAlarm(team.stub);
    expect((await remove(id)).status).toBe(200);
    const held = await addReady(team);
    await team.run("UPDATE campaigns SET pass = 'cancel' WHERE id = ?", held.id);
    const early = await remove(held.id);
    expect([early.status, early.json.code]).toEqual([409, "campaign_not_draft"]);
    expect(early.json.message).toContain("are being dropped");
    await team.run("UPDATE campaigns SET pass = NULL WHERE id = ?", held.id);
    expect((await remove(held.id)).status).toBe(200);
  });
});

describe("the numbers of a deleted draft and of its content", () => {
  const numbers = async () =>
    (await team.rows("SELECT max(m.n) AS message, max(m.revision) AS revision FROM email_messages m"))[0] as {
      message: number;
      revision: number;
    };

  it("are not given to another message", async () => {
    const { id } = await addReady(team);
    const before = await numbers();
    expect((await remove(id)).status).toBe(200);
    await addReady(team);
    const after = await numbers();
    expect(after.message).toBe(before.message + 1);
    expect(after.revision).toBeGreaterThan(before.revision);
  });

  it("lead no mail of another message to the deleted content, which a Mailer still has, nor its preview to another content", async () => {
    const subjectTo = (address: string) =>
      vi.waitFor(async () => {
        const mails = (await request("GET", "/inbox.json")).json.mails as {
          id: string;
          to: unknown;
          subject: string;
        }[];
        const found = mails.find(({ to }) => JSON.stringify(to).includes(address));
        expect(found).toBeDefined();
        return found as { id: string; subject: string };
      });
    const receipt = (await team.post("/transactional-emails", { name: "Receipt" })).json;
    const edit = async (subject: string) => {
      advance(200);
      const content = { subject, fromName: "Acme", fromEmail: "orders", lmx: "<Paragraph>Thanks</Paragraph>" };
      expect((await team.post(`/email-messages/${receipt.draftEmailMessageId}`, content)).status).toBe(200);
    };
    const { id, message } = await addReady(team, {}, { subject: "Secret", fromName: "Acme", fromEmail: "news" });
    await team.post(`/email-messages/${message}/preview`, { emails: ["boss@example.com"] });
    const preview = await subjectTo("boss@example.com");
    expect(preview.subject).toBe("Secret");
    expect((await remove(id)).status).toBe(200);
    await edit("Receipt one");
    await edit("Receipt two");
    await team.post(`/transactional-emails/${receipt.id}/publish`, {});
    await team.post("/transactional", {
      transactionalId: receipt.id,
      email: "customer@example.com",
      dataVariables: {},
    });
    expect((await subjectTo("customer@example.com")).subject).toBe("Receipt two");
    const shown = (await team.admin("GET", `/sends/${preview.id}/content`)).json;
    expect([shown.html, shown.note]).toEqual([null, expect.stringContaining("was deleted")]);
  });
});

describe("a deletion is refused", () => {
  it("once the campaign is sent, by whatever came meanwhile", async () => {
    const { id } = await addReady(team);
    const refused = async (reason: RegExp) => {
      const { status, json } = await remove(id);
      expect([status, json.code, json.path]).toEqual([409, "campaign_not_draft", "campaignId"]);
      expect(json.message).toMatch(reason);
      expect(await isThere(id)).toBe(true);
    };
    await act(team, id, "send", { expected: 20, delaySeconds: 30 });
    await refused(/is scheduled: unschedule it first/);
    await team.run("UPDATE campaigns SET status = 'Sending', state = 'paused', max_contact = 1 WHERE id = ?", id);
    await refused(/is sending\./);
    await act(team, id, "cancel");
    await refused(/was sent, and is kept/);
  });

  it("with the names of three users, however many there are, and all of them in its detail", async () => {
    const { id } = await addReady(team);
    for (const name of ["One", "Two", "Three", "Four", "Five"]) {
      advance(200);
      expect((await team.post("/audience-segments", { name, filter: notOpened(id) })).status).toBeLessThan(300);
    }
    const { status, json } = await remove(id);
    expect([status, json.code]).toEqual([409, "campaign_in_use"]);
    expect(json.message).toMatch(/"One" \(\w+\), segment "Two" \(\w+\), segment "Three" \(\w+\) and 2 more\. Change/);
    expect(JSON.stringify(json)).toContain('"Five"');
  });

  it("where a segment, a campaign or a workflow asks about it, which it names", async () => {
    const { id } = await addReady(team);
    const filter = notOpened(id);
    const segment = (await team.post("/audience-segments", { name: "Asleep", filter })).json;
    const other = await addReady(team, { name: "Second try", audienceFilter: filter });
    const { status, json } = await remove(id);
    expect([status, json]).toMatchObject([
      409,
      {
        code: "campaign_in_use",
        path: "campaignId",
        users: [
          { kind: "segment", id: segment.id, name: "Asleep" },
          { kind: "campaign", id: other.id, name: "Second try" },
        ],
      },
    ]);
    expect(json.message).toContain('the segment "Asleep"'.replace("the ", ""));
    expect((await team.admin("DELETE", `/audience-segments/${segment.id}`)).status).toBe(200);
    expect((await remove(other.id)).status).toBe(200);
    expect((await remove(id)).status).toBe(200);
  });

  it("for a campaign of another team, and for one that is not there", async () => {
    const { id } = await addReady(await createTeam({ id: "other" }));
    for (const one of [id, "cmp_none"]) {
      const { status, json } = await remove(one);
      expect([status, json.code, json.path]).toEqual([404, "campaign_not_found", "campaignId"]);
    }
  });
});

describe("a condition about a campaign in a workflow", () => {
  it("keeps the campaign from being deleted", async () => {
    const { id } = await addReady(team);
    const { id: workflow } = (await team.post("/workflows", { name: "Trial" })).json;
    const graph = JSON.stringify({
      nodes: { n1: { typeName: "AudienceFilter", audienceFilter: notOpened(id) }, n2: { typeName: "Exit" } },
    });
    await team.run("UPDATE workflows SET graph = ? WHERE id = ?", graph, workflow);
    expect((await remove(id)).json).toMatchObject({
      code: "campaign_in_use",
      users: [{ kind: "workflow", id: workflow }],
    });
  });
});
