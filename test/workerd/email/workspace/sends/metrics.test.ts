import { beforeEach, describe, expect, it, vi } from "vitest";
import { Inbox } from "../../../../../src/email/objects/inbox.ts";
import { createTeam, handedOver, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true });
  vi.spyOn(console, "log").mockImplementation(() => {});
});

const mail = { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } };
const none = { sends: 0, deliveries: 0, spamReports: 0, hardBounces: 0, softBounces: 0 };
const metricsOf = async (id = "tpl_welcome") => (await team.get(`/transactional-emails/${id}/metrics`)).json;

const sendThen = async (...states: string[]) => {
  const { id } = (await team.post("/transactional", mail)).json;
  await handedOver();
  for (const state of states) await team.run("UPDATE sends SET state = ? WHERE id = ?", state, id);
};

describe("the metrics of a transactional email", () => {
  it("count mails that a mail provider took, and their bounces and complaints", async () => {
    expect(await metricsOf()).toEqual(none);
    await sendThen();
    await sendThen("delivered");
    await sendThen("delivered", "complained");
    await sendThen("bounced", "bounced");
    await sendThen("failed");
    await sendThen("failed", "bounced");
    vi.spyOn(Inbox.prototype, "capture").mockResolvedValueOnce({ outcome: "deferred", message: "busy" });
    await sendThen("unknown", "failed");
    expect(await metricsOf()).toEqual({ sends: 7, deliveries: 3, spamReports: 1, hardBounces: 2, softBounces: 2 });
    expect(await metricsOf("tpl_receipt")).toEqual(none);
    const counts = await team.admin("GET", "/transactional-emails/counts?ids=tpl_welcome,tpl_receipt,tpl_none");
    expect(counts.json).toEqual({
      data: [
        { id: "tpl_welcome", sends: 7, bounces: 4, spamReports: 1 },
        { id: "tpl_receipt", sends: 0, bounces: 0, spamReports: 0 },
      ],
    });
  });

  it("of many at once are refused for more than a page of them", async () => {
    const ids = Array.from({ length: 51 }, (_, n) => `tpl_${n}`).join(",");
    const { status, json } = await team.admin("GET", `/transactional-emails/counts?ids=${ids}`);
    expect([status, json.path, json.message]).toEqual([400, "ids", "ids: must have at most 50 ids"]);
  });

  it("leave out previews and what no mail provider took, and count a mail once whose result came late", async () => {
    const { draftEmailMessageId } = (await team.post("/transactional-emails/tpl_welcome/draft", {})).json;
    await team.post(`/email-messages/${draftEmailMessageId}/preview`, {
      emails: [mail.email],
      dataVariables: { name: "Ada" },
    });
    await handedOver();
    const capture = vi.spyOn(Inbox.prototype, "capture");
    capture.mockResolvedValueOnce({ outcome: "refused", about: "content", message: "spam" });
    await sendThen();
    capture.mockResolvedValueOnce({ outcome: "deferred", message: "busy" });
    await sendThen("unknown", "delivered");
    expect(await metricsOf()).toEqual({ ...none, sends: 1, deliveries: 1 });
    capture.mockResolvedValueOnce({ outcome: "refused", about: "recipient", message: "no such user" });
    await sendThen();
    await sendThen();
    expect(await metricsOf()).toEqual({ ...none, sends: 2, deliveries: 1, hardBounces: 1 });
  });

  it("count a mail that the mail provider refused because its mailbox is full as a soft bounce", async () => {
    const message = "552 5.2.2 mailbox full";
    vi.spyOn(Inbox.prototype, "capture").mockResolvedValueOnce({ outcome: "refused", about: "mailbox", message });
    await sendThen();
    await sendThen();
    expect(await metricsOf()).toEqual({ ...none, sends: 2, deliveries: 1, softBounces: 1 });
  });

  it("stay when the sends are deleted after 30 days, and belong to all revisions of the email", async () => {
    await sendThen();
    await team.run("DELETE FROM sends");
    const { draftEmailMessageId } = (await team.post("/transactional-emails/tpl_welcome/draft", {})).json;
    await team.post(`/email-messages/${draftEmailMessageId}`, { subject: "Another" });
    expect((await team.post("/transactional-emails/tpl_welcome/publish", {})).status).toBe(200);
    await sendThen();
    expect(await metricsOf()).toEqual({ ...none, sends: 2, deliveries: 2 });
  });

  it("are 404 for an email that the team does not have", async () => {
    const { status, json } = await team.get("/transactional-emails/tpl_none/metrics");
    expect([status, json.code, json.path]).toEqual([404, "transactional_not_found", "transactionalId"]);
  });
});
