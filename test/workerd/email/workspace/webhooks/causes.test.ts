import { beforeEach, describe, expect, it, vi } from "vitest";
import { addressDigest } from "../../../../../src/email/mail/links/address.ts";
import { Inbox } from "../../../../../src/email/objects/inbox.ts";
import type { Feedback } from "../../../../../src/email/types/feedback.ts";
import type { Handover } from "../../../../../src/email/types/mail-handover.ts";
import type { RecipientAction } from "../../../../../src/email/types/recipient.ts";
import { advance, createTeam, handedOver, isolated, runAlarm, type Team } from "../../bench.ts";
import { addWebhook, delivered, look, type Received, receive } from "./receiver.ts";

isolated();

const ADA = { email: "ada@example.com", userId: "u1" };
const MAIL = { transactionalId: "tpl_welcome", email: ADA.email, dataVariables: { name: "Ada" } };

let team: Team;
let received: Received[];
let answers: { answer: (received: Received, n: number) => Response | Promise<Response> };
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  ({ received, state: answers } = receive());
  team = await createTeam({ samples: true });
});

const bodies = async () => {
  await delivered(team);
  const all = received.splice(0).map(({ body }) => body);
  return all.sort((a, b) => (String(a.eventName) < String(b.eventName) ? -1 : 1));
};
const names = async () => (await bodies()).map(({ eventName }) => eventName);
const addList = async (name: string) => (await team.admin("POST", "/lists", { name, visibility: "public" })).json.id;

describe("a mail", () => {
  const sent = async () => {
    await team.post("/transactional", MAIL);
    await handedOver();
    await bodies();
    return Number((await team.rows("SELECT max(n) AS n FROM sends"))[0]?.n);
  };
  const tell = (n: number, kind: Feedback["kind"]) =>
    team.stub.feedback("mail", [{ n, feedback: [{ kind, message: `as ${kind}` }] }]);

  it.each<[Feedback["kind"], string[]]>([
    ["delivered", ["email.delivered"]],
    ["delayed", []],
    ["soft", ["email.softBounced"]],
    ["content", ["email.softBounced"]],
    ["policy", ["email.softBounced"]],
    ["hard", ["email.hardBounced"]],
    ["complaint", ["contact.unsubscribed", "email.spamReported"]],
  ])("with the feedback %s causes %j, once", async (kind, expected) => {
    await addWebhook(team);
    await team.post("/contacts/create", ADA);
    const n = await sent();
    await tell(n, kind);
    await tell(n, kind);
    const got = await bodies();
    expect(got.map(({ eventName }) => eventName)).toEqual(expected);
    const [{ id }] = (await team.rows(`SELECT id FROM sends WHERE n = ${n}`)) as [{ id: string }];
    for (const body of got.filter(({ eventName }) => String(eventName).startsWith("email."))) {
      expect(body).toMatchObject({
        contactIdentity: { ...ADA, id: expect.stringMatching(/^con_/) },
        email: { id, emailMessageId: expect.stringMatching(/^msg_/) },
        sourceType: "transactional",
        transactionalId: "tpl_welcome",
      });
    }
  });

  it("whose result was unknown is reported as sent, too, when feedback says that the mail provider had it", async () => {
    await addWebhook(team);
    const n = await sent();
    await team.run("UPDATE sends SET state = 'unknown', due = ?, settled_at = NULL", Date.now() + 1_000_000);
    await tell(n, "delivered");
    expect(await names()).toEqual(["email.delivered", "transactional.email.sent"]);
  });

  it.each<[Handover, string]>([
    [{ outcome: "refused", about: "recipient", message: "550 5.1.1 no such user" }, "email.hardBounced"],
    [{ outcome: "refused", about: "content", message: "554 5.7.1 spam" }, "email.softBounced"],
    [{ outcome: "refused", about: "policy", message: "550 5.7.1 denied" }, "email.softBounced"],
  ])("that a mail provider refuses causes an event: %j", async (refused, expected) => {
    await addWebhook(team);
    vi.spyOn(Inbox.prototype, "capture").mockResolvedValue(refused);
    await team.post("/transactional", MAIL);
    await handedOver();
    expect(await names()).toEqual([expected]);
  });

  it("that is deferred causes an event only when it is given up, after a day", async () => {
    await addWebhook(team);
    vi.spyOn(Inbox.prototype, "capture").mockResolvedValue({ outcome: "deferred", message: "452 4.2.2 full" });
    await team.post("/transactional", MAIL);
    for (let hour = 0; hour < 12; hour++) {
      advance(3_600_000);
      await runAlarm(team.stub);
    }
    expect(await names()).toEqual([]);
    for (let hour = 0; hour < 13; hour++) {
      advance(3_600_000);
      await runAlarm(team.stub);
    }
    expect(await names()).toEqual(["email.softBounced"]);
  });
});

describe("a recipient's page", () => {
  const act = async (action: RecipientAction, more: { list?: string; send?: number } = {}) => {
    const [row] = (await team.rows("SELECT n, id FROM contacts")) as { n: number; id: string }[];
    const address = addressDigest(ADA.email);
    const target = { team: "acme", send: 0, row: row?.n ?? 0, contact: row?.id ?? "", address, ...more };
    await team.stub.recipient(target, action);
    return names();
  };

  it("reports what the recipient has left, and nothing when it is done again", async () => {
    const [news, offers] = [await addList("News"), await addList("Offers")];
    await addWebhook(team);
    await team.post("/contacts/create", { ...ADA, mailingLists: { [news]: true } });
    await bodies();
    expect(await act({ do: "leave" }, { list: news })).toEqual(["contact.mailingList.unsubscribed"]);
    expect(await act({ do: "leave" }, { list: news })).toEqual([]);
    expect(await act({ do: "unsubscribe" })).toEqual(["contact.unsubscribed"]);
    expect(await act({ do: "unsubscribe" })).toEqual([]);
    expect(await act({ do: "resubscribe" })).toEqual([]);
    expect(await act({ do: "choose", lists: { [offers]: true } })).toEqual(["contact.mailingList.subscribed"]);
  });

  it("reports nothing about a mail that is no marketing mail", async () => {
    await addWebhook(team);
    await team.post("/contacts/create", ADA);
    const { id } = (await team.post("/transactional", MAIL)).json;
    await handedOver();
    await bodies();
    expect(await act({ do: "unsubscribe" }, { send: Number.parseInt(id.split("_")[1] ?? "", 36) })).toEqual([
      "contact.unsubscribed",
    ]);
    expect(await act({ do: "resubscribe" }, { send: 1 })).toEqual([]);
  });

  it("of a confirmation reports the lists that the contact joins by it", async () => {
    const news = await addList("News");
    await addWebhook(team);
    await team.post("/contacts/create", { ...ADA, mailingLists: { [news]: true } });
    await team.run(`UPDATE contacts SET data = jsonb_set(data, '$.optInStatus', 'pending')`);
    await bodies();
    expect(await act({ do: "confirm" })).toEqual(["contact.mailingList.subscribed"]);
    expect(await act({ do: "confirm" })).toEqual([]);
  });
});

describe("two contacts that become one", () => {
  it("report the id that is gone, and the difference of lists once", async () => {
    const [one, two] = [await addList("One"), await addList("Two")];
    await addWebhook(team);
    await team.post("/contacts/create", { email: ADA.email, mailingLists: { [one]: true } });
    await team.put("/contacts/update", { userId: "u1", subscribed: false, mailingLists: { [two]: true } });
    const { id: kept } = await team.find({ email: ADA.email });
    const { id: gone } = await team.find({ userId: "u1" });
    await bodies();
    await team.put("/contacts/update", { ...ADA, mailingLists: { [two]: false } });
    const contactIdentity = { ...ADA, id: kept };
    expect(await bodies()).toMatchObject([
      { eventName: "contact.deleted", contactIdentity: { id: gone, email: "", userId: null } },
      { eventName: "contact.unsubscribed", contactIdentity },
    ]);
    expect(await team.rows("SELECT DISTINCT contact FROM webhook_events WHERE contact IS NOT NULL")).toEqual([
      { contact: kept },
    ]);
    await team.put("/contacts/update", { ...ADA, mailingLists: { [two]: true } });
    expect(await bodies()).toMatchObject([{ eventName: "contact.mailingList.subscribed", contactIdentity }]);
  });
});

describe("a deleted contact", () => {
  it("discards what waits about it, not what waits about mails to it, and cannot be replayed", async () => {
    answers.answer = () => new Response(null, { status: 500 });
    const webhook = await addWebhook(team);
    await team.post("/contacts/create", { ...ADA, firstName: "Ada" });
    await team.post("/contacts/create", { email: "bo@example.com" });
    await team.post("/transactional", MAIL);
    await handedOver();
    await team.post("/contacts/delete", { userId: "u1" });
    const { data } = await look(team, webhook);
    expect(data.map(({ type, state }: { type: string; state: string }) => [type, state])).toEqual([
      ["contact.unsubscribed", "waiting"],
      ["contact.deleted", "waiting"],
      ["transactional.email.sent", "waiting"],
      ["contact.created", "waiting"],
      ["contact.created", "discarded"],
    ]);
    expect(await team.rows('SELECT type FROM webhook_events WHERE payload LIKE \'%"firstName":"Ada"%\'')).toEqual([]);
    answers.answer = () => new Response(null);
    advance(86_400_000);
    await runAlarm(team.stub);
    await bodies();
    const since = new Date(Date.now() - 2 * 86_400_000).toISOString();
    expect((await team.admin("POST", `/webhooks/${webhook.id}/replay`, { since })).json.events).toBe(4);
  });

  it("that was not subscribed causes contact.deleted alone", async () => {
    await addWebhook(team);
    await team.post("/contacts/create", { ...ADA, subscribed: false });
    await bodies();
    await team.post("/contacts/delete", { userId: "u1" });
    expect(await names()).toEqual(["contact.deleted"]);
  });
});

it("an erased contact causes contact.deleted with its id alone", async () => {
  await addWebhook(team);
  await team.post("/contacts/create", ADA);
  const { id } = await team.find({ userId: "u1" });
  await bodies();
  await team.admin("POST", "/erase", { emails: [ADA.email], userIds: [] });
  expect(await bodies()).toMatchObject([
    { eventName: "contact.deleted", contactIdentity: { id, email: "", userId: null } },
  ]);
});
