import { beforeEach, describe, expect, it, vi } from "vitest";
import { Inbox } from "../../../../../src/email/objects/inbox.ts";
import { runRequest } from "../../../../../src/email/workspace/requests/v1-requests.ts";
import { digest } from "../../../../../src/lib/util/hmac.ts";
import { advance, createTeam, isolated, runAlarm, START, type Team } from "../../bench.ts";
import { contextOf, counted } from "../counted.ts";
import { addWebhook, delivered, look, type Received, receive } from "./receiver.ts";

isolated();

let team: Team;
let received: Received[];
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  ({ received } = receive());
  team = await createTeam({ samples: true });
});

const base = (eventName: string) => ({ eventName, eventTime: expect.any(Number), webhookSchemaVersion: "1.0.0" });
const ADA = { email: "ada@example.com", userId: "u1" };
const identity = { ...ADA, id: expect.stringMatching(/^con_/) };
const bodies = async () => {
  await delivered(team);
  return received.splice(0).map(({ body }) => body);
};
const names = async () => (await bodies()).map(({ eventName }) => eventName).sort();
const addList = async (name: string) => (await team.admin("POST", "/lists", { name, visibility: "public" })).json.id;

describe("an event", () => {
  it("contact.created has the whole contact, with its custom properties at top level", async () => {
    await addWebhook(team);
    await team.post("/contacts/properties", { name: "plan", type: "string" });
    await team.post("/contacts/create", { ...ADA, firstName: "Ada", plan: "pro" });
    const [body] = await bodies();
    expect(body).toEqual({
      ...base("contact.created"),
      contactIdentity: identity,
      contact: {
        ...identity,
        firstName: "Ada",
        lastName: null,
        source: "API",
        subscribed: true,
        userGroup: "",
        mailingLists: {},
        optInStatus: null,
        plan: "pro",
      },
    });
    // Unix seconds.
    expect(Number(body?.eventTime) - START / 1000).toBeLessThan(60);
    expect(body?.contactIdentity).toMatchObject({ id: (await team.find({ userId: "u1" })).id });
  });

  it.each([
    ["PUT /contacts/update", () => team.put("/contacts/update", ADA)],
    ["POST /events/send", () => team.post("/events/send", { ...ADA, eventName: "signedUp" })],
    [
      "addToAudience",
      () =>
        team.post("/transactional", {
          transactionalId: "tpl_welcome",
          email: ADA.email,
          addToAudience: true,
          dataVariables: { name: "Ada" },
        }),
    ],
  ])("contact.created is caused by %s too, once", async (_what, act) => {
    await addWebhook(team, { events: ["contact.created"] });
    for (const status of [(await act()).status, (await act()).status]) expect(status).toBe(200);
    expect(await names()).toEqual(["contact.created"]);
  });

  it("says what a contact joins and leaves, and nothing about other changes", async () => {
    await addWebhook(team);
    const [one, two] = [await addList("One"), await addList("Two")];
    await team.post("/contacts/create", { ...ADA, mailingLists: { [one]: true } });
    expect(await names()).toEqual(["contact.created", "contact.mailingList.subscribed"]);
    await team.put("/contacts/update", { userId: "u1", firstName: "Ada", mailingLists: { [one]: true } });
    expect(await names()).toEqual([]);
    await team.put("/contacts/update", { userId: "u1", mailingLists: { [one]: false, [two]: true } });
    const mailingList = { description: "", isPublic: true };
    expect((await bodies()).sort((a, b) => String(b.eventName).localeCompare(String(a.eventName)))).toEqual([
      {
        ...base("contact.mailingList.unsubscribed"),
        contactIdentity: identity,
        mailingList: { ...mailingList, id: one, name: "One" },
      },
      {
        ...base("contact.mailingList.subscribed"),
        contactIdentity: identity,
        mailingList: { ...mailingList, id: two, name: "Two" },
      },
    ]);
    await team.put("/contacts/update", { userId: "u1", subscribed: false });
    expect(await bodies()).toEqual([{ ...base("contact.unsubscribed"), contactIdentity: identity }]);
    await team.put("/contacts/update", { userId: "u1", subscribed: false });
    await team.put("/contacts/update", { userId: "u1", subscribed: true });
    expect(await names()).toEqual([]);
  });

  it("contact.deleted names the contact, whose missing email is an empty text", async () => {
    await addWebhook(team);
    await team.put("/contacts/update", { userId: "u1" });
    await bodies();
    await team.post("/contacts/delete", { userId: "u1" });
    const contactIdentity = { ...identity, email: "" };
    expect((await bodies()).sort((a, b) => String(a.eventName).localeCompare(String(b.eventName)))).toEqual([
      { ...base("contact.deleted"), contactIdentity },
      { ...base("contact.unsubscribed"), contactIdentity },
    ]);
  });

  it("transactional.email.sent has the mail without its values, which may be one-time codes", async () => {
    await addWebhook(team);
    const mail = { transactionalId: "tpl_welcome", email: "Ada@example.com", dataVariables: { name: "Secret" } };
    const { id } = (await team.post("/transactional", mail)).json;
    await vi.waitFor(() => expect(received).toHaveLength(1));
    const [body] = await bodies();
    expect(body).toEqual({
      ...base("transactional.email.sent"),
      contactIdentity: { id: "", email: "Ada@example.com", userId: null },
      email: { id, emailMessageId: expect.stringMatching(/^msg_/), subject: expect.stringContaining("Welcome") },
      transactionalId: "tpl_welcome",
      transactionalName: "Welcome",
    });
    expect(JSON.stringify(body)).not.toContain("Secret");
  });

  it("email.hardBounced is caused by a mail provider that refuses the recipient", async () => {
    await addWebhook(team);
    await team.post("/contacts/create", ADA);
    await bodies();
    const refused = { outcome: "refused", about: "recipient", message: "550 5.1.1 no such user" } as const;
    vi.spyOn(Inbox.prototype, "capture").mockResolvedValue(refused);
    const mail = { transactionalId: "tpl_welcome", email: ADA.email, dataVariables: { name: "Ada" } };
    const { id } = (await team.post("/transactional", mail)).json;
    await vi.waitFor(() => expect(received).toHaveLength(1));
    expect(await bodies()).toEqual([
      {
        ...base("email.hardBounced"),
        contactIdentity: identity,
        email: expect.objectContaining({ id }),
        sourceType: "transactional",
        transactionalId: "tpl_welcome",
      },
    ]);
  });

  it("is not caused by a preview, by a refused request, or by a request with a used key", async () => {
    await addWebhook(team);
    const { draftEmailMessageId } = (await team.post("/transactional-emails/tpl_welcome/draft", {})).json;
    const preview = { emails: ["bo@example.com"], dataVariables: { name: "Bo" } };
    expect((await team.post(`/email-messages/${draftEmailMessageId}/preview`, preview)).status).toBe(200);
    expect((await team.post("/contacts/create", { email: "bo@example.com", nope: 1 })).status).toBe(400);
    const event = { userId: "u9", eventName: "paid" };
    await team.post("/events/send", event, { "Idempotency-Key": "k" });
    expect((await team.post("/events/send", { ...event, userId: "u10" }, { "Idempotency-Key": "k" })).status).toBe(409);
    await runAlarm(team.stub);
    expect(await names()).toEqual(["contact.created"]);
  });

  it("testing.testEvent goes to one endpoint, whatever types it wants", async () => {
    const one = await addWebhook(team, { events: ["email.opened"] });
    await addWebhook(team);
    const { status, json } = await team.admin("POST", `/webhooks/${one.id}/test`);
    expect([status, json.success]).toEqual([200, true]);
    expect(await bodies()).toEqual([{ ...base("testing.testEvent"), message: "test" }]);
    expect((await look(team, one)).data).toMatchObject([{ eventId: json.eventId, state: "delivered" }]);
  });

  it("goes to each endpoint that wants its type, with one id", async () => {
    await addWebhook(team, { url: "https://a.example.com/", events: ["contact.created", "contact.deleted"] });
    await addWebhook(team, { url: "https://b.example.com/", events: ["contact.created"] });
    await addWebhook(team, { url: "https://c.example.com/", events: ["contact.deleted"] });
    await team.post("/contacts/create", ADA);
    await delivered(team);
    expect(received.map(({ url }) => url).sort()).toEqual(["https://a.example.com/", "https://b.example.com/"]);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });
});

it("an event costs no row without endpoints, and a few with one", async () => {
  const keyHash = await digest(team.key);
  const rowsOf = () =>
    team.inside((real) => {
      const { sql, storage, take } = counted(real);
      const written = ["create", "delete"].map((name) => {
        advance(1_000);
        const request = { operation: `contacts.${name}`, input: { email: "ada@example.com" } };
        expect(runRequest(storage, contextOf(sql), { keyHash, request })).toMatchObject({ status: 200 });
        return take().written;
      });
      real.exec("UPDATE webhook_notifications SET due = NULL");
      return written;
    });
  // The first use of an API key in an hour writes a row.
  expect(await rowsOf()).toEqual([3 + 1, 3]);
  const without = await rowsOf();
  // Deletion of the newest contact also notes its number, which no other contact gets.
  expect(without).toEqual([3, 3]);
  await addWebhook(team, { events: ["email.opened"] });
  expect(await rowsOf()).toEqual(without);
  await addWebhook(team);
  // Four rows per event: the event, its contact index, the notification, and the due index. A deletion also erases the
  // first event.
  expect(await rowsOf()).toEqual([3 + 4, 3 + 9]);
});
