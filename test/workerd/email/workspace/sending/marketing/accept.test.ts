import { beforeEach, describe, expect, it } from "vitest";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../../bench.ts";
import { accept, addMarketingMessage, SITE, sendTo } from "../../../marketing.ts";

isolated();

const ADA = "ada@example.com";
let team: Team;
let list: string;
let revision: number;
beforeEach(async () => {
  team = await createTeam();
  list = (await team.admin("POST", "/lists", { name: "News", visibility: "public" })).json.id;
  await team.post("/contacts/create", { email: ADA, firstName: "Ada", mailingLists: { [list]: true } });
  revision = await addMarketingMessage(team, "<Paragraph>Hello {contact.firstName}</Paragraph>", {
    contactPropertiesFallbacks: { firstName: "you" },
  });
});

const row = async () =>
  (await team.rows("SELECT state, error, recipient, variables, attempts FROM sends ORDER BY n DESC LIMIT 1"))[0];

describe("a marketing mail", () => {
  it("has a list, a way to leave, the values of its contact and a footer", async () => {
    await team.admin("POST", "", { postalAddress: "1 Main Street\nSpringfield" });
    expect(await accept(team, revision, ADA, { list })).toMatchObject({ state: "queued" });
    const mail = await sendTo(team, ADA);
    expect(mail.headers).toMatchObject({
      "List-Unsubscribe": expect.stringMatching(/^<https:\/\/mail\.example\.com\/u\/[\w-]+>$/),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "List-ID": `<${list}.mailspan.localhost>`,
      Precedence: "bulk",
    });
    expect(mail.text).toContain("Hello Ada");
    expect(mail.html).toContain("Acme<br>1 Main Street<br>Springfield<br>");
    const [, link = ""] = /^<(.*)>$/.exec(mail.headers["List-Unsubscribe"]) ?? [];
    expect(mail.html).toContain(`<a href="${link}" target="_blank"`);
    expect(mail.text).toContain(`Unsubscribe: ${link}`);
    expect(mail.text).toMatch(new RegExp(`Email preferences: ${SITE}/p/[\\w-]+\n`));
    expect(await row()).toMatchObject({ state: "sent", variables: null });
  });

  it("takes the fallback for a value that its contact lacks, and is not sent without either", async () => {
    await team.post("/contacts/create", { email: "bo@example.com" });
    await accept(team, revision, "bo@example.com");
    expect((await sendTo(team, "bo@example.com")).text).toContain("Hello you");
    const bare = await addMarketingMessage(team, "<Paragraph>{contact.firstName} {contact.lastName}</Paragraph>");
    expect(await accept(team, bare, "bo@example.com")).toMatchObject({ state: "queued" });
    await runAlarm(team.stub);
    expect(await row()).toMatchObject({
      state: "not_sent",
      error: expect.stringContaining("No value for contact.firstName, contact.lastName."),
    });
  });

  const edit = async (lmx: string) => {
    const newer = await addMarketingMessage(team, lmx, {}, "workflow");
    await team.run("UPDATE message_revisions SET message = 1 WHERE n = ?", newer);
    await team.run("UPDATE email_messages SET revision = ? WHERE n = 1", newer);
    return newer;
  };

  it("has the content of its message, the address and the values of its contact as they are when it is claimed", async () => {
    await accept(team, revision, ADA, { event: { plan: "pro", seats: 3 } });
    await team.put("/contacts/update", { email: ADA, lastName: "Lovelace" });
    const newer = await edit("<Paragraph>Dear {contact.lastName}, {event.plan}: {event.seats}</Paragraph>");
    expect((await sendTo(team, ADA)).text).toContain("Dear Lovelace, pro: 3");
    expect(await team.rows("SELECT revision, variables FROM sends")).toEqual([{ revision: newer, variables: null }]);
  });

  it("keeps the content of its first attempt, and the values of its event until it is settled", async () => {
    await accept(team, revision, ADA, { event: { plan: "pro" } });
    await edit("<Paragraph>New</Paragraph>");
    await team.run("UPDATE sends SET attempts = 1");
    expect(await row()).toMatchObject({ variables: '{"event.plan":"pro"}' });
    expect((await sendTo(team, ADA)).text).toContain("Hello Ada");
    expect(await team.rows("SELECT revision FROM sends")).toEqual([{ revision }]);
  });

  it("whose message is gone is not sent", async () => {
    await accept(team, revision, ADA);
    await team.run("DELETE FROM email_messages");
    expect(await sendTo(team, ADA)).toBeUndefined();
    expect(await row()).toMatchObject({ state: "not_sent", error: "message_deleted" });
  });

  it("is accepted once for a contact and a message, and once in each passage through a workflow", async () => {
    expect(await accept(team, revision, ADA)).toMatchObject({ state: "queued" });
    expect(await accept(team, revision, ADA)).toEqual({ state: "accepted_before" });
    expect(await accept(team, revision, ADA, { run: 1 })).toMatchObject({ state: "queued" });
    expect(await accept(team, revision, ADA, { run: 1 })).toEqual({ state: "accepted_before" });
    expect(await team.rows("SELECT class, run FROM sends ORDER BY n")).toEqual([
      { class: "marketing", run: 0 },
      { class: "marketing", run: 1 },
    ]);
    await runAlarm(team.stub);
    advance(31 * 86_400_000);
    await runAlarm(team.stub);
    expect(await team.rows("SELECT n FROM sends")).toEqual([]);
    expect(await accept(team, revision, ADA)).toEqual({ state: "accepted_before" });
  });
});

const REASONS: [string, (list: string) => Promise<unknown>, RegExp][] = [
  ["unsubscribed", () => team.put("/contacts/update", { email: ADA, subscribed: false }), /had unsubscribed/],
  ["not_confirmed", () => optIn("pending"), /has not confirmed/],
  ["not_confirmed", () => optIn("rejected"), /has not confirmed/],
  [
    "not_on_list",
    (id) => team.put("/contacts/update", { email: ADA, mailingLists: { [id]: false } }),
    /not on the mailing list/,
  ],
  ["suppressed", () => team.admin("POST", "/suppressions", { email: ADA }), /the address was suppressed/],
  ["no_email", () => team.run("UPDATE contacts SET email = NULL, email_key = NULL"), /had no address/],
];
const optIn = (status: string) => team.run("UPDATE contacts SET data = jsonb_set(data, '$.optInStatus', ?)", status);

describe("a contact that may not get marketing mail", () => {
  it.each(REASONS.filter(([reason]) => reason !== "no_email"))(
    "is found when it is accepted: %s",
    async (reason, change, words) => {
      await change(list);
      const accepted = await accept(team, revision, ADA, { list });
      expect(accepted).toMatchObject({ state: "not_sent" });
      expect(await sendTo(team, ADA)).toBeUndefined();
      expect(await row()).toEqual({ state: "not_sent", error: reason, recipient: ADA, variables: null, attempts: 0 });
      const { id } = accepted as { id: string };
      expect((await team.admin("GET", `/sends/${id}`)).json.meaning).toMatch(words);
    },
  );

  it.each(REASONS)("is found when its turn comes: %s", async (reason, change) => {
    await accept(team, revision, ADA, { list });
    await change(list);
    expect(await sendTo(team, ADA)).toBeUndefined();
    expect(await row()).toMatchObject({ state: "not_sent", error: reason, variables: null, attempts: 0 });
  });

  it("is not a contact that was created later", async () => {
    await accept(team, revision, ADA);
    await team.post("/contacts/delete", { email: ADA });
    await team.post("/contacts/create", { email: "eve@example.com" });
    expect(await team.rows("SELECT n FROM contacts")).toEqual([{ n: 2 }]);
    expect(await sendTo(team, "eve@example.com")).toBeUndefined();
    expect(await row()).toMatchObject({ state: "not_sent", error: "contact_deleted", recipient: ADA });
  });

  it("gets the mail at the address that it has when its turn comes", async () => {
    await team.put("/contacts/update", { email: ADA, userId: "u1" });
    await accept(team, revision, ADA);
    await team.put("/contacts/update", { userId: "u1", email: "lovelace@example.com" });
    expect((await sendTo(team, "lovelace@example.com")).text).toContain("Hello Ada");
    expect(await sendTo(team, ADA)).toBeUndefined();
    await team.admin("POST", "/suppressions", { email: "lovelace@example.com" });
    await accept(team, revision, "lovelace@example.com", { run: 2 });
    expect(await row()).toMatchObject({ error: "suppressed" });
  });
});

describe("the activity of a contact", () => {
  const activity = () =>
    team.inside((sql) =>
      sql
        .exec(
          `SELECT min(sent_at) AS sentAt, min(opened_at) AS openedAt, min(clicked_at) AS clickedAt
           FROM engagement WHERE contact = 1 AND message = 1`,
        )
        .one(),
    );

  it("says when a mail was sent, for ever, and not for one that was not", async () => {
    expect(await activity()).toEqual({ sentAt: null, openedAt: null, clickedAt: null });
    await accept(team, revision, ADA);
    expect((await activity()).sentAt).toBeNull();
    await runAlarm(team.stub);
    const { sentAt } = await activity();
    expect(sentAt).toBeGreaterThan(0);
    advance(31 * 86_400_000);
    await runAlarm(team.stub);
    expect(await activity()).toMatchObject({ sentAt });
  });

  it("is one seek", async () => {
    const plan = await team.inside((sql) =>
      sql
        .exec(
          "EXPLAIN QUERY PLAN SELECT min(sent_at), min(opened_at) FROM engagement WHERE contact = 1 AND message = 1",
        )
        .toArray(),
    );
    expect(plan.map(({ detail }) => detail)).toEqual(["SEARCH engagement USING PRIMARY KEY (contact=? AND message=?)"]);
  });

  it("is deleted with the contact", async () => {
    await accept(team, revision, ADA);
    await runAlarm(team.stub);
    await team.post("/contacts/delete", { email: ADA });
    expect(await team.rows("SELECT * FROM engagement")).toEqual([]);
    expect(await team.rows("SELECT contact FROM sends")).toEqual([{ contact: null }]);
  });
});

it("mail to a contact without an address moves to the contact that it becomes one with", async () => {
  await team.put("/contacts/update", { userId: "u1" });
  await team.run("UPDATE contacts SET email = 'none' WHERE user_id = 'u1'");
  await accept(team, revision, "none", { run: 1 });
  await team.run("UPDATE contacts SET email = NULL WHERE user_id = 'u1'");
  await team.put("/contacts/update", { email: ADA, userId: "u1" });
  expect((await sendTo(team, ADA)).text).toContain("Hello Ada");
  expect(await team.rows("SELECT contact, sent_at > 0 AS sent FROM engagement")).toEqual([{ contact: 1, sent: 1 }]);
});
