import { describe, expect, it } from "vitest";
import type { Explained, Recipient, Results } from "../../../../scripts/campaign/answers.ts";
import { command, listed, progress } from "./world.ts";

const results: Results = {
  id: "cmp_1",
  name: "Spring sale",
  status: "Sent",
  recipients: 1000,
  queued: 0,
  sent: 980,
  skipped: 20,
  failed: 0,
  unknown: 0,
  cancelled: 0,
  delivered: 970,
  bounced: 10,
  hardBounces: 8,
  softBounces: 2,
  complained: 1,
  unsubscribed: 3,
  unsubscribeReasons: [{ reason: "too_many", people: 2 }],
  opened: 400,
  clicked: 97,
  prefetched: 12,
  scanned: 3,
  leftOut: null,
  previous: null,
  deleted: 2,
  reasons: [{ state: "skipped", reason: "unsubscribed", meaning: "The contact is unsubscribed.", recipients: 20 }],
  reasonsAt: "2026-11-22T12:00:00.000Z",
};
const BEFORE = { sent: 500, delivered: 500, bounced: 0, opened: 200, clicked: 60, unsubscribed: 0, complained: 0 };
const links = {
  data: [
    { url: "https://acme.com/sale", clicks: 120, people: 97, robots: 1, places: [] },
    { url: null, clicks: 4, people: 4, robots: 0, places: [] },
  ],
};
const recipient = (n: number, changes: Partial<Recipient> = {}): Recipient => ({
  contactId: `con_${n}`,
  email: `p${n}@example.com`,
  userId: null,
  state: "delivered",
  reason: null,
  meaning: "It was delivered.",
  sendId: `snd_${n}`,
  settledAt: null,
  sentAt: null,
  clickedAt: null,
  openedAt: "2026-11-22T12:00:00.000Z",
  unsubscribedAt: null,
  ...changes,
});
const many = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => recipient(from + i));

describe("npm run campaign -- results", () => {
  it("shows counts with their shares, reasons, and links", async () => {
    const { printed } = await command("results cmp_1", { "GET /cmp_1/results": results, "GET /cmp_1/links": links });
    expect(printed[0]?.split("\n").map((line) => line.trimEnd())).toEqual([
      "Spring sale (cmp_1): Sent",
      "audience      1,000",
      "skipped       20     2.0 % of the audience",
      "sent          980    98.0 % of the audience",
      "bounced       10     1.0 % of delivered and bounced (8 hard, 2 soft)",
      "delivered     970    99.0 % of delivered and bounced",
      "opened        400    41.2 % of delivered",
      "clicked       97     10.0 % of delivered",
      "unsubscribed  3      0.3 % of delivered",
      "complained    1      0.1 % of delivered",
      "Not counted as opens: 12 mails loaded ahead by a privacy proxy, 3 opened by a program.",
      "Contacts deleted since then: 2.",
      "",
      "state    reason                        recipients",
      `${"─".repeat(7)}  ${"─".repeat(28)}  ${"─".repeat(10)}`,
      "skipped  The contact is unsubscribed.  20",
      "",
      "link                         clicks  people",
      `${"─".repeat(27)}  ${"─".repeat(6)}  ${"─".repeat(6)}  ${"─".repeat(6)}`,
      "https://acme.com/sale        120     97      10.0 %",
      "(differs from mail to mail)  4       4       0.4 %",
    ]);
    const previous = { id: "cmp_0", name: "Winter sale", startedAt: "2026-11-01T12:00:00.000Z", ...BEFORE };
    const compared = { ...results, previous, leftOut: { notSelected: 1_902, notOnList: 3 } };
    const more = await command("results cmp_1", { "GET /cmp_1/results": compared, "GET /cmp_1/links": links });
    expect(more.printed[0]).toContain(
      "Compared with Winter sale (cmp_0): opened 1.2 points more, clicked 2 points fewer.\nNo recipients: 1,902 did not match segment or filter, 3 were not on the list.",
    );
    const json = await command("results cmp_1 --json", { "GET /cmp_1/results": results, "GET /cmp_1/links": links });
    expect(JSON.parse(json.printed[0] ?? "")).toEqual({ ...results, links: links.data });
  });
});

describe("npm run campaign -- recipients", () => {
  const FIRST = "GET /cmp_1/recipients?perPage=50";

  it("shows recipients of several pages, empty ones too, and says when there are more", async () => {
    const pages = {
      [FIRST]: { data: many(0, 30), next: "a b", searchedTo: null },
      [`${FIRST}&cursor=a%20b`]: { data: [], next: "c", searchedTo: null },
      [`${FIRST}&cursor=c`]: { data: many(30, 60), next: "d", searchedTo: null },
    };
    const { printed, asked } = await command("recipients cmp_1", pages);
    expect(asked).toHaveLength(3);
    expect(printed[0]?.split("\n")).toHaveLength(52);
    expect(printed[0]).toMatch(/p49@example\.com +delivered +It was delivered\. +2026-11-22 12:00 UTC/);
    expect(printed[1]).toContain("There are more.");
    const few = await command("recipients cmp_1 --limit 2", pages);
    expect([few.asked.length, few.printed[0]?.split("\n").length]).toEqual([1, 4]);
    const rest = { [FIRST]: { data: many(0, 3), next: null, searchedTo: null } };
    expect((await command("recipients cmp_1", rest)).printed).toHaveLength(1);
    const lines = await command("recipients cmp_1 --json", rest);
    expect(lines.printed.map((line) => JSON.parse(line))).toEqual(many(0, 3));
  });

  it("shows those of a state, a reason and a group", async () => {
    const path = "GET /cmp_1/recipients?state=skipped&reason=unsubscribed&group=clicked&perPage=50";
    const line = "recipients cmp_1 --state skipped --reason unsubscribed --group clicked";
    const { printed } = await command(line, { [path]: { data: [], next: null, searchedTo: null } });
    expect(printed).toEqual([
      "Spring sale has no recipients yet: they are chosen when it begins to send. npm run campaign -- estimate cmp_1",
    ]);
    const sent = { campaigns: [listed({ status: "Sending", progress: progress() })] };
    const none = await command(line, { [path]: { data: [], next: null } }, sent);
    expect(none.printed).toEqual(["No recipient is like that."]);
  });

  it("writes all of them to a file", async () => {
    const { saved, asked, printed } = await command("recipients cmp_1 --group opened --out a.csv");
    expect(asked).toEqual([{ path: "GET /cmp_1/recipients.csv?group=opened" }]);
    expect(saved).toEqual({ "a.csv": "email,state\n" });
    expect(printed).toEqual(["The recipients of Spring sale are in a.csv."]);
  });
});

describe("npm run campaign -- contact", () => {
  it("explains why a contact got it", async () => {
    const answer: Explained = {
      contact: { id: "con_1", email: "ada@example.com", userId: null },
      code: "delivered",
      text: "The mail was delivered.",
      recipient: recipient(1),
      sendUrl: "https://mail.example.com/admin/teams/acme/sends/snd_1",
      story: [{ at: "2026-11-22T12:00:00.000Z", text: "The mail provider accepted it." }],
    };
    const { printed } = await command("contact cmp_1 ada@example.com", {
      "GET /cmp_1/contacts/ada%40example.com": answer,
    });
    expect(printed[0]).toBe(
      `ada@example.com (con_1)
The mail was delivered.
  2026-11-22 12:00 UTC  The mail provider accepted it.
Its mail: https://mail.example.com/admin/teams/acme/sends/snd_1`,
    );
  });
});
