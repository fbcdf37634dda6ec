import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { buildPage } from "../../../scripts/dashboard/page.ts";
import { type Halves, type Mailspan, secrets, startMailspan } from "../../system/mailspan.ts";
import { launchBrowser, waitForStill } from "../browser.ts";
import { watch } from "./watch.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** How long a page may need for anything, in ms. A busy machine makes it slow, not wrong. */
const PATIENCE = 20_000;

/** As the page logs in. */
const LOG_IN = async (token: string): Promise<number> => {
  const headers = { "Content-Type": "application/json", "X-Mailspan": "1" };
  return (await fetch("/api/session", { method: "POST", headers, body: JSON.stringify({ token }) })).status;
};

/** `mayFail`: answers of 500 and above, and requests without an answer, are what the test is about. */
type Options = { scheme?: "light" | "dark"; width?: number; path?: string; mayFail?: boolean };

/** The three Workers with the built page, one browser, and a context of its own for each test. */
export const dashboardBench = (
  vars: Record<string, unknown> = {},
  emailVars: Record<string, unknown> = {},
  halves?: Halves,
  dashboardVars: Record<string, unknown> = {},
) => {
  let browser: Browser;
  let mailspan: Mailspan;
  let contexts: BrowserContext[] = [];
  /** What no page may do: break the policy, throw, write an error, ask another host. */
  let complaints: string[] = [];

  beforeAll(async () => {
    await buildPage();
    [browser, mailspan] = await Promise.all([launchBrowser(), startMailspan(vars, emailVars, dashboardVars, halves)]);
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    const found = complaints;
    [contexts, complaints] = [[], []];
    expect(found).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await mailspan?.stop();
  });

  const open = async ({ scheme = "light", width = 1280, path = "/", mayFail = false }: Options = {}): Promise<Page> => {
    // bypassCSP is not set: the policy is under test. axe-core comes in through evaluate.
    const viewport = { width, height: 900 };
    const context = await browser.newContext({ colorScheme: scheme, viewport, reducedMotion: "reduce" });
    contexts.push(context);
    const page = await context.newPage();
    await watch(page, mailspan.dashboardUrl ?? "", (what) => complaints.push(what), mayFail);
    page.setDefaultTimeout(PATIENCE);
    await page.goto(`${mailspan.dashboardUrl}${path}`);
    return page;
  };

  /** A page of a person who is logged in. The session is asked for from a file of the same origin: to load the page twice takes longer. */
  const enter = async ({ path = "/", ...options }: Options = {}): Promise<Page> => {
    const page = await open({ ...options, path: "/theme.js" });
    const status = await page.evaluate(LOG_IN, secrets.ADMIN_TOKEN);
    if (status !== 201) throw new Error(`The login answered ${status}.`);
    await page.goto(`${mailspan.dashboardUrl}${path}`);
    if (path === "/") await page.getByRole("heading", { name: "Overview" }).waitFor();
    return page;
  };

  return { open, enter, mailspan: () => mailspan };
};

/** What axe-core finds on a page, by WCAG 2.2 AA, or in the part of it that a selector names. */
export const violationsOf = async (page: Page, part = "html"): Promise<string[]> => {
  await page.waitForLoadState("networkidle");
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

/** True where nothing of a page, or of a dialog over it, is wider than the window. */
export const fits = (page: Page): Promise<boolean> =>
  page.evaluate(`document.documentElement.scrollWidth <= innerWidth &&
    [...document.querySelectorAll('[role="dialog"]')].every((dialog) =>
      dialog.scrollWidth <= dialog.clientWidth && dialog.getBoundingClientRect().right <= innerWidth)`);
