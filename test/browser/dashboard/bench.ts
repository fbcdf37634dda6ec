import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { buildPage } from "../../../scripts/dashboard/page.ts";
import { type Halves, type Mailspan, secrets, startMailspan, until } from "../../system/mailspan.ts";
import { launchBrowser, waitForStill } from "../browser.ts";
import { settled, watch } from "./watch.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Longest wait for anything on a page, in ms. A busy machine makes it slow, not wrong. */
const PATIENCE = 20_000;

type Options = {
  scheme?: "light" | "dark";
  width?: number;
  path?: string;
  /** The test expects answers of 500 and above, and requests without an answer. */
  mayFail?: boolean;
  clock?: boolean;
  alone?: boolean;
  /** At http://localhost: passkeys need a host name. */
  named?: boolean;
  prepare?: (page: Page) => Promise<unknown>;
};

/** The three Workers with the built page, and one Chromium. */
export const dashboardBench = (
  vars: Record<string, unknown> = {},
  emailVars: Record<string, unknown> = {},
  halves?: Halves,
  dashboardVars: Record<string, unknown> = {},
) => {
  let browser: Browser;
  let mailspan: Mailspan;
  const shared = new Map<string, Promise<BrowserContext>>();
  let contexts: BrowserContext[] = [];
  let complaints: string[] = [];

  beforeAll(async () => {
    await buildPage();
    [browser, mailspan] = await Promise.all([launchBrowser(), startMailspan(vars, emailVars, dashboardVars, halves)]);
  });
  afterEach(async () => {
    const pages = (await Promise.all(shared.values())).flatMap((context) => context.pages());
    await Promise.all([...pages, ...contexts].map((one) => one.close()));
    const found = complaints;
    [contexts, complaints] = [[], []];
    expect(found).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await mailspan?.stop();
  });

  const newContext = async ({ scheme = "light", clock = false }: Options): Promise<BrowserContext> => {
    // bypassCSP is not set: the policy is under test. axe-core enters through evaluate.
    const context = await browser.newContext({ colorScheme: scheme, reducedMotion: "reduce" });
    if (clock) await context.clock.install();
    return context;
  };
  const contextFor = async (options: Options): Promise<BrowserContext> => {
    if (options.alone || options.clock) {
      const context = await newContext(options);
      contexts.push(context);
      return context;
    }
    const kind = String(options.scheme);
    const context = shared.get(kind) ?? newContext(options);
    shared.set(kind, context);
    return context;
  };

  const originOf = ({ named = false }: Options): string => {
    const { dashboardUrl = "" } = mailspan;
    return named ? dashboardUrl.replace("127.0.0.1", "localhost") : dashboardUrl;
  };

  const load = async (options: Options): Promise<Page> => {
    const { width = 1280, path = "/", mayFail = false, prepare } = options;
    const page = await (await contextFor(options)).newPage();
    await page.setViewportSize({ width, height: 900 });
    await watch(page, originOf(options), (what) => complaints.push(what), mayFail);
    page.setDefaultTimeout(PATIENCE);
    await prepare?.(page);
    await page.goto(`${originOf(options)}${path}`);
    return page;
  };

  const open = (options: Options = {}): Promise<Page> => load({ ...options, alone: true });

  const logIn = async (page: Page, options: Options): Promise<void> => {
    const origin = originOf(options);
    const headers = { Origin: origin, "X-Mailspan": "1" };
    const data = { token: secrets.ADMIN_TOKEN };
    const answer = await page.context().request.post(`${origin}/api/session`, { headers, data });
    if (answer.status() !== 201) throw new Error(`The login answered ${answer.status()}.`);
  };

  const enter = async (options: Options = {}): Promise<Page> => {
    const prepare = async (page: Page) => {
      await logIn(page, options);
      await options.prepare?.(page);
    };
    const page = await load({ ...options, prepare });
    if ((options.path ?? "/") === "/")
      await page.getByRole("region", { name: "The way of webhooks and mail" }).waitFor();
    return page;
  };

  return { open, enter, mailspan: () => mailspan };
};

/** Logs out by the menu of the person. */
export const logOut = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Account, colors and log out" }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
};

/** Chooses an item of the menu of more actions. */
export const more = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
};

export const violationsOf = async (page: Page, part = "html"): Promise<string[]> => {
  await settled(page);
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  await waitForStill(page);
  const options = [part, RULES] as const;
  return page.evaluate(async ([within, tags]) => {
    const { axe } = globalThis as unknown as {
      axe: { run(part: string, options: object): Promise<{ violations: Violation[] }> };
    };
    type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] };
    const { violations } = await axe.run(within, { runOnly: { type: "tag", values: tags } });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }, options);
};

/** True if nothing in a page or its dialog is wider than the window. */
export const fits = (page: Page): Promise<boolean> =>
  page.evaluate(`document.documentElement.scrollWidth <= innerWidth &&
    [...document.querySelectorAll('[role="dialog"]')].every((dialog) =>
      dialog.scrollWidth <= dialog.clientWidth && dialog.getBoundingClientRect().right <= innerWidth)`);

export const toFit = (page: Page): Promise<true> =>
  until("the page fits its window", async () => ((await fits(page)) ? true : undefined), 5_000);
