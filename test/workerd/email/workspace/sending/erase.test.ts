import { beforeEach, describe, expect, it, vi } from "vitest";
import { Inbox } from "../../../../../src/email/objects/inbox.ts";
import { advance, createTeam, isolated, request, type Team } from "../../bench.ts";

isolated();

const ADA = "Ada@Example.com";
const NAMES_ADA = /ada@example|ada%40|ada&#64|user_ada_1|YWRhQGV4YW1wbGUuY29t/i;

let team: Team;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam({ samples: true });
});

const erase = async ({ email, userId }: { email?: string; userId?: string }, dryRun = false) => {
  const who = { ...(email ? { emails: [email] } : {}), ...(userId ? { userIds: [userId] } : {}) };
  const { status, json } = await team.admin("POST", "/erase", { ...who, dryRun });
  return { status, ...json };
};
const mail = (email: string, name = "Someone") =>
  team.post("/transactional", { transactionalId: "tpl_welcome", email, dataVariables: { name } });
const handedOver = () =>
  vi.waitFor(async () => expect(await team.rows("SELECT n FROM sends WHERE due IS NOT NULL")).toEqual([]), 10_000);
const sends = () => team.rows("SELECT state, recipient, error, variables, due FROM sends ORDER BY n");
const inbox = async () => (await request("GET", "/inbox.json")).json.mails as { to: string }[];
const everything = async () => (await team.everything()) + JSON.stringify(await inbox());
const slowSender = () => {
  const state = { answers: false };
  const original = Inbox.prototype.capture;
  const spy = vi.spyOn(Inbox.prototype, "capture").mockImplementation(async function (this: Inbox, sent) {
    while (!state.answers) await new Promise((resolve) => setTimeout(resolve, 5));
    return original.call(this, sent);
  });
  return { spy, state };
};
/** Defers both mails of a test once it has been handed both: a deferred mail alone would hold the other one back. */
const defersTwo = (message: string) => {
  const spy = vi.spyOn(Inbox.prototype, "capture").mockImplementation(async () => {
    while (spy.mock.calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    return { outcome: "deferred", message };
  });
};
/** Waits with a stopped clock: `vi.waitFor` moves it, and a mail would be tried again. */
const bothDeferred = async () => {
  const deferred = "SELECT n FROM sends WHERE state = 'queued' AND attempts = 1";
  while ((await team.rows(deferred)).length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe("erase", () => {
  it.each([{ email: "ADA@example.com" }, { userId: "user_ada_1" }, { email: ADA, userId: "user_ada_1" }])(
    "by %j erases contact, events, sends and captured mail; the rows of sends stay for the statistics",
    async (who) => {
      await team.post("/contacts/create", { email: ADA, userId: "user_ada_1", firstName: "Lovelace" });
      await team.post("/contacts/create", { email: "bob@example.com" });
      await team.post("/events/send", { email: ADA, eventName: "signedUp", eventProperties: { by: "Lovelace" } });
      await mail(ADA, "Lovelace");
      await mail("bob@example.com", "Bob");
      await handedOver();
      await team.run("UPDATE sends SET error = 'no mailbox ada@example.com' WHERE recipient = ?", ADA);

      const before = await everything();
      const erased = { contacts: 1, events: 1, sends: 1, discarded: 0, mails: 1 };
      const dry = await erase(who, true);
      expect(dry).toMatchObject({ status: 200, dryRun: true, finished: true, erased, kept: { suppressions: 0 } });
      expect(dry.notReached).toContainEqual(expect.stringMatching(/addresses that the person had before/));
      expect(await everything()).toBe(before);

      const told = await erase(who);
      expect(told).toMatchObject({ dryRun: false, finished: true, addresses: ["ada@example.com"], erased });
      expect(told).not.toHaveProperty("notReached");
      expect(await everything()).not.toMatch(/ada@|user_ada_1|Lovelace/i);
      expect(await sends()).toMatchObject([
        { state: "sent", recipient: "[erased]", error: "no mailbox [erased]" },
        { state: "sent", recipient: "bob@example.com" },
      ]);
      expect((await inbox()).map(({ to }) => to)).toEqual(["bob@example.com"]);
      const none = { contacts: 0, events: 0, sends: 0, discarded: 0, mails: 0 };
      expect(await erase(who)).toMatchObject({ finished: true, erased: none });
    },
  );

  it.each([
    "invited by ada@example.com",
    "https://a.example/?by=ada%40example.com",
    "<b>ada&#64;example.com</b>",
    "token YWRhQGV4YW1wbGUuY29t",
    "user_ada_1",
  ])(
    "discards waiting mail to others that names the person (%s), and erases the name from errors and the inbox",
    async (text) => {
      await team.post("/contacts/create", { email: ADA, userId: "user_ada_1" });
      await mail("bob@example.com", text);
      await handedOver();
      defersTwo("later");
      await mail("bob@example.com", text);
      await mail("bob@example.com", "Ada");
      await bothDeferred();
      await team.run("UPDATE sends SET error = ? WHERE state = 'sent'", text);
      expect(await inbox()).toHaveLength(1);

      expect(await erase({ email: ADA })).toMatchObject({
        finished: true,
        erased: { sends: 0, discarded: 1, mails: 1 },
      });
      expect(await everything()).not.toMatch(NAMES_ADA);
      expect(await inbox()).toEqual([]);
      expect(await sends()).toMatchObject([
        { state: "sent", recipient: "bob@example.com" },
        { state: "failed", recipient: "bob@example.com", variables: null, due: null },
        { state: "queued", recipient: "bob@example.com" },
      ]);
    },
  );

  it.each([
    '450 greylisted, see "https://x.example/why?e=YWRhQGV4YW1wbGUuY29t" for details',
    '450 "ada@example.com": try later',
    "450 \\ada%40example.com\n",
  ])(
    "erases the name from the history of mails to the person and to others (%j), which stays readable",
    async (text) => {
      defersTwo(text);
      await mail(ADA);
      await mail("bob@example.com");
      await bothDeferred();
      await team.run("INSERT INTO send_events SELECT n, 1, 'refused', json_object('message', ?) FROM sends", text);
      expect(await erase({ email: ADA })).toMatchObject({ status: 200, finished: true, erased: { sends: 1 } });
      expect(await everything()).not.toMatch(NAMES_ADA);
      for (const { id } of await team.rows("SELECT id FROM sends")) {
        const { status, json } = await team.admin("GET", `/sends/${id}`);
        const attempts = json.story.filter(({ what }: { what: string }) => ["refused", "deferred"].includes(what));
        expect([status, attempts]).toMatchObject([200, [{ what: "refused" }, { what: "deferred" }]]);
        expect(JSON.stringify(json.story)).toContain("[erased]");
      }
    },
  );

  it("deletes the history where the previous version erases a person, because it does not know it", async () => {
    vi.spyOn(Inbox.prototype, "capture").mockResolvedValue({ outcome: "deferred", message: `450 ${ADA} later` });
    await mail(ADA);
    await vi.waitFor(async () => expect(await sends()).toMatchObject([{ state: "queued" }]), 10_000);
    await team.run("UPDATE sends SET recipient = '[erased]', recipient_key = '[erased]'");
    expect(await team.rows("SELECT history FROM sends")).toEqual([{ history: null }]);
  });

  it("ends mail to the person that waits, so that it is not sent", async () => {
    const spy = vi.spyOn(Inbox.prototype, "capture").mockResolvedValue({ outcome: "deferred", message: "later" });
    await mail(ADA);
    await vi.waitFor(async () => expect(await sends()).toMatchObject([{ state: "queued", error: "later" }]));
    await team.run("UPDATE sends SET attempts = 0, error = NULL");
    expect(await erase({ email: ADA })).toMatchObject({ finished: true, erased: { sends: 1, discarded: 1 } });
    const ended = { state: "not_sent", recipient: "[erased]", error: "erased", variables: null, due: null };
    expect(await sends()).toEqual([ended]);
    spy.mockClear();
    advance(120_000);
    await team.inside((_, storage) => storage.setAlarm(Date.now()));
    await mail("bob@example.com");
    await vi.waitFor(() => expect(spy).toHaveBeenCalledOnce());
    expect((await sends())[0]).toEqual(ended);
  });

  it("ends a mail that a Mailer gave back before it handed it over as not sent, not as failed", async () => {
    vi.spyOn(Inbox.prototype, "capture").mockResolvedValue({ outcome: "deferred", message: "later" });
    await mail(ADA);
    await vi.waitFor(async () => expect(await sends()).toMatchObject([{ state: "queued", error: "later" }]));
    await team.run("UPDATE sends SET attempts = 1, error = 'the domain is new'");
    await team.run("UPDATE sends SET history = NULL");
    expect(await erase({ email: ADA })).toMatchObject({ finished: true, erased: { discarded: 1 } });
    expect(await sends()).toMatchObject([{ state: "not_sent", variables: null, due: null }]);
  });

  it("is not finished while a mail is in flight, and finds the person again by the user id", async () => {
    await team.post("/contacts/create", { email: ADA, userId: "user_ada_1" });
    const sender = slowSender();
    await mail(ADA);
    await vi.waitFor(() => expect(sender.spy).toHaveBeenCalledOnce());
    const first = await erase({ userId: "user_ada_1" });
    expect(first).toMatchObject({ finished: false, erased: { contacts: 0, sends: 0, mails: 0 } });
    expect(first.message).toMatch(/in flight/);
    sender.state.answers = true;
    await handedOver();
    expect(await inbox()).toHaveLength(1);
    const second = await erase({ userId: "user_ada_1" });
    expect(second).toMatchObject({ finished: true, erased: { contacts: 1, sends: 1, mails: 1 } });
    expect(await everything()).not.toMatch(NAMES_ADA);
  });

  it("erases a mail of which nobody knows whether it left, and leaves its state", async () => {
    vi.spyOn(Inbox.prototype, "capture").mockResolvedValue({ outcome: "deferred", message: "later" });
    await mail(ADA);
    await vi.waitFor(async () => expect(await sends()).toMatchObject([{ state: "queued", error: "later" }]));
    await team.run("UPDATE sends SET state = 'unknown'");
    expect(await erase({ email: ADA })).toMatchObject({ finished: true, erased: { sends: 1, discarded: 1 } });
    expect(await sends()).toMatchObject([{ state: "unknown", recipient: "[erased]", variables: null, due: null }]);
    expect(await everything()).not.toMatch(NAMES_ADA);
  });

  it("keeps a suppression as a digest: no mail is sent to the address, and a new contact can be taken off the list", async () => {
    await team.admin("POST", "/suppressions", { email: ADA });
    expect(await erase({ email: ADA })).toMatchObject({ kept: { suppressions: 1 } });
    expect(await everything()).not.toMatch(NAMES_ADA);
    await team.admin("POST", "/suppressions", { email: ADA });
    expect(await erase({ email: ADA })).toMatchObject({ kept: { suppressions: 1 } });
    expect(await team.rows("SELECT reason FROM suppressions")).toEqual([{ reason: "manual" }]);

    await mail(ADA);
    expect((await sends()).at(-1)).toMatchObject({ state: "not_sent", error: "suppressed" });
    await team.post("/contacts/create", { email: ADA });
    const query = `/contacts/suppression?email=${encodeURIComponent(ADA)}`;
    expect((await team.get(query)).json).toMatchObject({ isSuppressed: true });
    expect((await team.remove(query)).status).toBe(200);
    expect((await team.get(query)).json).toMatchObject({ isSuppressed: false });
    await mail(ADA);
    await vi.waitFor(async () => expect((await sends()).at(-1)).toMatchObject({ state: "sent" }));
  });

  it("finds an address with a Unicode domain however it was written", async () => {
    await mail("ada@bücher.example");
    await mail("ada@xn--bcher-kva.example");
    await handedOver();
    expect(await erase({ email: "ada@xn--bcher-kva.example" })).toMatchObject({ erased: { sends: 2, mails: 2 } });
    expect(await everything()).not.toMatch(/ada@/);
  });

  it("leaves similar addresses and other teams alone", async () => {
    const other = await createTeam({ id: "other", samples: true });
    const welcome = { transactionalId: "tpl_welcome", email: ADA, dataVariables: { name: "Ada" } };
    await other.post("/transactional", welcome);
    await mail("xada@example.com");
    await mail("ada@example.com.au");
    await handedOver();
    await vi.waitFor(async () => expect(await inbox()).toHaveLength(3));
    expect(await erase({ email: ADA })).toMatchObject({ erased: { sends: 0, mails: 0 } });
    expect(await inbox()).toHaveLength(3);
    expect(await other.everything()).toMatch(/Ada@Example\.com/);
  });

  it.each<[object, RegExp]>([
    [{}, /^emails or userIds must have at least one identifier/],
    [{ emails: ["ada"] }, /^emails\.0: must be an email address/],
    [{ emails: ADA }, /^emails: must be a list/],
  ])("says what is wrong with %j", async (who, message) => {
    const { status, json } = await team.admin("POST", "/erase", who);
    expect([status, json.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it("says which team does not exist", async () => {
    const { status, json } = await request("POST", "/admin/teams/nobody/erase", {
      headers: { Authorization: "Bearer the-operator-token-of-the-tests" },
      body: { emails: [ADA] },
    });
    expect([status, json.code]).toEqual([404, "not_found"]);
  });

  it("is not finished if the inbox gives no answer, and names the addresses to repeat", async () => {
    await team.post("/contacts/create", { email: ADA, userId: "user_ada_1" });
    await mail(ADA);
    await handedOver();
    vi.spyOn(Inbox.prototype, "erase").mockRejectedValueOnce(new Error("broken"));
    const first = await erase({ userId: "user_ada_1" });
    expect(first).toMatchObject({ finished: false, addresses: ["ada@example.com"] });
    expect(await erase({ email: first.addresses[0] })).toMatchObject({ finished: true, erased: { mails: 1 } });
    expect(await inbox()).toEqual([]);
  });
});
