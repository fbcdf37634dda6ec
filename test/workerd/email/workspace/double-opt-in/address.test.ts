import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, handedOver, isolated, request, type Team } from "../../bench.ts";
import { accept, addMarketingMessage, linksApp, linksOf, SITE, sendTo } from "../../marketing.ts";

isolated();

const ADA = { email: "ada@example.com" };
const U1 = { userId: "u1" };
const NEW = "lovelace@other.example";

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true });
});

const setDoubleOptIn = (doubleOptIn: boolean) => team.admin("POST", "", { doubleOptIn });
const press = async (path: string, body: string) => {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return (await linksApp.request(path, { method: "POST", headers, body })).text();
};
const look = async (path: string) => (await linksApp.request(path)).text();

const asked = async (): Promise<{ to: string; path: string }[]> => {
  await handedOver();
  const { mails } = (await request("GET", "/inbox.json")).json as { mails: { id: string; to: string }[] };
  const texts = await Promise.all(mails.map(async ({ id }) => (await request("GET", `/inbox/${id}.json`)).json.text));
  return mails.flatMap(({ to }, at) => {
    const path = /\/c\/[\w-]+/.exec(texts[at])?.[0];
    return path === undefined ? [] : [{ to, path }];
  });
};
const addressesAsked = async () => (await asked()).map(({ to }) => to);
const answer = async (action: "confirm" | "reject") => press((await asked())[0]?.path ?? "", `do=${action}`);
const linksIn = async (email: string, list?: string) => {
  const revision = await addMarketingMessage(team, "<Paragraph>Hi</Paragraph>");
  await accept(team, revision, email, list === undefined ? {} : { list });
  const mail = (await sendTo(team, email)) as { html: string } | undefined;
  const paths = linksOf(mail?.html ?? "").map((url) => url.replace(SITE, ""));
  const find = (start: string) => paths.find((path) => path.startsWith(start)) ?? "";
  return { preferences: find("/p/"), unsubscribe: find("/u/") };
};
const marketingRefusal = async (email: string) => {
  const revision = await addMarketingMessage(team, "<Paragraph>Hi</Paragraph>");
  await accept(team, revision, email);
  await sendTo(team, email);
  const rows = await team.rows("SELECT error FROM sends WHERE class = 'marketing' ORDER BY n DESC LIMIT 1");
  return rows[0]?.error ?? undefined;
};

const changes: [name: string, change: (email: string) => Promise<unknown>][] = [
  ["PUT /v1/contacts/update", (email) => team.put("/contacts/update", { ...U1, email })],
  ["POST /v1/events/send", (email) => team.post("/events/send", { ...U1, email, eventName: "moved" })],
];

describe.each(changes)("with double opt-in, another address by %s", (_name, change) => {
  beforeEach(async () => {
    await setDoubleOptIn(true);
    await team.post("/contacts/create", { ...ADA, ...U1 });
  });

  it("of a contact that has confirmed is asked, and gets no marketing mail before its owner says yes", async () => {
    await answer("confirm");
    await change(NEW);
    expect((await team.find(U1)).optInStatus).toBe("pending");
    expect(await addressesAsked()).toEqual([NEW, ADA.email]);
    expect(await marketingRefusal(NEW)).toBe("not_confirmed");
    await press((await asked()).find(({ to }) => to === NEW)?.path ?? "", "do=confirm");
    expect(await team.find(U1)).toMatchObject({ optInStatus: "accepted", subscribed: true });
    expect(await marketingRefusal(NEW)).toBeUndefined();
  });

  it("is the same address in another spelling: it stays confirmed", async () => {
    await answer("confirm");
    await change("ADA@Example.com");
    expect((await team.find(U1)).optInStatus).toBe("accepted");
    expect(await addressesAsked()).toEqual([ADA.email]);
  });

  it("of a contact that said no is not asked, until the contact is subscribed", async () => {
    await answer("reject");
    await change(NEW);
    expect(await team.find(U1)).toMatchObject({ optInStatus: null, subscribed: false });
    expect(await addressesAsked()).toEqual([ADA.email]);
    await team.put("/contacts/update", { ...U1, subscribed: true });
    expect((await team.find(U1)).optInStatus).toBe("pending");
    expect(await addressesAsked()).toEqual([NEW, ADA.email]);
  });

  it("of an unsubscribed contact that has not answered is asked when the contact is subscribed", async () => {
    await team.put("/contacts/update", { ...U1, subscribed: false });
    await change(NEW);
    expect(await addressesAsked()).toEqual([ADA.email]);
    await team.put("/contacts/update", { ...U1, subscribed: true });
    expect((await team.find(U1)).optInStatus).toBe("pending");
    expect(await addressesAsked()).toEqual([NEW, ADA.email]);
  });

  it("after the setting was turned off: no yes is carried over, and a contact without a yes is asked", async () => {
    await answer("confirm");
    await team.post("/contacts/create", { email: "bob@example.com", userId: "u2" });
    await setDoubleOptIn(false);
    await change(NEW);
    expect((await team.find(U1)).optInStatus).toBeNull();
    await team.put("/contacts/update", { userId: "u2", email: "bob@other.example" });
    expect((await team.find({ userId: "u2" })).optInStatus).toBe("pending");
    expect(await addressesAsked()).toEqual(["bob@other.example", "bob@example.com", ADA.email]);
  });
});

describe("with double opt-in", () => {
  it.each(changes)("another address of a contact that was never asked is asked: %s", async (_name, change) => {
    await team.post("/contacts/create", { ...ADA, ...U1 });
    await setDoubleOptIn(true);
    await change(NEW);
    expect((await team.find(U1)).optInStatus).toBe("pending");
    expect(await addressesAsked()).toEqual([NEW]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["PUT /v1/contacts/update", () => team.put("/contacts/update", { ...ADA, ...U1 })],
    ["POST /v1/events/send", () => team.post("/events/send", { ...ADA, ...U1, eventName: "met" })],
  ])(
    "two contacts that become one by %s have the answer of the address, and no mail asks again",
    async (_name, join) => {
      await setDoubleOptIn(true);
      for (const action of ["confirm", "reject"] as const) {
        await team.post("/contacts/create", ADA);
        await answer(action);
        await team.put("/contacts/update", U1);
        await join();
        const isYes = action === "confirm";
        expect(await team.find(U1)).toMatchObject({
          ...ADA,
          optInStatus: isYes ? "accepted" : "rejected",
          subscribed: isYes,
        });
        await team.post("/contacts/delete", ADA);
      }
      expect(await addressesAsked()).toEqual([ADA.email, ADA.email]);
    },
  );
});

describe("the links of a mail to a former address", () => {
  let news: string;
  let links: { preferences: string; unsubscribe: string };
  beforeEach(async () => {
    const add = async (name: string) =>
      (await team.admin("POST", "/lists", { name, visibility: "public" })).json.id as string;
    news = await add("News");
    await add("Offers");
    await team.post("/contacts/create", { ...ADA, ...U1, mailingLists: { [news]: true } });
    links = await linksIn(ADA.email);
  });

  it("say no yes for the new address: it stays pending", async () => {
    await setDoubleOptIn(true);
    await team.put("/contacts/update", { ...U1, email: NEW });
    for (const action of ["unsubscribe", "resubscribe"]) {
      const page = await press(links.preferences, `do=${action}`);
      expect(page).toContain("You get no more newsletters");
      expect(page).not.toContain("resubscribe");
    }
    expect(await team.find(U1)).toMatchObject({ optInStatus: "pending", subscribed: false });
  });

  it("do not take back what the new address has left", async () => {
    await setDoubleOptIn(true);
    await team.put("/contacts/update", { ...U1, email: NEW });
    await answer("confirm");
    const own = await linksIn(NEW);
    await press(own.unsubscribe, "do=leave");
    await press(links.preferences, "do=resubscribe");
    expect(await team.find(U1)).toMatchObject({ optInStatus: "accepted", subscribed: false });
    await press(own.preferences, "do=resubscribe");
    expect(await team.find(U1)).toMatchObject({ optInStatus: "accepted", subscribed: true });
  });

  it("still leave, also without double opt-in, and join nothing", async () => {
    await team.put("/contacts/update", { ...U1, email: NEW });
    const [offers] = (await team.rows("SELECT id FROM mailing_lists WHERE name = 'Offers'")) as { id: string }[];
    const page = await look(links.preferences);
    expect([...page.matchAll(/name="(?:on|off)" value="(\w+)"/g)].map(([, id]) => id)).toEqual([news]);
    await press(links.preferences, `on=${offers?.id}`);
    await press(links.preferences, `off=${news}`);
    expect((await team.find(U1)).mailingLists).toEqual({});
    await press(links.unsubscribe, "List-Unsubscribe=One-Click");
    await press(links.preferences, "do=resubscribe");
    expect((await team.find(U1)).subscribed).toBe(false);
  });
});

describe("the preferences say what is true", () => {
  let path: string;
  beforeEach(async () => {
    await team.post("/contacts/create", { ...ADA, ...U1 });
    path = (await linksIn(ADA.email)).preferences;
    await setDoubleOptIn(true);
    await press(path, "do=unsubscribe");
    await team.put("/contacts/update", { ...U1, subscribed: true });
  });

  it("before the answer they ask, and a yes there is the answer", async () => {
    expect((await team.find(U1)).optInStatus).toBe("pending");
    const page = await look(path);
    expect(page).toContain("Do you want to get newsletters from");
    expect(page).not.toContain("You get newsletters from");
    expect(await press(path, "do=resubscribe")).toContain("You get newsletters from");
    expect(await team.find(U1)).toMatchObject({ optInStatus: "accepted", subscribed: true });
  });

  it("after a no they offer to subscribe again, also when the API has subscribed the contact meanwhile", async () => {
    await answer("reject");
    for (const subscribed of [false, true]) {
      await team.put("/contacts/update", { ...U1, subscribed });
      expect((await team.find(U1)).optInStatus).toBe("rejected");
      const page = await look(path);
      expect(page).toContain("You get no more newsletters");
      expect(page).toContain('value="resubscribe"');
      expect(page).not.toContain("You get newsletters from");
    }
    expect(await press(path, "do=resubscribe")).toContain("You get newsletters from");
    expect(await team.find(U1)).toMatchObject({ optInStatus: "accepted", subscribed: true });
  });
});
