import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addressDigest } from "../../../../src/email/mail/links/address.ts";
import { createToken } from "../../../../src/email/mail/links/link-token.ts";
import { LINK_PATHS } from "../../../../src/email/mail/links/urls.ts";
import type { LinkKind, LinkTarget } from "../../../../src/email/types/recipient.ts";
import type { Workspace } from "../../../../src/email/workspace/object.ts";
import { SCANNERS } from "../../../fixtures/email/scanners.ts";
import { advance, app, appWith, arranged, bindings, createTeam, type Team } from "../bench.ts";

const ADA = { email: "ada@example.com" };
const KINDS = Object.keys(LINK_PATHS) as LinkKind[];

const arrangement = arranged(async () => {
  const team = await createTeam({ name: "Acme & Söhne" });
  const list = async (name: string, visibility = "public") =>
    (await team.admin("POST", "/lists", { name, visibility, description: `About ${name}` })).json.id as string;
  const lists = {
    news: await list("News"),
    offers: await list("Offers"),
    inner: await list("Staff", "private"),
    old: await list("Closed"),
  };
  const mailingLists = { [lists.news]: true, [lists.inner]: true };
  await team.post("/contacts/create", { ...ADA, mailingLists });
  await team.admin("POST", `/lists/${lists.old}`, { isArchived: true });
  return { team, lists };
});

let team: Team;
let lists: { news: string; offers: string; inner: string; old: string };
beforeEach(() => {
  ({ team, lists } = arrangement());
});

const targetOf = async (email: string, more: Partial<LinkTarget> = {}): Promise<LinkTarget> => {
  const [row] = (await team.rows(`SELECT n, id FROM contacts WHERE email = '${email}'`)) as { n: number; id: string }[];
  if (!row) throw new Error(`There is no contact ${email}.`);
  return { team: "acme", send: 1, row: row.n, contact: row.id, address: addressDigest(email), ...more };
};

const pathOf = async (kind: LinkKind, target: LinkTarget, secret = bindings.API_KEY_SECRET) =>
  `${LINK_PATHS[kind]}/${await createToken(secret, kind, target)}`;

const link = async (kind: LinkKind, more: Partial<LinkTarget> = {}) => pathOf(kind, await targetOf(ADA.email, more));

type Sent = { headers?: Record<string, string>; body?: string; on?: typeof app };
const ask = async (method: string, path: string, { headers = {}, body, on = app }: Sent = {}) => {
  const type = body === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded" };
  const response = await on.request(path, {
    method,
    headers: { ...type, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const open = (path: string, sent: Sent = {}) => ask("GET", path, sent);
const post = (path: string, body = "", headers = {}) => ask("POST", path, { body, headers });

const ONE_CLICK = "List-Unsubscribe=One-Click";

describe("GET", () => {
  it.each(Object.entries(SCANNERS))("changes nothing when %s opens the link", async (_name, agent) => {
    const before = await team.everything();
    for (const kind of KINDS) {
      for (const more of [{}, { list: lists.news }]) {
        const path = await link(kind, more);
        for (const extra of [
          {},
          { Purpose: "prefetch", "Sec-Purpose": "prefetch;prerender", "X-Moz": "prefetch" },
          { Accept: "*/*", "X-HTTP-Method-Override": "POST" },
        ] as Record<string, string>[]) {
          advance(10);
          expect((await open(path, { headers: { "User-Agent": agent, ...extra } })).status).toBe(200);
          const head = await ask("HEAD", `${path}?do=unsubscribe&${ONE_CLICK}`, { headers: { "User-Agent": agent } });
          expect([head.status, head.text]).toEqual([200, ""]);
        }
      }
    }
    expect(await team.everything()).toBe(before);
  });

  it("shows the page of a link: the team, what happens, and a form", async () => {
    const page = await open(await link("unsubscribe"));
    expect(page.text).toContain("<h1>Unsubscribe?</h1>");
    expect(page.text).toContain("Acme &amp; Söhne");
    expect(page.text).toContain(
      '<form method="post"><button name="do" value="leave" class="main">Unsubscribe</button></form>',
    );
    expect((await open(await link("unsubscribe", { list: lists.news }))).text).toContain(
      "You will no longer get “<bdi>News</bdi>” from <bdi>Acme &amp; Söhne</bdi>.",
    );
    expect((await open(await link("confirm"))).text).toContain("Confirm your subscription");
    const preferences = (await open(await link("preferences"))).text;
    expect(preferences).toContain("<title>Email preferences · Acme &amp; Söhne</title>");
    expect(preferences).toContain("<h1>What would you like to get from <bdi>Acme &amp; Söhne</bdi>?</h1>");
  });

  it("shows nothing that names the person", async () => {
    for (const kind of KINDS) {
      const { text } = await open(await link(kind, { list: lists.news }));
      expect(text).not.toMatch(/ada|example\.com|con_/i);
    }
  });

  it("answers in the reader's language", async () => {
    const page = await open(await link("unsubscribe"), { headers: { "Accept-Language": "de-AT,de;q=0.9" } });
    expect(page.text).toContain('<html lang="de" dir="ltr">');
    expect(page.text).toContain("<h1>Abmelden?</h1>");
    expect(page.headers.get("Content-Language")).toBe("de");
    expect((await open("/u/x", { headers: { "Accept-Language": "ar" } })).text).toContain('dir="rtl"');
  });

  it("answers in the language of the menu, which stays chosen on the way to the preferences", async () => {
    const path = await link("unsubscribe");
    const chosen = { headers: { "Accept-Language": "de" } };
    const page = await open(`${path}?lang=he`, chosen);
    expect(page.text).toContain('<html lang="he" dir="rtl">');
    expect(page.text).toMatch(/<a href="\?lang=he" [^>]*aria-current="true">/);
    expect(page.text).toMatch(/<a class="button" href="\/p\/[\w-]+\?lang=he">/);
    const posted = await ask("POST", `${path}?lang=pl`, { body: "do=leave", ...chosen });
    expect(posted.text).toContain("Subskrypcja została anulowana");
    expect((await open(`${path}?lang=xx`, chosen)).text).toContain('<html lang="de"');
  });

  it("gives pages that run nothing, load nothing, are not stored and not indexed", async () => {
    for (const path of [...(await Promise.all(KINDS.map((kind) => link(kind)))), "/u/forged"]) {
      const { headers, text } = await open(path);
      expect(headers.get("Content-Type")).toBe("text/html; charset=UTF-8");
      expect(headers.get("Content-Security-Policy")).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Set-Cookie")).toBeNull();
      expect(text).not.toMatch(/<script|https?:|src=|@import|url\(/);
    }
  });
});

describe("POST to the unsubscribe link", () => {
  it.each([
    ["a mail program", ONE_CLICK, {}],
    [
      "a mail program with a multipart form",
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      { "Content-Type": "multipart/form-data; boundary=x" },
    ],
    ["the page's own form", "do=leave", { Origin: "null" }],
    ["a program without a body", "", {}],
    ["a program with a body of 300 kB", "x".repeat(300_000), {}],
  ])("unsubscribes at once for %s, without a redirect", async (_who, body, headers) => {
    const answered = await post(await link("unsubscribe"), body, headers);
    expect([answered.status, answered.headers.get("Location")]).toEqual([200, null]);
    expect(answered.text).toContain("You are unsubscribed");
    expect(await team.find(ADA)).toMatchObject({ subscribed: false, mailingLists: { [lists.news]: true } });
  });

  it("changes the contact as the API does, once", async () => {
    const { updatedAt: created } = await team.find(ADA);
    advance(60_000);
    const path = await link("unsubscribe");
    await post(path, ONE_CLICK);
    const { updatedAt } = await team.find(ADA);
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(created) + 59_000);
    const after = await team.everything();
    advance(60_000);
    expect((await post(path, ONE_CLICK)).status).toBe(200);
    expect(await team.everything()).toBe(after);
    expect((await open(path)).text).toContain("You are unsubscribed");
  });

  it("leaves the list that the link names, and nothing else", async () => {
    const path = await link("unsubscribe", { list: lists.news, send: 2 });
    const { text } = await post(path, ONE_CLICK);
    expect(text).toContain("You no longer get “<bdi>News</bdi>”");
    expect(await team.find(ADA)).toMatchObject({ subscribed: true, mailingLists: { [lists.inner]: true } });
    expect((await team.find(ADA)).mailingLists).not.toHaveProperty(lists.news);
    expect((await post(path, "do=unsubscribe")).text).toContain("You get no more newsletters");
    expect((await team.find(ADA)).subscribed).toBe(false);
  });

  it("leaves a private list and an archived one", async () => {
    await team.admin("POST", `/lists/${lists.news}`, { isArchived: true });
    await post(await link("unsubscribe", { list: lists.inner }), ONE_CLICK);
    await post(await link("unsubscribe", { list: lists.news }), ONE_CLICK);
    expect(await team.find(ADA)).toMatchObject({ subscribed: true, mailingLists: {} });
  });

  it("unsubscribes from everything where the link names a list that the team does not have", async () => {
    await post(await link("unsubscribe", { list: "lst_00000000000000000000" }), ONE_CLICK);
    expect((await team.find(ADA)).subscribed).toBe(false);
  });

  it("works for a contact whose address has changed since", async () => {
    await team.put("/contacts/update", { ...ADA, userId: "u1" });
    const path = await link("unsubscribe");
    await team.put("/contacts/update", { userId: "u1", email: "ada@new.example" });
    await post(path, ONE_CLICK);
    expect((await team.find({ userId: "u1" })).subscribed).toBe(false);
  });

  it("works for a contact that has become one with an older contact since", async () => {
    await team.post("/contacts/create", { userId: "u2" });
    await team.post("/contacts/create", { email: "cy@example.com" });
    const path = await pathOf("unsubscribe", await targetOf("cy@example.com"));
    await team.put("/contacts/update", { email: "cy@example.com", userId: "u2" });
    await post(path, ONE_CLICK);
    expect(await team.find({ userId: "u2" })).toMatchObject({ email: "cy@example.com", subscribed: false });
  });

  it("is answered when the contact was deleted, and does not touch a later contact", async () => {
    const target = await targetOf(ADA.email, { list: lists.news });
    await team.post("/contacts/delete", ADA);
    await team.post("/contacts/create", { email: "bo@example.com", mailingLists: { [lists.news]: true } });
    expect((await targetOf("bo@example.com")).row).not.toBe(target.row);
    const before = await team.everything();
    for (const kind of KINDS) {
      for (const answered of [
        await open(await pathOf(kind, target)),
        await post(await pathOf(kind, target), "do=unsubscribe"),
      ]) {
        if (kind === "confirm" && answered.status === 400) continue;
        expect(answered.status).toBe(200);
        expect(answered.text).toContain("has no subscription for this link any more");
      }
    }
    expect(await team.everything()).toBe(before);
  });
});

describe("the preferences", () => {
  it("offer public lists, and the private list that the mail went to", async () => {
    const offered = async (more: Partial<LinkTarget>) =>
      [
        ...(await open(await link("preferences", more))).text.matchAll(
          /<button role="switch" aria-checked="(true|false)" name="(on|off)" value="(\w+)"/g,
        ),
      ].map(([, checked, name, id]) => {
        expect(name).toBe(checked === "true" ? "off" : "on");
        return [id, checked === "true"];
      });
    expect((await offered({})).sort()).toEqual(
      [
        [lists.news, true],
        [lists.offers, false],
      ].sort(),
    );
    expect((await offered({ list: lists.inner })).sort()).toEqual(
      [
        [lists.news, true],
        [lists.offers, false],
        [lists.inner, true],
      ].sort(),
    );
  });

  it("join and leave a list at once, leave other lists alone, and say so", async () => {
    const path = await link("preferences");
    const { status, text } = await post(path, `on=${lists.offers}`);
    expect(status).toBe(200);
    expect(text).toContain('role="status">Your choice is saved.</p>');
    expect(text).toMatch(new RegExp(`aria-checked="true" name="off" value="${lists.offers}"[^>]* autofocus`));
    const all = { [lists.news]: true, [lists.offers]: true, [lists.inner]: true };
    expect((await team.find(ADA)).mailingLists).toEqual(all);
    await post(path, `off=${lists.news}`);
    expect((await team.find(ADA)).mailingLists).toEqual({ [lists.offers]: true, [lists.inner]: true });
  });

  it("join and leave none that is private, archived or unknown", async () => {
    const path = await link("preferences");
    const before = await team.everything();
    for (const id of [lists.old, lists.inner, "lst_00000000000000000000", "__proto__", ""]) {
      await post(path, `on=${id}`);
      await post(path, `off=${id}`);
    }
    expect(await team.everything()).toBe(before);
  });

  it("unsubscribe from everything and subscribe again, with the lists as they were", async () => {
    const path = await link("preferences");
    const left = await post(path, "do=unsubscribe");
    expect(left.text).toContain("Subscribe again");
    expect(left.text).not.toContain('role="switch"');
    expect(await team.find(ADA)).toMatchObject({ subscribed: false });
    await post(path, "do=resubscribe");
    expect(await team.find(ADA)).toMatchObject({
      subscribed: true,
      mailingLists: { [lists.news]: true, [lists.inner]: true },
    });
  });

  it("are reached from the page of every other link", async () => {
    const [, path = ""] =
      /<a class="button" href="(\/p\/[\w-]+)">/.exec((await post(await link("unsubscribe"), ONE_CLICK)).text) ?? [];
    await post(path, "do=resubscribe");
    expect((await team.find(ADA)).subscribed).toBe(true);
  });

  it("of a team without public lists offer all or nothing", async () => {
    for (const id of [lists.news, lists.offers]) await team.admin("POST", `/lists/${id}`, { visibility: "private" });
    const { text } = await open(await link("preferences"));
    expect(text).not.toContain('role="switch"');
    expect(text).toContain("Unsubscribe from everything");
  });

  it.each(["", "do=", "do=confirm", "do=leave", ONE_CLICK, "\u0000%", "x".repeat(300_000)])(
    "refuse a form that asks for nothing they do: %j",
    async (body) => {
      const before = await team.everything();
      expect((await post(await link("preferences"), body)).status).toBe(400);
      expect(await team.everything()).toBe(before);
    },
  );

  it("escape the names of lists and team", async () => {
    await team.admin("POST", `/lists/${lists.news}`, { name: '<img src=x onerror="a">', description: "</small><b>" });
    await team.admin("POST", "", { name: "</title><script>{list}" });
    for (const kind of KINDS) {
      const { text } = await open(await link(kind, { list: lists.news }));
      expect(text).not.toMatch(/<img|<script|<\/small><b>|<title>[^<]*<(?!\/title>)/);
    }
  });
});

describe("the confirmation", () => {
  it("makes optInStatus accepted and joins the list of the link", async () => {
    expect((await team.find(ADA)).optInStatus).toBeNull();
    const path = await link("confirm", { list: lists.offers });
    const { status, text } = await post(path, "do=confirm");
    expect(status).toBe(200);
    expect(text).toContain("Your subscription is confirmed");
    expect(await team.find(ADA)).toMatchObject({ optInStatus: "accepted", mailingLists: { [lists.offers]: true } });
    const after = await team.everything();
    advance(1_000);
    await post(path, "do=confirm");
    expect(await team.everything()).toBe(after);
  });

  it("without a list changes optInStatus of a subscribed contact, and nothing else", async () => {
    const before = await team.find(ADA);
    await post(await link("confirm"), "do=confirm");
    expect(await team.find(ADA)).toEqual({ ...before, optInStatus: "accepted", updatedAt: expect.any(String) });
  });

  it("does not join an archived list", async () => {
    await post(await link("confirm", { list: lists.old }), "do=confirm");
    const contact = await team.find(ADA);
    expect(contact).toMatchObject({ optInStatus: "accepted", subscribed: true });
    expect(contact.mailingLists).not.toHaveProperty(lists.old);
  });

  it("takes an earlier no back, also after the person has confirmed once: the page says what is true", async () => {
    const path = await link("confirm");
    await post(path, "do=confirm");
    await post(await link("preferences"), "do=unsubscribe");
    const { text } = await open(path);
    expect(text).toContain("You get no more newsletters");
    expect(text).not.toContain("Your subscription is confirmed");
    expect((await post(path, "do=confirm")).text).toContain("Your subscription is confirmed");
    expect(await team.find(ADA)).toMatchObject({ optInStatus: "accepted", subscribed: true });
  });
});

describe("a link that is not valid", () => {
  const untouched = () => {
    const getByName = vi.fn(() => {
      throw new Error("An object was touched.");
    });
    return { on: appWith({ WORKSPACE: { getByName } as never }), getByName };
  };
  let nothing: string;
  beforeEach(async () => {
    nothing = (await open("/u/x")).text;
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("is 404 and says nothing, before any object is touched", async () => {
    const { on, getByName } = untouched();
    const valid = await link("unsubscribe", { list: lists.news });
    const token = valid.slice(3);
    const ofOther = await pathOf("unsubscribe", await targetOf(ADA.email, { team: "evil" }));
    const ofMessage = await link("unsubscribe", { send: 2 });
    const paths = [
      "/u/x",
      `/u/${token.slice(0, -1)}`,
      `/u/${token.slice(0, 23)}`,
      `/u/${token}A`,
      `/u/${token.toLowerCase()}`,
      `/u/${token.slice(0, 25)}${ofOther.slice(28)}`,
      `/u/${token.slice(0, 25)}${ofMessage.slice(28)}`,
      `/p/${token}`,
      `/c/${token}`,
      await pathOf("unsubscribe", await targetOf(ADA.email), "a secret of an attacker"),
    ];
    for (const path of paths) {
      for (const method of ["GET", "POST", "HEAD"]) {
        const { status, text } = await ask(method, path, {
          on,
          ...(method === "POST" ? { body: "do=unsubscribe" } : {}),
        });
        expect([path, method, status, text]).toEqual([path, method, 404, method === "HEAD" ? "" : nothing]);
      }
    }
    expect(getByName).not.toHaveBeenCalled();
    expect(nothing).toContain("<h1>This link does not work</h1>");
    expect(nothing).toContain("reply to the mail: that reaches its sender");
    expect(nothing.replace(/<style>.*<\/style>/s, "")).not.toMatch(/acme|team|token|signed/i);
  });

  it("is the same 404 for a team that does not exist, which stays without tables", async () => {
    const path = await pathOf("unsubscribe", await targetOf(ADA.email, { team: "ghost" }));
    expect(await post(path, ONE_CLICK)).toMatchObject({ status: 404, text: nothing });
    const tables = await runInDurableObject(
      bindings.WORKSPACE.getByName("ghost"),
      (_: Workspace, { storage: { sql } }) =>
        sql
          .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
          .toArray(),
    );
    expect(tables).toEqual([]);
  });

  it("acts on the contact of its own team only", async () => {
    const other = await createTeam({ id: "other" });
    await other.post("/contacts/create", ADA);
    const target = await targetOf(ADA.email, { team: "other" });
    await post(await pathOf("unsubscribe", target), ONE_CLICK);
    expect((await other.find(ADA)).subscribed).toBe(true);
    expect((await team.find(ADA)).subscribed).toBe(true);
  });

  it("is every link while API_KEY_SECRET is not set", async () => {
    const on = appWith({ API_KEY_SECRET: undefined });
    expect((await open(await link("unsubscribe"), { on })).status).toBe(404);
  });

  it("with any text as its token is never a fault", async () => {
    const { on } = untouched();
    const token = (await link("unsubscribe")).slice(3);
    let seed = 11;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let run = 0; run < 500; run++) {
      const at = random(token.length);
      const char = encodeURIComponent(String.fromCharCode(32 + random(900)));
      const path = `/${"upc"[random(3)]}/${run % 3 === 0 ? token.slice(0, at) + char : token.slice(0, at) + char + token.slice(at + random(3))}`;
      if (path.endsWith(`/${token}`) || path.includes("/u/%2F")) continue;
      const { status } = await ask(run % 2 === 0 ? "GET" : "POST", path, {
        on,
        ...(run % 2 === 0 ? {} : { body: "do=leave" }),
      });
      expect([path, status]).toEqual([path, 404]);
    }
    for (const path of ["/u/%", "/u/%ff%fe", "/u/%00", "/u/..", `/u/${"A".repeat(5_000)}`, "/u/", "/u", "/p", "/c/"]) {
      expect([path, (await open(path, { on })).status]).toEqual([path, 404]);
    }
  });
});

describe("a link in a mailbox", () => {
  it("survives a new API_KEY_SECRET when the old one is listed, also for the links of its page", async () => {
    const path = await link("unsubscribe");
    const on = appWith({ API_KEY_SECRET: "new", FORMER_API_KEY_SECRETS: `older  ${bindings.API_KEY_SECRET}\n` });
    expect((await ask("POST", path, { on, body: ONE_CLICK })).status).toBe(200);
    expect((await team.find(ADA)).subscribed).toBe(false);
    const [, preferences = ""] = /href="(\/p\/[\w-]+)"/.exec((await open(path, { on })).text) ?? [];
    expect((await ask("POST", preferences, { on, body: "do=resubscribe" })).status).toBe(200);
    expect((await open(path, { on: appWith({ API_KEY_SECRET: "new" }) })).status).toBe(404);
  });

  it("works after the object was evicted", async () => {
    const path = await link("unsubscribe");
    await evictDurableObject(team.stub);
    expect((await post(path, ONE_CLICK)).status).toBe(200);
    expect((await team.find(ADA)).subscribed).toBe(false);
  });

  it("takes GET and POST only", async () => {
    for (const method of ["PUT", "DELETE", "PATCH"]) {
      const { status, headers } = await ask(method, await link("unsubscribe"));
      expect([status, headers.get("Allow")]).toEqual([405, "GET, POST"]);
    }
  });

  it("answers 500 with a page when the team's object fails, and does not log the link", async () => {
    const lines: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line: unknown) => {
      lines.push(JSON.stringify(line));
    });
    const on = appWith({
      WORKSPACE: { getByName: () => ({ recipient: () => Promise.reject(new Error("gone")) }) } as never,
    });
    const path = await link("unsubscribe");
    const { status, text } = await ask("POST", path, { on, body: ONE_CLICK });
    expect([status, text.includes("Try again in a minute")]).toEqual([500, true]);
    expect(lines.join("\n")).toContain("recipient_page_failed");
    expect(lines.join("\n")).not.toContain(path.slice(3));
  });
});
