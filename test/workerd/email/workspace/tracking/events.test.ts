import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Feedback } from "../../../../../src/email/types/feedback.ts";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { accept, addMarketingMessage, linksApp, linksOf, pictureIn, SITE, sendTo, visit } from "../../marketing.ts";
import { addWebhook, delivered, type Received, receive } from "../webhooks/receiver.ts";

isolated();

const ADA = "ada@example.com";
const LMX = '<Paragraph><Link href="https://shop.example.com/">Shop</Link></Paragraph>';

let team: Team;
let received: Received[];
let workflow: string;
let list: string;
let revision: number;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  ({ received } = receive());
  team = await createTeam();
  list = (await team.admin("POST", "/lists", { name: "News", visibility: "public" })).json.id;
  workflow = (await team.post("/workflows", { name: "Onboarding" })).json.id;
  await team.run("UPDATE workflows SET status = 'Sending'");
  await team.post("/contacts/create", { email: ADA, userId: "u1", mailingLists: { [list]: true } });
  revision = await addMarketingMessage(team, LMX);
});

const bodies = async () => {
  await delivered(team);
  return received.splice(0).map(({ body }) => body);
};
const names = async () => (await bodies()).map(({ eventName }) => eventName).sort();

const sent = async (options: { list?: string; origin?: string; run?: number } = { origin: workflow, run: 1 }) => {
  await accept(team, revision, ADA, options);
  const mail = (await sendTo(team, ADA)) as { html: string };
  advance(60_000);
  return mail;
};
const post = async (html: string, kind: "/u/" | "/p/", body: string) => {
  const url = linksOf(html).find((one) => one.startsWith(`${SITE}${kind}`)) ?? "";
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return (await linksApp.request(url.replace(SITE, ""), { method: "POST", headers, body })).status;
};
const unsubscribe = (html: string) => post(html, "/u/", "List-Unsubscribe=One-Click");
const newest = async () =>
  (await team.rows("SELECT n, id FROM sends ORDER BY n DESC LIMIT 1"))[0] as { n: number; id: string };
const unsubscribes = async () => (await team.rows("SELECT unsubscribes FROM message_counts"))[0]?.unsubscribes;

describe("a mail of a workflow", () => {
  it("is reported as sent, with its workflow and its mailing list", async () => {
    await addWebhook(team);
    await sent({ list, origin: workflow, run: 1 });
    const { id } = await newest();
    const [event] = await bodies();
    expect(event).toEqual({
      eventName: "loop.email.sent",
      eventTime: expect.any(Number),
      webhookSchemaVersion: "1.0.0",
      contactIdentity: { id: expect.stringMatching(/^con_/), email: ADA, userId: "u1" },
      email: { id, emailMessageId: "msg_news0", subject: "News" },
      loopId: workflow,
      loopName: "Onboarding",
      mailingLists: [{ id: list, name: "News", description: expect.anything(), isPublic: true }],
    });
  });

  it("is reported when a person opens and clicks it, once", async () => {
    await addWebhook(team);
    const { html } = await sent();
    await bodies();
    for (let n = 0; n < 2; n++) {
      await visit(pictureIn(html));
      await visit(linksOf(html).find((url) => url.includes("/t/c/")) ?? "");
    }
    const events = await bodies();
    expect(events.map(({ eventName }) => eventName).sort()).toEqual(["email.clicked", "email.opened"]);
    for (const event of events) expect(event).toMatchObject({ sourceType: "loop", loopId: workflow });
  });

  it.each<[Feedback["kind"], string]>([
    ["delivered", "email.delivered"],
    ["soft", "email.softBounced"],
    ["hard", "email.hardBounced"],
    ["complaint", "email.spamReported"],
  ])("is reported with the feedback %s as %s", async (kind, type) => {
    await addWebhook(team);
    await sent();
    await bodies();
    await team.stub.feedback("mail", [{ n: (await newest()).n, feedback: [{ kind, message: `as ${kind}` }] }]);
    const event = (await bodies()).find(({ eventName }) => eventName === type);
    expect(event).toMatchObject({ sourceType: "loop", loopId: workflow, email: { emailMessageId: "msg_news0" } });
  });

  it("names its contact also when that has another address now", async () => {
    await addWebhook(team);
    const { html } = await sent();
    const { id } = await team.find({ email: ADA });
    await team.put("/contacts/update", { userId: "u1", email: "ada@new.example" });
    await bodies();
    await visit(pictureIn(html));
    expect(await bodies()).toMatchObject([{ contactIdentity: { id, email: ADA, userId: "u1" } }]);
  });

  it("stays one of a workflow when that is deleted", async () => {
    await addWebhook(team);
    const { html } = await sent();
    await bodies();
    await team.run("DELETE FROM workflows");
    await visit(pictureIn(html));
    expect(await bodies()).toMatchObject([{ eventName: "email.opened", sourceType: "loop", loopId: workflow }]);
  });
});

describe("the links of a mail", () => {
  it("report that its contact leaves and comes back: metrics, story, events, once each", async () => {
    await addWebhook(team);
    const { html } = await sent();
    const { id } = await newest();
    await bodies();
    expect([await unsubscribe(html), await unsubscribe(html)]).toEqual([200, 200]);
    const [own] = (await bodies()).filter(({ eventName }) => eventName === "email.unsubscribed");
    expect(own).toMatchObject({ sourceType: "loop", loopId: workflow, email: { id, emailMessageId: "msg_news0" } });
    expect(await unsubscribes()).toBe(1);
    advance(1_000);
    expect(await post(html, "/p/", "do=resubscribe")).toBe(200);
    expect(await names()).toContain("email.resubscribed");
    expect(await unsubscribes()).toBe(0);
    const { story } = (await team.admin("GET", `/sends/${id}`)).json;
    expect((story as { text: string }[]).slice(-2).map(({ text }) => text)).toEqual([
      "The recipient unsubscribed.",
      "The recipient subscribed again.",
    ]);
  });

  it("report that its contact leaves the list that the mail went to", async () => {
    await addWebhook(team);
    const { html } = await sent({ list, origin: workflow, run: 1 });
    await bodies();
    await unsubscribe(html);
    expect(await names()).toEqual(["contact.mailingList.unsubscribed", "email.unsubscribed"]);
    expect((await team.find({ email: ADA })).subscribed).toBe(true);
  });

  it("work for years: a send that is deleted does no harm, and is counted", async () => {
    await addWebhook(team);
    const { html } = await sent();
    await bodies();
    advance(400 * 86_400_000);
    await runAlarm(team.stub);
    expect(await team.rows("SELECT n FROM sends")).toEqual([]);
    expect(await unsubscribe(html)).toBe(200);
    expect((await team.find({ email: ADA })).subscribed).toBe(false);
    expect(await names()).toEqual(["contact.unsubscribed"]);
    expect(await unsubscribes()).toBe(1);
    expect(await team.rows("SELECT history FROM sends WHERE history IS NOT NULL")).toEqual([]);
  });

  it("of one mail change nothing of another", async () => {
    const first = await sent();
    const other = await addMarketingMessage(team, LMX);
    await accept(team, other, ADA, { origin: workflow, run: 1 });
    await sendTo(team, ADA);
    await unsubscribe(first.html);
    expect(
      await team.rows(
        "SELECT m.id, c.unsubscribes FROM message_counts c JOIN email_messages m ON m.n = c.message ORDER BY m.n",
      ),
    ).toEqual([
      { id: "msg_news0", unsubscribes: 1 },
      { id: "msg_news1", unsubscribes: 0 },
    ]);
  });
});

it("a marketing mail that neither a workflow nor a campaign sends causes no event about a mail", async () => {
  await addWebhook(team);
  const { html } = await sent({});
  await visit(pictureIn(html));
  await unsubscribe(html);
  expect(await names()).toEqual(["contact.unsubscribed"]);
});
