import { beforeEach, describe, expect, it } from "vitest";
import { MOST } from "../../../../../../src/email/workspace/operator/people/timeline/others.ts";
import { MOST_SENDS } from "../../../../../../src/email/workspace/operator/people/timeline/sends.ts";
import { showTimeline } from "../../../../../../src/email/workspace/operator/people/timeline.ts";
import { advance, createTeam, isolated, START, type Team } from "../../../bench.ts";
import { contextOf, counted } from "../../counted.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true });
  await team.post("/contacts/create", { email: "ada@example.com", userId: "u1" });
});

type Entry = { at: string; kind: string; text: string; why: string | null; ids: Record<string, string> };
type Page = { data: Entry[]; next: string | null };
const timeline = async (query: Record<string, string> = {}, contact = "ada@example.com"): Promise<Page> => {
  const path = `/contacts/${encodeURIComponent(contact)}/timeline?${new URLSearchParams(query)}`;
  const { status, json, text } = await team.admin("GET", path);
  expect(status, text).toBe(200);
  return json;
};
const everything = async (query: Record<string, string> = {}) => {
  const found: Entry[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { data, next }: Page = await timeline(cursor === "" ? query : { ...query, cursor });
    found.push(...data);
    cursor = next;
  }
  return found;
};

const addSends = (count: number, at: number, state = "sent") =>
  team.run(
    `WITH RECURSIVE s (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < ?1 - 1)
     INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, sender, error, created_at, settled_at, preview)
     SELECT (?2 + i * 1000) * 1000, 'snd_' || (?2 + i * 1000), 'transactional', (SELECT max(n) FROM message_revisions),
       'Ada@example.com', 'ada@example.com', '<' || i || '@test>', ?3, 1, 'smtp', iif(?3 = 'not_sent', 'suppressed', NULL),
       ?2 + i * 1000, ?2 + i * 1000 + 100, 0 FROM s`,
    count,
    at,
    state,
  );
const addEvents = (count: number, at: number) =>
  team.run(
    `WITH RECURSIVE s (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < ?1 - 1)
     INSERT INTO events (n, contact, pattern, properties, at)
     SELECT (?2 + i * 500) * 1000, 1, (SELECT n FROM event_patterns), jsonb('{}'), ?2 + i * 500 FROM s`,
    count,
    at,
  );

describe("the timeline of a contact", () => {
  it("has what happened, newest first, with the state of each mail in words", async () => {
    await team.post("/events/send", { userId: "u1", eventName: "signedUp" });
    advance(1_000);
    await addSends(1, Date.now());
    advance(1_000);
    await addSends(1, Date.now(), "not_sent");
    advance(1_000);
    await team.admin("POST", "/suppressions", { email: "ada@example.com" });
    advance(1_000);
    await team.put("/contacts/update", { userId: "u1", firstName: "Ada" });
    const { data, next } = await timeline();
    expect(next).toBeNull();
    expect(data.map(({ kind, text, why }) => [kind, text, why])).toEqual([
      ["changed", "The contact was last changed.", null],
      ["suppressed", "The address is suppressed. A person suppressed the address.", null],
      ["notSent", "It was not sent, because the address was suppressed.", null],
      [
        "send",
        expect.stringMatching(/^Accepted as transactional mail/),
        "It was not sent, because the address was suppressed.",
      ],
      ["send", "Attempt 1 by smtp: accepted.", null],
      [
        "send",
        expect.stringMatching(/^Accepted as transactional mail/),
        "Accepted by the mail provider. No bounce so far.",
      ],
      ["event", 'The event "signedUp" came.', null],
      ["created", "The contact was created.", null],
    ]);
    expect(data[4]?.ids).toMatchObject({
      send: expect.stringMatching(/^snd_/),
      template: expect.stringMatching(/^tpl_/),
    });
    expect(data[6]?.ids).toEqual({ event: expect.stringMatching(/^evt_/), pattern: expect.any(String) });
    const times = data.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().reverse());
    expect(await everything({ kind: "event" })).toEqual([data[6]]);
    expect((await timeline({}, "u1")).data).toEqual(data);
  });

  it("has passages through workflows, campaigns without a mail, and marketing mail whose send is deleted", async () => {
    await team.post("/workflows", { name: "Trial" });
    await team.run(
      `INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path, ended)
       SELECT 1, n, 1, 1, ?2, NULL, ?1, '[]', 'completed' FROM workflows WHERE name = 'Trial'`,
      START + 1_000,
      START + 2_000,
    );
    await team.post("/campaigns", { name: "Spring" });
    await team.run(
      `INSERT INTO recipients (campaign, contact, state, reason, settled_at)
       SELECT n, 1, 'skipped', 'unsubscribed', ? FROM campaigns WHERE name = 'Spring'`,
      START + 3_000,
    );
    await team.run(
      `INSERT INTO engagement (contact, message, run, send, sent_at, opened_at, clicked_at)
       SELECT 1, message, 0, 1, ?, ?, NULL FROM campaigns WHERE name = 'Spring'`,
      START - 2_000,
      START - 1_000,
    );
    const { data } = await timeline();
    expect(data.filter(({ kind }) => kind !== "created").map(({ kind, text, why }) => [kind, text, why])).toEqual([
      ["notSent", 'The contact did not get the campaign "Spring".', expect.stringContaining("unsubscribed")],
      ["workflow", 'The passage through the workflow "Trial" ended.', "The contact went through the whole workflow."],
      ["workflow", 'The contact entered the workflow "Trial".', null],
      ["opened", "It was opened.", null],
      ["send", "A mail was sent. Its row is deleted, because it is older than 30 days.", null],
    ]);
  });

  it("has each entry once over all pages, also where a source has more than one request reads", async () => {
    await team.post("/events/send", { userId: "u1", eventName: "opened" });
    await addSends(MOST_SENDS + 50, START + 1_000_000);
    await addEvents(MOST * 2 + 10, START + 1_100_000);
    const all = await everything({ perPage: "50" });
    const entries = all.map(({ at, kind, text, ids }) => `${at} ${kind} ${text} ${ids.send ?? ids.event ?? ""}`);
    expect(new Set(entries).size).toBe(entries.length);
    expect(all.filter(({ kind }) => kind === "event")).toHaveLength(MOST * 2 + 11);
    expect(all.filter(({ kind }) => kind === "send")).toHaveLength((MOST_SENDS + 50) * 2);
    const times = all.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().reverse());
    expect((await everything({ kind: "created" })).map(({ kind }) => kind)).toEqual(["created"]);
  });

  it("reads a bounded number of rows, however much is stored", async () => {
    await team.post("/events/send", { userId: "u1", eventName: "opened" });
    const rows = async () =>
      team.inside(async (real) => {
        const { sql, take } = counted(real);
        await showTimeline(contextOf(sql), { team: "acme", contact: "ada@example.com" });
        return take().read;
      });
    await addSends(1_000, START + 1_000_000);
    await addEvents(1_000, START + 1_000_000);
    const few = await rows();
    await addSends(4_000, START + 10_000_000);
    await addEvents(4_000, START + 10_000_000);
    expect(await rows()).toBe(few);
  });

  it("is 404 for a contact that is not there, and refuses a wrong cursor and kind", async () => {
    const wrong: [path: string, status: number, code: string, at: string][] = [
      ["/contacts/nobody@example.com/timeline", 404, "contact_not_found", "contact"],
      ["/contacts/u1/timeline?cursor=x", 400, "invalid_request", "cursor"],
      [`/contacts/u1/timeline?cursor=${btoa('["1","2"]')}`, 400, "invalid_request", "cursor"],
      ["/contacts/u1/timeline?kind=mail", 400, "invalid_request", "kind"],
    ];
    for (const [path, expected, code, at] of wrong) {
      const { status, json } = await team.admin("GET", path);
      expect([status, json.code, json.path], path).toEqual([expected, code, at]);
    }
    const other = await createTeam({ id: "other" });
    expect((await other.admin("GET", "/contacts/ada@example.com/timeline")).status).toBe(404);
  });
});
