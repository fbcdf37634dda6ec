import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Workspace } from "../../../../src/email/workspace/object.ts";
import { SCANNERS } from "../../../fixtures/email/scanners.ts";
import { advance, app, appWith, createTeam, isolated, runAlarm, type Team } from "../bench.ts";
import {
  accept,
  addMarketingMessage,
  BROWSER,
  linksApp,
  linksOf,
  pictureIn,
  SITE,
  sendTo,
  visit,
} from "../marketing.ts";

isolated();

const ADA = "ada@example.com";
const SHOP = "https://shop.example.com/sale?utm_source=news&utm_campaign=a%20b#top";
const LMX = `<Paragraph><Link href="${SHOP.replaceAll("&", "&amp;")}">Sale</Link></Paragraph>
<Button href="https://shop.example.com/one">One</Button>
<Paragraph><Link href="https://shop.example.com/two">Two</Link> <Link href="https://shop.example.com/private" notrack="true">Private</Link>
<Link href="mailto:help@example.com">Mail</Link> <Link href="tel:+4930123456">Call</Link></Paragraph>`;

let team: Team;
let revision: number;
let mail: { html: string; text: string };
beforeEach(async () => {
  team = await createTeam();
  await team.post("/contacts/create", { email: ADA });
  revision = await addMarketingMessage(team, LMX);
  await accept(team, revision, ADA);
  mail = await sendTo(team, ADA);
  // Scanners open it at once, people later.
  advance(60_000);
});

const clicks = () => [...new Set(linksOf(mail.html).filter((url) => url.startsWith(`${SITE}/t/c/`)))];
const engagement = async () =>
  (await team.rows("SELECT sent_at IS NOT NULL AS sent, opened_at, clicked_at FROM engagement"))[0];
const hits = () => team.rows("SELECT link, human, proxy, prefetch, scanner FROM send_hits ORDER BY link");
const counts = async () => (await team.admin("GET", "/messages/msg_news0/engagement")).json;
const none = { sent: 1, opened_at: null, clicked_at: null };
const PROXY = SCANNERS.Google;
const APPLE = "Mozilla/5.0";

describe("a marketing mail", () => {
  it("has tracked links, and leaves alone what must not be tracked", async () => {
    const links = linksOf(mail.html);
    expect(clicks()).toHaveLength(3);
    expect(links).toContain("https://shop.example.com/private");
    expect(links).toContain("mailto:help@example.com");
    expect(links).toContain("tel:+4930123456");
    expect(links.filter((url) => url.startsWith(`${SITE}/u/`))).toHaveLength(1);
    expect(links.filter((url) => url.startsWith(`${SITE}/p/`))).toHaveLength(1);
    expect(mail.html).not.toContain("notrack");
    expect(pictureIn(mail.html)).toMatch(new RegExp(`^${SITE}/t/o/[\\w-]+$`));
    expect(mail.text).toContain(SHOP);
  });

  it.each([
    ["the team", () => team.admin("POST", "", { tracking: false })],
    ["the contact", () => team.admin("POST", "/tracking", { email: ADA, tracked: false })],
  ])("is as it was written when tracking is off for %s, and nothing of earlier mail is recorded", async (_who, off) => {
    await off();
    await visit(pictureIn(mail.html));
    expect((await visit(clicks()[0] ?? "")).headers.get("Location")).toBe(SHOP);
    expect(await engagement()).toEqual(none);
    expect(await hits()).toEqual([]);
    await accept(team, revision, ADA, { run: 1 });
    const { html } = await sendTo(team, ADA);
    expect(linksOf(html)).toEqual(expect.arrayContaining([SHOP, "https://shop.example.com/private"]));
    expect(html).not.toMatch(/\/t\/[oc]\/|notrack/);
    expect(html).toContain(`${SITE}/u/`);
  });
});

describe("an open", () => {
  it("by a person counts: picture, engagement, story", async () => {
    const { status, headers, text } = await visit(pictureIn(mail.html));
    expect([status, headers.get("Content-Type"), headers.get("Cache-Control")]).toEqual([
      200,
      "image/gif",
      "no-store, private",
    ]);
    expect(text.startsWith("GIF89a")).toBe(true);
    expect(await engagement()).toMatchObject({ opened_at: Date.now(), clicked_at: null });
    expect(await counts()).toEqual({ opened: 1, clicked: 0, prefetched: 0, scanned: 0 });
    advance(1_000);
    await visit(pictureIn(mail.html));
    expect(await engagement()).toMatchObject({ opened_at: Date.now() - 1_000 });
    expect(await hits()).toEqual([{ link: 0, human: 2, proxy: 0, prefetch: 0, scanner: 0 }]);
    const { data } = (await team.admin("GET", "/sends")).json;
    const { story } = (await team.admin("GET", `/sends/${data[0].id}`)).json;
    expect(story.at(-1)).toMatchObject({
      what: "opened",
      text: "It was opened, 2 times.",
      detail: { by: "human", count: 2 },
    });
  });

  it("behind the proxy of Gmail is one of a person; what Apple loads ahead says nothing", async () => {
    await visit(pictureIn(mail.html), APPLE);
    expect(await engagement()).toEqual(none);
    expect(await counts()).toEqual({ opened: 0, clicked: 0, prefetched: 1, scanned: 0 });
    await visit(pictureIn(mail.html), PROXY);
    expect(await engagement()).toMatchObject({ opened_at: Date.now() });
    expect(await hits()).toEqual([{ link: 0, human: 0, proxy: 1, prefetch: 1, scanner: 0 }]);
    expect(await counts()).toEqual({ opened: 1, clicked: 0, prefetched: 1, scanned: 0 });
  });
});

describe("a click", () => {
  it("leads to the address as it was written, and counts as an open too", async () => {
    const { status, headers, text } = await visit(clicks()[0] ?? "");
    expect([status, headers.get("Location"), text]).toEqual([302, SHOP, ""]);
    expect(headers.get("Cache-Control")).toBe("no-store, private");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(await engagement()).toMatchObject({ opened_at: Date.now(), clicked_at: Date.now() });
    expect(await counts()).toEqual({ opened: 1, clicked: 1, prefetched: 0, scanned: 0 });
    const [row] = await team.rows("SELECT * FROM send_hits");
    expect(row).toMatchObject({ link: 1, url: "https://shop.example.com/sale", human: 1 });
    const [send] = (await team.admin("GET", "/sends")).json.data;
    const { story } = (await team.admin("GET", `/sends/${send.id}`)).json;
    expect(story.at(-1).text).toBe("The link https://shop.example.com/sale was opened, once.");
  });

  it("writes a bounded number of rows however often it is repeated", async () => {
    const link = clicks()[0] ?? "";
    for (let n = 0; n < 100; n++) await visit(link);
    const before = await team.everything();
    for (let n = 0; n < 20; n++) await visit(link);
    expect(await team.everything()).toBe(before);
    expect(await hits()).toEqual([{ link: 1, human: 100, proxy: 0, prefetch: 0, scanner: 0 }]);
  });

  it("on many links at once is one of a scanner, and what it changed is taken back", async () => {
    const [first = "", second = "", third = ""] = clicks();
    await visit(first);
    await visit(second);
    expect(await engagement()).toMatchObject({ clicked_at: Date.now() });
    await visit(third);
    expect(await engagement()).toEqual(none);
    expect((await hits()).map(({ human, scanner }) => [human, scanner])).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
    expect(await counts()).toMatchObject({ opened: 0, clicked: 0 });
    await visit(second);
    expect(await engagement()).toEqual(none);
    advance(3_600_000);
    await visit(second);
    expect(await engagement()).toMatchObject({ clicked_at: Date.now() });
  });

  it("on many links at once takes back nothing that a person did before", async () => {
    await visit(pictureIn(mail.html));
    await visit(clicks()[0] ?? "");
    const at = Date.now();
    advance(3_600_000);
    for (const link of clicks()) await visit(link);
    await visit(clicks()[1] ?? "");
    expect(await engagement()).toMatchObject({ opened_at: at, clicked_at: at });
  });

  it("in the seconds after the mail left is one of a scanner", async () => {
    await accept(team, revision, ADA, { run: 1 });
    const { html } = await sendTo(team, ADA);
    await visit(pictureIn(html));
    await visit(linksOf(html).find((url) => url.includes("/t/c/")) ?? "");
    expect(await team.rows("SELECT opened_at, clicked_at FROM engagement WHERE run = 1")).toEqual([
      { opened_at: null, clicked_at: null },
    ]);
    expect(await counts()).toEqual({ opened: 0, clicked: 0, prefetched: 0, scanned: 1 });
  });

  it("counts for years: when the send is deleted, and when API_KEY_SECRET is another one", async () => {
    advance(400 * 86_400_000);
    await runAlarm(team.stub);
    expect(await team.rows("SELECT n FROM sends")).toEqual([]);
    const rotated = appWith({ API_KEY_SECRET: "a new one", FORMER_API_KEY_SECRETS: "older test-key-secret" });
    const link = clicks()[0]?.replace(SITE, "") ?? "";
    const response = await rotated.request(link, { headers: { "User-Agent": BROWSER } });
    expect([response.status, response.headers.get("Location")]).toEqual([302, SHOP]);
    expect(await engagement()).toMatchObject({ clicked_at: Date.now() });
    expect(await hits()).toEqual([]);
  });
});

describe("the twelve scanners", () => {
  it.each(Object.entries(SCANNERS))("change nothing but a count: %s", async (name, agent) => {
    const before = await engagement();
    for (const link of clicks()) await visit(link, agent);
    for (const url of [...clicks(), pictureIn(mail.html)]) {
      await visit(url, agent, "HEAD");
      await visit(url, agent, "GET", { "Sec-Purpose": "prefetch;prerender" });
    }
    if (!/Google|Yahoo/.test(name)) await visit(pictureIn(mail.html), agent);
    expect(await engagement()).toEqual(before);
    expect((await hits()).every(({ human, proxy, prefetch }) => human === 0 && proxy === 0 && prefetch === 0)).toBe(
      true,
    );
    expect(await counts()).toEqual({ opened: 0, clicked: 0, prefetched: 0, scanned: 1 });
    const tables = await team.rows("SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM suppressions) AS n");
    expect(tables).toEqual([{ n: 0 }]);
    expect((await team.find({ email: ADA })).subscribed).toBe(true);
  });
});

describe("a link that is not valid", () => {
  const forged = (token: string) => {
    const parts = token.split(".");
    const elsewhere = Buffer.from("https://evil.example/").toString("base64url");
    return {
      truncated: token.slice(0, -3),
      "without its tag": [parts[0], parts[1], "", parts[3]].join("."),
      "with another address": [...parts.slice(0, 3), elsewhere].join("."),
      "with another number": [parts[0], "9", parts[2], parts[3]].join("."),
      "with more parts": `${token}.x`,
      "with another spelling": `${token}=`,
      "of the open picture": parts[0] ?? "",
      empty: "...",
      long: `${token}${"A".repeat(3_000)}`,
    };
  };

  it("is the same 404 whatever is wrong, and reaches no object", async () => {
    const spy = vi.spyOn(Workspace.prototype, "hit");
    const token = clicks()[0]?.split("/t/c/")[1] ?? "";
    const before = await team.everything();
    const missing = (await visit("/t/c/nothing")).text;
    for (const [what, wrong] of Object.entries(forged(token))) {
      const { status, text } = await visit(`/t/c/${wrong}`);
      expect([what, status, text]).toEqual([what, 404, missing]);
    }
    const picture = pictureIn(mail.html).split("/t/o/")[1] ?? "";
    for (const wrong of [
      picture.slice(0, -1),
      token,
      "x",
      `${picture}A`,
      picture.replace(/^./, (one) => (one === "A" ? "B" : "A")),
    ])
      expect((await visit(`/t/o/${wrong}`)).status).toBe(404);
    const unsubscribe = linksOf(mail.html)
      .find((url) => url.includes("/u/"))
      ?.split("/u/")[1];
    expect((await visit(`/t/o/${unsubscribe}`)).status).toBe(404);
    expect((await visit(`/u/${picture}`)).status).toBe(404);
    expect((await app.request(`/t/c/${token}`)).status).toBe(404);
    expect(spy).not.toHaveBeenCalled();
    expect(await team.everything()).toBe(before);
  });

  it("of one mail cannot be made from the parts of another", async () => {
    const other = await addMarketingMessage(
      team,
      '<Paragraph><Link href="https://shop.example.com/two">Two</Link></Paragraph>',
    );
    await accept(team, other, ADA);
    const { html } = await sendTo(team, ADA);
    const [, mine = ""] = clicks()[0]?.split("/t/c/") ?? [];
    const [, theirs = ""] =
      linksOf(html)
        .find((url) => url.includes("/t/c/"))
        ?.split("/t/c/") ?? [];
    const mixed = [theirs.split(".")[0], ...mine.split(".").slice(1)].join(".");
    expect((await visit(`/t/c/${mixed}`)).status).toBe(404);
  });

  it("takes GET and HEAD only", async () => {
    for (const url of [clicks()[0] ?? "", pictureIn(mail.html)])
      for (const method of ["POST", "PUT", "DELETE"]) expect((await visit(url, BROWSER, method)).status).toBe(405);
  });
});

it("a link of a contact that was deleted still leads on, and nothing is recorded", async () => {
  await visit(pictureIn(mail.html));
  await team.post("/contacts/delete", { email: ADA });
  expect(await team.rows("SELECT * FROM send_hits")).toEqual([]);
  // The next contact gets the number of the row.
  await team.post("/contacts/create", { email: "eve@example.com" });
  expect((await visit(clicks()[0] ?? "")).headers.get("Location")).toBe(SHOP);
  expect(await team.rows("SELECT * FROM send_hits")).toEqual([]);
  expect(await team.rows("SELECT * FROM engagement")).toEqual([]);
});

it("what was measured of an erased person is erased, also where the contact is deleted already", async () => {
  await visit(pictureIn(mail.html));
  await visit(clicks()[0] ?? "");
  await team.admin("POST", "/erase", { emails: [ADA] });
  expect(await team.rows("SELECT * FROM send_hits")).toEqual([]);
  expect(await team.rows("SELECT * FROM engagement")).toEqual([]);
  expect(await counts()).toMatchObject({ opened: 1, clicked: 1 });
  await visit(clicks()[0] ?? "");
  expect(await team.rows("SELECT * FROM send_hits")).toEqual([]);
});

it("a click leads on when the team's object fails, and the link is not logged", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  vi.spyOn(Workspace.prototype, "hit").mockRejectedValue(new Error("down"));
  const link = clicks()[0] ?? "";
  expect((await visit(link)).headers.get("Location")).toBe(SHOP);
  expect(lines.join("\n")).toContain("hit_lost");
  expect(lines.join("\n")).not.toContain(link.split("/t/c/")[1]);
});

it("transactional mail is never tracked, and has no footer", async () => {
  await team.admin("POST", "/samples", {});
  await team.post("/transactional", { transactionalId: "tpl_welcome", email: ADA });
  const sent = await vi.waitFor(async () => {
    const found = await sendTo(team, ADA);
    expect(found.subject).toContain("Welcome");
    return found;
  });
  expect(sent.html).not.toMatch(/\/t\/[oc]\/|\/u\//);
  expect(sent.headers["List-Unsubscribe"]).toBeUndefined();
});

it("a team that does not exist stays without tables", async () => {
  const stub = (await import("../bench.ts")).bindings.WORKSPACE.getByName("nobody");
  await stub.hit({
    mail: { team: "nobody", send: 1, contact: 1, message: 1, run: 0 },
    link: 0,
    url: "",
    visitor: "human",
  });
  const tables = await runInDurableObject(stub, (_: Workspace, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
  );
  expect(tables).toEqual([]);
});

it("the setting of a contact is shown and kept, also by the contact that it becomes one with", async () => {
  expect((await team.admin("GET", `/tracking?email=${ADA}`)).json).toMatchObject({
    contact: { email: ADA },
    tracked: true,
  });
  await team.put("/contacts/update", { userId: "u1" });
  expect((await team.admin("POST", "/tracking", { userId: "u1", tracked: false })).json).toMatchObject({
    tracked: false,
  });
  await team.put("/contacts/update", { email: ADA, userId: "u1" });
  expect((await team.admin("GET", "/tracking?userId=u1")).json).toMatchObject({
    contact: { email: ADA },
    tracked: false,
  });
});

it.each([
  ["GET", "/tracking", undefined, 400, "email"],
  ["GET", `/tracking?email=${ADA}&userId=u`, undefined, 400, "email"],
  ["POST", "/tracking", { email: ADA }, 400, "tracked"],
  ["POST", "/tracking", { email: ADA, tracked: "no" }, 400, "tracked"],
  ["POST", "/tracking", { email: "bo@example.com", tracked: false }, 404, "email"],
  ["GET", "/tracking?userId=u9", undefined, 404, "userId"],
  ["GET", "/messages/msg_9/engagement", undefined, 404, "emailMessageId"],
  ["POST", "", { tracking: "yes" }, 400, "tracking"],
  ["POST", "", { postalAddress: "" }, 400, "postalAddress"],
  ["POST", "", { postalAddress: "a\tb" }, 400, "postalAddress"],
  ["POST", "", { postalAddress: "x".repeat(501) }, 400, "postalAddress"],
])("%s %s with %j is refused with %i at %s", async (method, path, body, status, at) => {
  expect((await team.admin(method, path, body)).json).toMatchObject({ path: at });
  expect((await team.admin(method, path, body)).status).toBe(status);
});

it("the links of a mail are read with the secrets of its host only", async () => {
  expect(
    (await linksApp.request(pictureIn(mail.html).replace(SITE, ""), { headers: { "User-Agent": BROWSER } })).status,
  ).toBe(200);
  const without = appWith({ API_KEY_SECRET: undefined });
  expect((await without.request(pictureIn(mail.html).replace(SITE, ""))).status).toBe(404);
});
