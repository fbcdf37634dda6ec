import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Env } from "../../src/email/env.ts";
import { languages } from "../../src/email/http/recipient/texts.ts";
import { recipientRoutes } from "../../src/email/http/recipient.ts";
import { createToken, createViewToken } from "../../src/email/mail/links/link-token.ts";
import { LINK_PATHS } from "../../src/email/mail/links/urls.ts";
import type { LinkKind, RecipientAction, RecipientView } from "../../src/email/types/recipient.ts";
import { compile } from "../../src/lib/lmx/compile.ts";
import { pictureOf } from "../pictures.ts";
import { launchBrowser, waitForStill } from "./browser.ts";

const SITE = "https://mail.example.com";
const SECRET = "the secret";

const news = { id: "lst_1", name: "Neuigkeiten & <mehr>", description: "Einmal im Monat", subscribed: true };
const offers = { id: "lst_2", name: "عروض", description: "", subscribed: false };
const contact = {
  subscribed: true,
  optInStatus: null,
  isOwn: true,
  canReturn: true,
  reason: null,
  lists: [news, offers],
  list: undefined,
};
const sender = {
  name: "Acme & Söhne",
  color: "#d9622b",
  logo: "/assets/pic_00000000000000000000.png",
  postalAddress: "12 Quay Street\nBristol",
  writeTo: "hi@acme.example",
};
const long = `${"Donaudampfschifffahrt".repeat(8)} ${"Gesellschaft ".repeat(30)}`;

type View = NonNullable<RecipientView["contact"]>;
const states: readonly (readonly [name: string, kind: LinkKind, contact: Partial<View> | undefined])[] = [
  ["unsubscribe from everything", "unsubscribe", {}],
  ["unsubscribe from a list", "unsubscribe", { list: news }],
  ["unsubscribed from everything, asked why", "unsubscribe", { subscribed: false }],
  ["unsubscribed, with an answer", "unsubscribe", { subscribed: false, reason: "too_many" }],
  ["unsubscribed at a former address", "unsubscribe", { subscribed: false, canReturn: false, reason: undefined }],
  ["unsubscribed from a list", "unsubscribe", { list: offers }],
  ["preferences", "preferences", {}],
  ["preferences without lists", "preferences", { lists: [] }],
  ["preferences of the unsubscribed", "preferences", { subscribed: false }],
  ["preferences before the answer", "preferences", { optInStatus: "pending" }],
  ["preferences after a no", "preferences", { optInStatus: "rejected" }],
  ["preferences of a former address", "preferences", { isOwn: false, lists: [news] }],
  ["preferences of a former address, unsubscribed", "preferences", { subscribed: false, isOwn: false }],
  ["preferences with long names", "preferences", { lists: [{ ...news, name: long, description: long }] }],
  ["confirm", "confirm", {}],
  ["confirm a list", "confirm", { list: offers }],
  ["confirmed", "confirm", { optInStatus: "accepted", list: news }],
  ["rejected", "confirm", { subscribed: false, optInStatus: "rejected" }],
  ["confirm another address", "confirm", { isOwn: false }],
  ["a deleted contact", "unsubscribe", undefined],
];

const MAIL =
  '<Paragraph><Link href="{system.view_in_browser_link}">View in browser</Link></Paragraph><H1>Dear {contact.firstName}</H1>';

const serveMail = () => {
  const { compiled } = compile(MAIL, "campaign");
  const mailSource = async () => ({ sender, footer: { team: sender.name }, content: compiled });
  return recipientRoutes({ API_KEY_SECRET: SECRET, WORKSPACE: { getByName: () => ({ mailSource }) } } as never);
};

const serve = (shown: RecipientView | undefined) => {
  const asked: RecipientAction[] = [];
  const recipient = async (_target: unknown, action?: RecipientAction) => {
    if (action) asked.push(action);
    return shown;
  };
  const env = { API_KEY_SECRET: SECRET, WORKSPACE: { getByName: () => ({ recipient }) } };
  return { app: recipientRoutes(env as unknown as Env), asked };
};

let browser: Browser | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

const LOGO = Buffer.from(pictureOf("image/png"));

type App = ReturnType<typeof recipientRoutes>;
type Options = { width?: number; scheme?: "light" | "dark"; lang?: string; javaScriptEnabled?: boolean };
type Opened = { page: Page; app: App; faults: string[] };

const opened = new Map<string, Opened>();

const openFirst = async (app: App, { width = 800, scheme = "light", lang = "en", ...rest }: Options) => {
  if (browser === undefined) throw new Error("There is no browser.");
  const page = await browser.newPage({
    viewport: { width, height: 700 },
    colorScheme: scheme,
    locale: lang,
    javaScriptEnabled: rest.javaScriptEnabled ?? true,
  });
  const one: Opened = { page, app, faults: [] };
  await page.route("**/*", async (route) => {
    const asked = route.request();
    if (asked.url().startsWith(`${SITE}/assets/`)) return route.fulfill({ contentType: "image/png", body: LOGO });
    if (!asked.isNavigationRequest()) one.faults.push(asked.url());
    const { pathname, search } = new URL(asked.url());
    const response = await one.app.request(pathname + search, {
      method: asked.method(),
      headers: await asked.allHeaders(),
      body: asked.postData() ?? null,
    });
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    });
  });
  page.on("console", (message) => one.faults.push(message.text()));
  page.on("pageerror", (error) => one.faults.push(error.message));
  return one;
};

const open = async (app: App, path: string, options: Options = {}): Promise<Opened> => {
  const name = JSON.stringify(options);
  const one = opened.get(name) ?? (await openFirst(app, options));
  opened.set(name, one);
  Object.assign(one, { app, faults: [] });
  await one.page.goto(SITE + path);
  return one;
};

const TARGET = { team: "acme", send: 1, row: 1, contact: "con_1", address: "" };
const pathOf = async (kind: LinkKind): Promise<string> =>
  `${LINK_PATHS[kind]}/${await createToken(SECRET, kind, TARGET)}`;

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const violationsOf = async (page: Page, within: readonly string[] = ["html"]): Promise<string[]> => {
  await page.evaluate(axeSource);
  await waitForStill(page);
  return page.evaluate(`axe.run({ include: ${JSON.stringify([within])} }, { resultTypes: ["violations"] }).then(({ violations }) => violations
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 100))))`);
};
const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");

describe("in Chromium", () => {
  const LIGHT = { lang: "en", width: 320, scheme: "light" } as const;
  const RIGHT_TO_LEFT = { lang: "ar", width: 1440, scheme: "dark" } as const;
  const SHAPES = [
    LIGHT,
    RIGHT_TO_LEFT,
    { lang: "ja", width: 1440, scheme: "light" },
    { lang: "de", width: 390, scheme: "dark" },
    { lang: "he", width: 390, scheme: "light" },
    { lang: "el", width: 320, scheme: "dark" },
  ] as const;
  it.each(states)("%s: accessible, fits every screen, loads nothing", async (name, kind, state) => {
    const { app } = serve({ sender, contact: state && { ...contact, ...state } });
    const isFull = ["asked why", "preferences", "confirm a list"].some((one) => name.endsWith(one));
    for (const shape of isFull ? SHAPES : SHAPES.slice(0, 2)) {
      const { page, faults } = await open(app, await pathOf(kind), shape);
      expect([shape, await violationsOf(page)]).toEqual([shape, []]);
      expect([shape, await isTooWide(page), faults]).toEqual([shape, false, []]);
    }
  });

  it.each(Object.keys(languages))("the pages are in the language of the browser: %s", async (lang) => {
    const { page } = await open(serve({ sender, contact }).app, await pathOf("preferences"), { ...LIGHT, lang });
    expect(await page.getAttribute("html", "lang")).toBe(lang);
    expect(await page.textContent("h1")).toBe(languages[lang]?.which.replace("{team}", sender.name));
    await page.locator("summary").click();
    expect(await page.locator("details a").count()).toBe(Object.keys(languages).length);
    expect([await violationsOf(page), await isTooWide(page)]).toEqual([[], false]);
  });

  it("a link that is not valid has an accessible page", async () => {
    const { app } = serve(undefined);
    const { page } = await open(app, "/u/forged");
    expect(await page.textContent("h1")).toBe("This link does not work");
    expect(await violationsOf(page)).toEqual([]);
  });

  it("the pages have their own look: the policy lets the style pass", async () => {
    const { page } = await open(serve({ sender, contact }).app, await pathOf("unsubscribe"));
    expect(await page.evaluate('getComputedStyle(document.querySelector("button.main")).borderRadius')).toBe("10px");
  });

  it("forms work by keyboard and without scripts", async () => {
    const { app, asked } = serve({ sender, contact });
    const { page } = await open(app, await pathOf("preferences"), { javaScriptEnabled: false });
    await page.getByRole("switch", { name: "عروض" }).press("Space");
    await page.getByRole("status").waitFor();
    expect(asked).toEqual([{ do: "choose", lists: { lst_2: true } }]);
    expect(await page.evaluate("document.activeElement.value")).toBe("lst_2");
    await page.getByRole("button", { name: "Unsubscribe from everything" }).click();
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[1]).toEqual({ do: "unsubscribe" });
  });

  it("another language is chosen without scripts, and stays after a choice", async () => {
    const { app, asked } = serve({ sender, contact: { ...contact, subscribed: false } });
    const { page } = await open(app, await pathOf("unsubscribe"), { javaScriptEnabled: false });
    await page.locator("summary").press("Enter");
    await page.getByRole("link", { name: "Français" }).click();
    await page.getByRole("button", { name: languages.fr?.tooMany ?? "" }).click();
    await expect.poll(() => asked).toEqual([{ do: "answer", reason: "too_many" }]);
    expect(await page.getAttribute("html", "lang")).toBe("fr");
  });

  it.each(SHAPES)("a mail in a browser is readable, fits, and loads nothing: %j", async (shape) => {
    for (const values of [{ "contact.firstName": "Ada" }, undefined]) {
      const app = serveMail();
      const path = `/v/${await createViewToken(SECRET, { target: TARGET, revision: 1, values })}`;
      expect((await open(app, path, { ...shape, javaScriptEnabled: false })).faults).toEqual([]);
      // The policy forbids scripts, also those that look at a page, so this looks at the same markup without it.
      const answer = await app.request(path, { headers: { "Accept-Language": shape.lang } });
      const page = await (browser ?? expect.fail()).newPage({
        viewport: { width: shape.width, height: 700 },
        colorScheme: shape.scheme,
      });
      await page.setContent(await answer.text());
      expect(await page.textContent("h1")).toBe(`Dear ${values ? "Ada" : "{contact.firstName}"}`);
      const notes = await page.locator(`p[lang=${shape.lang}]`).allTextContents();
      expect(notes).toEqual(values ? [] : [languages[shape.lang]?.erased]);
      expect(await isTooWide(page)).toBe(false);
      // The other markup is that of the team.
      if (!values) expect(await violationsOf(page, [`p[lang=${shape.lang}]`])).toEqual([]);
      await page.close();
    }
  });

  it.each(["#ffd400", "#ffffff", "#0a1a4a", "#777777", "#00ff00", "#e11d48"])(
    "a team with the color %s has buttons and links that can be read",
    async (color) => {
      const { app } = serve({ sender: { ...sender, color }, contact });
      for (const scheme of ["light", "dark"] as const) {
        const { page } = await open(app, await pathOf("unsubscribe"), { width: 390, scheme });
        expect(await violationsOf(page)).toEqual([]);
      }
    },
  );
});
