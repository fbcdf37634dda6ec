import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Workspace } from "../../../../../src/email/workspace/object.ts";
import { digest } from "../../../../../src/lib/util/hmac.ts";
import {
  advance,
  appWith,
  bindings,
  createTeam,
  handedOver,
  isolated,
  request,
  runAlarm,
  type Team,
} from "../../bench.ts";
import { addMarketingMessage } from "../../marketing.ts";

isolated();

const HOUR = 3_600_000;
const SITE = "https://mail.example.com";
/** The objects of the tests have another secret than their routes. */
const app = appWith({ API_KEY_SECRET: "test-key-secret" });
const TEMPLATE = "tpl_confirm_subscription";
const ADA = { email: "ada@example.com" };

let team: Team;
beforeEach(async () => {
  team = await createTeam({ createProperties: true });
  await team.admin("POST", "", { doubleOptIn: true });
});

type Captured = { id: string; to: string; subject: string };
type Entry = { kind: string; text: string };
type Shown = { html: string; text: string; subject: string };

const captured = async (): Promise<Captured[]> => {
  await handedOver();
  return (await request("GET", "/inbox.json")).json.mails;
};
const links = async (): Promise<string[]> => {
  const mails = await captured();
  const shown = await Promise.all(
    mails.map(async ({ id }) => (await request("GET", `/inbox/${id}.json`)).json as Shown),
  );
  return shown.map(({ text }) => /\/c\/[\w-]+/.exec(text)?.[0] ?? "");
};
const statusOf = async (who: { email?: string; userId?: string }) => (await team.find(who)).optInStatus;
const press = async (path: string, action: string) => {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const response = await app.request(path, { method: "POST", headers, body: `do=${action}` });
  return { status: response.status, text: await response.text() };
};

describe("with double opt-in, a new address", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["POST /v1/contacts/create", () => team.post("/contacts/create", ADA)],
    ["PUT /v1/contacts/update", () => team.put("/contacts/update", { ...ADA, plan: "pro" })],
    ["POST /v1/events/send", () => team.post("/events/send", { ...ADA, eventName: "signedUp" })],
    [
      "POST /v1/transactional with addToAudience",
      () =>
        team.post("/transactional", {
          ...ADA,
          transactionalId: TEMPLATE,
          addToAudience: true,
          dataVariables: { confirmationUrl: SITE },
        }),
    ],
  ])("of %s is pending and gets one mail with the link", async (_name, create) => {
    await create();
    expect(await statusOf(ADA)).toBe("pending");
    const found = (await links()).filter((path) => path !== "");
    expect(found).toHaveLength(1);
    expect((await press(found[0] ?? "", "confirm")).text).toContain("Your subscription is confirmed");
    expect(await team.find(ADA)).toMatchObject({ optInStatus: "accepted", subscribed: true });
  });

  it("is asked once, whatever changes later", async () => {
    await team.post("/contacts/create", ADA);
    await team.put("/contacts/update", { ...ADA, firstName: "Ada" });
    await team.post("/events/send", { ...ADA, eventName: "seen" });
    await team.put("/contacts/update", { ...ADA, subscribed: false });
    await team.put("/contacts/update", { ...ADA, subscribed: true });
    expect(await captured()).toHaveLength(1);
    expect(await statusOf(ADA)).toBe("pending");
  });

  it("is asked when the contact gets it, or is subscribed", async () => {
    await team.put("/contacts/update", { userId: "u1" });
    await team.post("/contacts/create", { email: "bob@example.com", subscribed: false });
    expect([await statusOf({ userId: "u1" }), await statusOf({ email: "bob@example.com" })]).toEqual([null, null]);
    expect(await captured()).toEqual([]);
    await team.put("/contacts/update", { userId: "u1", ...ADA });
    await team.put("/contacts/update", { email: "bob@example.com", subscribed: true });
    expect([await statusOf(ADA), await statusOf({ email: "bob@example.com" })]).toEqual(["pending", "pending"]);
    expect((await captured()).map(({ to }) => to)).toEqual(["bob@example.com", "ada@example.com"]);
  });

  it("is asked again when it changes before the answer; the link to the former address confirms nothing", async () => {
    await team.post("/contacts/create", { ...ADA, userId: "u1" });
    const [old = ""] = await links();
    await team.put("/contacts/update", { userId: "u1", email: "lovelace@example.com" });
    const [own = ""] = await links();
    expect(own).not.toBe(old);
    for (const action of ["confirm", "reject"]) {
      expect((await press(old, action)).text).toContain("There is nothing more to do.");
      expect(await statusOf({ userId: "u1" })).toBe("pending");
    }
    await press(old.replace("/c/", "/p/"), "resubscribe");
    expect(await statusOf({ userId: "u1" })).toBe("pending");
    await press(own, "confirm");
    expect(await statusOf({ userId: "u1" })).toBe("accepted");
  });

  it("that is suppressed is pending and gets no mail", async () => {
    await team.admin("POST", "/suppressions", ADA);
    await team.post("/contacts/create", ADA);
    expect(await statusOf(ADA)).toBe("pending");
    expect(await captured()).toEqual([]);
    expect(await team.rows("SELECT state, error FROM sends")).toEqual([{ state: "not_sent", error: "suppressed" }]);
  });

  it("is asked at most three times in 24 hours, also after its contact was deleted", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    for (let i = 0; i < 4; i++) {
      await team.post("/contacts/create", ADA);
      if (i < 3) await team.post("/contacts/delete", ADA);
    }
    expect(await statusOf(ADA)).toBe("pending");
    expect(await captured()).toHaveLength(3);
    expect(log.mock.calls.flat().map(String)).toContainEqual(expect.stringContaining("confirmation_limit_reached"));
  });

  it("and its mail are one transaction: a refused request leaves neither", async () => {
    await team.post("/contacts/create", ADA, { "Idempotency-Key": "one" });
    expect((await team.post("/contacts/create", ADA, { "Idempotency-Key": "one" })).status).toBe(409);
    expect(await captured()).toHaveLength(1);
    const before = await team.everything();
    await team.run("CREATE TRIGGER broken BEFORE INSERT ON sends BEGIN SELECT raise(ABORT, 'broken'); END");
    vi.spyOn(console, "log").mockImplementation(() => {});
    expect((await team.post("/contacts/create", { email: "eve@example.com" })).status).toBe(500);
    await team.run("DROP TRIGGER broken");
    expect(await team.everything()).toBe(before);
  });

  it("gets its mail after a crash before the handover", async () => {
    const crashed = runInDurableObject(team.stub, async (_, state) => {
      const deaf = { ...bindings, MAILER: { getByName: () => ({ exchange: () => new Promise(() => {}) }) } };
      const crashing = new Workspace(state, deaf as never);
      const create = { operation: "contacts.create", input: ADA };
      await crashing.run({ origin: SITE, keyHash: await digest(team.key), request: create });
      await state.storage.sync();
      state.abort("crash");
    });
    await expect(crashed).rejects.toThrow("crash");
    expect(await statusOf(ADA)).toBe("pending");
    expect(await captured()).toEqual([]);
    advance(HOUR);
    await runAlarm(bindings.WORKSPACE.getByName("acme"));
    await vi.waitFor(async () => expect(await links()).toEqual([expect.stringMatching(/^\/c\//)]));
  });
});

describe("the link", () => {
  let path: string;
  beforeEach(async () => {
    await team.post("/contacts/create", ADA);
    [path = ""] = await links();
  });

  it("is at PUBLIC_URL, and GET changes nothing", async () => {
    const [mail] = await captured();
    const { text } = (await request("GET", `/inbox/${mail?.id}.json`)).json as Shown;
    expect(text).toContain(`${SITE}${path}`);
    const before = await team.everything();
    const page = await app.request(path);
    expect(await page.text()).toMatch(/value="confirm".*value="reject"/);
    expect(await team.everything()).toBe(before);
  });

  it("says no: rejected and unsubscribed, until the person says yes", async () => {
    expect((await press(path, "reject")).text).toContain("You are unsubscribed");
    expect(await team.find(ADA)).toMatchObject({ optInStatus: "rejected", subscribed: false });
    const after = await team.everything();
    await press(path, "reject");
    expect(await team.everything()).toBe(after);
    await press(path, "confirm");
    await press(path, "confirm");
    expect(await team.find(ADA)).toMatchObject({ optInStatus: "accepted", subscribed: true });
    expect(await captured()).toHaveLength(1);
    const { data } = (await team.admin("GET", "/contacts/ada@example.com/timeline")).json as { data: Entry[] };
    const answers = data.filter(({ kind }) => kind === "confirmed" || kind === "declined");
    expect(answers.map(({ text }) => text).toSorted()).toEqual([
      "The recipient confirmed the subscription.",
      "The recipient declined the subscription.",
    ]);
  });

  it("that was rejected is not asked for again by the API; the preferences take the no back", async () => {
    await press(path, "reject");
    await team.put("/contacts/update", { ...ADA, subscribed: true });
    expect(await team.find(ADA)).toMatchObject({ optInStatus: "rejected", subscribed: true });
    expect(await captured()).toHaveLength(1);
    const preferences = /href="(\/p\/[\w-]+)"/.exec((await press(path, "confirm")).text)?.[1] ?? "";
    await press(path, "reject");
    await press(preferences, "resubscribe");
    expect(await team.find(ADA)).toMatchObject({ optInStatus: "accepted", subscribed: true });
  });

  it("is not stored: a row has only what the link names, and nothing once it is settled", async () => {
    expect(await team.everything()).not.toContain(path.slice(3));
    expect(await team.rows("SELECT variables FROM sends")).toEqual([{ variables: null }]);
  });
});

describe("marketing mail", () => {
  const queue = (to: string) =>
    team.run(
      `INSERT INTO sends (id, class, revision, recipient, recipient_key, message_id, state, attempts, due, variables, created_at, preview, contact, run)
       SELECT ?, 'marketing', max(n), ?, ?, '<m@acme.example>', 'queued', 1, ?, '{}', ?, 0, (SELECT n FROM contacts WHERE email = ?), 0 FROM message_revisions`,
      `snd_${to}`,
      to,
      to,
      Date.now(),
      Date.now(),
      to,
    );
  const outcomes = () =>
    team.rows("SELECT recipient, error FROM sends WHERE class = 'marketing' AND state = 'not_sent' ORDER BY recipient");

  it("is not sent to a contact that is pending, rejected or unsubscribed", async () => {
    await team.post("/contacts/create", ADA);
    await team.post("/contacts/create", { email: "bob@example.com", subscribed: false });
    await team.post("/contacts/create", { email: "eve@example.com" });
    const [eve = ""] = await links();
    await press(eve, "reject");
    await team.put("/contacts/update", { email: "eve@example.com", subscribed: true });
    await team.post("/contacts/create", { email: "kim@example.com" });
    const [kim = ""] = await links();
    await press(kim, "confirm");
    const all = ["ada", "bob", "eve", "kim"].map((name) => `${name}@example.com`);
    await addMarketingMessage(team, "<Paragraph>News</Paragraph>");
    for (const to of all) await queue(to);
    advance(1);
    await runAlarm(team.stub);
    expect(await outcomes()).toEqual([
      { recipient: "ada@example.com", error: "not_confirmed" },
      { recipient: "bob@example.com", error: "unsubscribed" },
      { recipient: "eve@example.com", error: "not_confirmed" },
    ]);
    const { data } = (await team.admin("GET", "/sends?class=marketing&to=ada@example.com")).json;
    expect(data[0].meaning).toBe("It was not sent, because the person has not confirmed the subscription.");
  });
});

describe("the operator", () => {
  const again = (email: string) => team.admin("POST", "/confirmations", { email });

  it("asks a pending contact again, three times in 24 hours at most", async () => {
    await team.post("/contacts/create", ADA);
    for (let i = 0; i < 2; i++) {
      advance(HOUR);
      const { status, json } = await again("ADA@example.com");
      expect([status, json]).toEqual([201, { success: true, id: expect.stringMatching(/^snd_/) }]);
    }
    const paths = await links();
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect((await app.request(path)).status).toBe(200);
    const refused = await again(ADA.email);
    expect([refused.status, refused.json.code, refused.json.path]).toEqual([
      429,
      "confirmation_limit_reached",
      "email",
    ]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(21 * 3_600);
    advance(24 * HOUR);
    expect((await again(ADA.email)).status).toBe(201);
  });

  it("asks no other contact", async () => {
    await team.post("/contacts/create", ADA);
    const [path = ""] = await links();
    await press(path, "reject");
    const { status, json } = await again(ADA.email);
    expect([status, json.code, json.path]).toEqual([409, "not_pending", "email"]);
    expect(json.message).toContain("is rejected");
    await team.post("/contacts/create", { email: "bob@example.com", subscribed: false });
    expect((await again("bob@example.com")).json.message).toContain("was never asked");
    expect((await again("kim@example.com")).json).toMatchObject({ code: "contact_not_found", path: "email" });
    for (const email of ["no address", "", null, 7])
      expect((await team.admin("POST", "/confirmations", { email })).json).toMatchObject({ path: "email" });
    const other = await createTeam({ id: "globex" });
    expect((await other.admin("POST", "/confirmations", ADA)).status).toBe(404);
    expect((await request("POST", "/admin/teams/acme/confirmations", { body: ADA })).status).toBe(401);
    expect((await team.admin("DELETE", "/confirmations")).status).toBe(405);
  });
});

describe("the setting", () => {
  it("is off by default; turning it off leaves those who wait as they are", async () => {
    const other = await createTeam({ id: "globex" });
    await other.post("/contacts/create", ADA);
    expect((await other.find(ADA)).optInStatus).toBeNull();
    expect((await other.admin("GET", "")).json.doubleOptIn).toBe(false);
    await team.post("/contacts/create", ADA);
    await team.admin("POST", "", { doubleOptIn: false });
    await team.post("/contacts/create", { email: "bob@example.com" });
    expect([await statusOf(ADA), await statusOf({ email: "bob@example.com" })]).toEqual(["pending", null]);
    await team.admin("POST", "", { doubleOptIn: true });
    await team.put("/contacts/update", { email: "bob@example.com", firstName: "Bob" });
    expect(await statusOf({ email: "bob@example.com" })).toBeNull();
  });

  it("needs PUBLIC_URL and a domain to send from", async () => {
    await runInDurableObject(team.stub, async (_, state) => {
      const ask = (changes: object) =>
        new Workspace(state, { ...bindings, ...changes } as never).admin(
          { operation: "teams.update", input: { team: "acme", doubleOptIn: true } },
          "",
        );
      expect((await ask({ PUBLIC_URL: undefined })).reply).toMatchObject({
        refusal: { code: "invalid_request", path: "doubleOptIn" },
      });
      expect((await ask({ INBOX: undefined })).reply).toMatchObject({ refusal: { code: "domain_not_verified" } });
    });
    expect((await team.admin("POST", "", { doubleOptIn: "yes" })).json).toMatchObject({ path: "doubleOptIn" });
  });

  it("without a domain at the time of a request: the contact is pending, and the log says why it got no mail", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    await runInDurableObject(team.stub, async (_, state) => {
      const silent = new Workspace(state, { ...bindings, INBOX: undefined } as never);
      const create = { operation: "contacts.create", input: ADA };
      const reply = await silent.run({ origin: SITE, keyHash: await digest(team.key), request: create });
      expect(reply).toMatchObject({ status: 200 });
    });
    expect(await statusOf(ADA)).toBe("pending");
    expect(log.mock.calls.flat().map(String)).toContainEqual(
      expect.stringMatching(/confirmation_not_sent.*domain_not_verified/),
    );
    expect((await team.admin("POST", "/confirmations", ADA)).status).toBe(201);
  });

  it("adds the template, which the team may change: it keeps its link, and other variables have fallbacks", async () => {
    const { json } = await team.post(`/transactional-emails/${TEMPLATE}/draft`, {});
    const id = json.draftEmailMessageId;
    const publish = async (lmx: string) => {
      await team.post(`/email-messages/${id}`, { lmx });
      return team.post(`/transactional-emails/${TEMPLATE}/publish`, {});
    };
    expect((await publish("<Paragraph>Hello</Paragraph>")).json).toMatchObject({
      code: "invalid_content",
      path: "lmx",
      message: "The confirmation mail needs its link: use {data.confirmationUrl}.",
    });
    const link = '<Button href="{data.confirmationUrl}">Yes</Button>';
    expect((await publish(`<Paragraph>{data.who}</Paragraph>${link}`)).json.message).toContain("data.who");
    expect((await publish(`<Paragraph>Own words</Paragraph>${link}`)).status).toBe(200);
    await team.admin("POST", "", { doubleOptIn: true });
    await team.post("/contacts/create", ADA);
    const [mail] = await captured();
    expect((await request("GET", `/inbox/${mail?.id}.json`)).json.text).toMatch(/Own words[\s\S]*\/c\//);
  });
});
