import { beforeEach, describe, expect, it } from "vitest";
import { endRevisions } from "../../../../../src/email/workspace/content/revision-ends.ts";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";

isolated();

const DAY = 86_400_000;

let team: Team;
let id: string;
let message: string;
beforeEach(async () => {
  team = await createTeam();
  const { json } = await team.post("/transactional-emails", { name: "Order shipped" });
  [id, message] = [json.id, json.draftEmailMessageId];
});

/** Within the 60 edits a minute. */
const pause = () => advance(3_500);
const edit = async (subject: string, of = message): Promise<string> => {
  pause();
  const text = { subject, fromName: "Acme", fromEmail: "news", lmx: "<Paragraph>Hello</Paragraph>" };
  const { status, json, text: answer } = await team.post(`/email-messages/${of}`, text);
  expect(status, answer).toBe(200);
  return json.contentRevisionId;
};
const publish = async (subject: string): Promise<void> => {
  pause();
  const draft = (await team.post(`/transactional-emails/${id}/draft`, {})).json.draftEmailMessageId;
  await edit(subject, draft);
  const { status, text } = await team.post(`/transactional-emails/${id}/publish`, {});
  expect(status, text).toBe(200);
};
const send = async (): Promise<string> => {
  const { status, json, text } = await team.post("/transactional", { transactionalId: id, email: "ada@example.com" });
  expect(status, text).toBe(200);
  return json.id;
};
const count = async (table: string) => (await team.rows(`SELECT count(*) AS n FROM ${table}`))[0]?.n;
const missing = "SELECT count(*) AS n FROM sends WHERE revision NOT IN (SELECT n FROM message_revisions)";
/** Runs the alarm each day, as it would ring. */
const days = async (number: number) => {
  for (let day = 0; day < number; day++) {
    advance(DAY);
    for (let again = 0; again < 3; again++) {
      advance(1_100);
      await team.inside((_, storage) => storage.setAlarm(Date.now()));
      await runAlarm(team.stub);
    }
  }
};

describe("the revisions of a message", () => {
  it("are the last 50 edits: an older one is gone, and the current one stays", async () => {
    const first = await edit("No. 0");
    for (let n = 1; n <= 70; n++) await edit(`No. ${n}`);
    expect(await count("message_revisions")).toBe(50);
    const { json } = await team.admin("GET", `/email-messages/${message}/revisions?perPage=50`);
    expect([json.data.length, json.data[0].subject, json.data[49].subject]).toEqual([50, "No. 70", "No. 21"]);
    const gone = await team.admin("GET", `/email-messages/${message}/revisions/${first}`);
    expect([gone.status, gone.json.code]).toEqual([404, "revision_not_found"]);
    expect((await team.get(`/email-messages/${message}`)).json.subject).toBe("No. 70");
  });

  it("stay while a mail names them, and go a month after it", async () => {
    await publish("Sent");
    await send();
    await runAlarm(team.stub);
    for (let n = 0; n < 60; n++) await publish(`No. ${n}`);
    expect(await team.rows(missing)).toEqual([{ n: 0 }]);
    expect(await count("message_revisions")).toBe(51);
    expect(await team.rows("SELECT revision FROM revision_uses")).toEqual(
      await team.rows("SELECT revision FROM sends"),
    );
    const [{ id: mail } = { id: "" }] = (await team.rows("SELECT id FROM sends")) as { id: string }[];
    expect((await team.admin("GET", `/sends/${mail}`)).json).toMatchObject({ id: mail });
    await days(33);
    expect([await count("sends"), await count("revision_uses"), await count("message_revisions")]).toEqual([0, 0, 50]);
    expect((await send()).length).toBeGreaterThan(0);
  });

  it("of published content end with their messages; what is published and the draft stay", async () => {
    for (let n = 0; n < 60; n++) await publish(`No. ${n}`);
    // Each draft has two: the copy and its edit.
    expect([await count("message_revisions"), await count("email_messages")]).toEqual([50, 25]);
    const { publishedEmailMessageId } = (await team.get(`/transactional-emails/${id}`)).json;
    expect((await team.get(`/email-messages/${publishedEmailMessageId}`)).json.subject).toBe("No. 59");
    await send();
  });

  it("of a mail that waits for longer than a month stay until it is settled", async () => {
    await publish("Waits");
    await send();
    await team.run("UPDATE sends SET due = ?", Date.now() + 100 * DAY);
    for (let n = 0; n < 60; n++) await publish(`No. ${n}`);
    await team.inside((sql) => {
      sql.exec("UPDATE revision_uses SET used_at = used_at - ?", 50 * DAY);
    });
    await team.run(
      "UPDATE sends SET created_at = created_at - ?1, may_leave_at = ?2",
      50 * DAY,
      Date.now() + 100 * DAY,
    );
    await days(2);
    expect(await team.rows(missing)).toEqual([{ n: 0 }]);
    expect([await count("sends"), await count("revision_uses")]).toEqual([1, 1]);
  });
});

it("changes of a theme leave no revision but those in use", async () => {
  await publish("Look");
  const theme = (await team.get("/themes")).json.data[0].id;
  const recolor = async (n: number) => {
    pause();
    const textLinkColor = `#${n.toString(16).padStart(6, "0")}`;
    expect((await team.post(`/themes/${theme}`, { styles: { textLinkColor } })).status).toBe(200);
    pause();
    await runAlarm(team.stub);
  };
  for (let n = 1; n <= 10; n++) await recolor(n);
  await send();
  for (let n = 11; n <= 30; n++) await recolor(n);
  // Two edits; the recompiled ones of the mail, of the publication, and the one before it.
  expect(Number(await count("message_revisions"))).toBeLessThanOrEqual(5);
  expect(await team.rows(missing)).toEqual([{ n: 0 }]);
});

it("one call deletes 20 at most, and writes nothing when there is nothing to delete", async () => {
  await edit("One");
  const deleted = await team.inside((sql) => {
    const { n } = sql.exec<{ n: number }>("SELECT n FROM email_messages WHERE template IS NOT NULL").one();
    for (let k = 0; k < 100; k++)
      sql.exec("INSERT INTO message_revisions (message, source, compiled, created_at) VALUES (?, '{}', '{}', 1)", n);
    sql.exec("UPDATE email_messages SET revision = (SELECT max(n) FROM message_revisions) WHERE n = ?", n);
    return [1, 2, 3, 4].map(() => {
      const before = sql.exec<{ n: number }>("SELECT count(*) AS n FROM message_revisions").one().n;
      endRevisions(sql, n);
      return before - sql.exec<{ n: number }>("SELECT count(*) AS n FROM message_revisions").one().n;
    });
  });
  expect(deleted).toEqual([20, 20, 12, 0]);
});
