import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operationsOf } from "../../src/lib/contract/operation.ts";
import { v1 } from "../../src/lib/contract/v1.ts";
import { type Mailspan, startMailspan } from "../system/mailspan.ts";
import { launchBrowser, waitForStill } from "./browser.ts";

let browser: Browser;
let mailspan: Mailspan;
beforeAll(async () => {
  browser = await launchBrowser();
  mailspan = await startMailspan();
});
afterAll(async () => {
  await browser?.close();
  await mailspan?.stop();
});

const openDocs = async (options: Parameters<Browser["newPage"]>[0] = {}) => {
  const page = await browser.newPage(options);
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  // Policy violations are console errors.
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${mailspan.emailUrl}/docs`);
  return { page, asked, complaints };
};

it("/docs shows every operation without scripts, and sends no request to another server", async () => {
  const { page, asked, complaints } = await openDocs({ javaScriptEnabled: false });
  const shown = await page.locator(".operation .route").allTextContents();
  const listed = shown
    .filter((text) => !text.includes("your endpoint"))
    .map((text) => text.replace(/\s+/g, " ").trim());
  const wanted = operationsOf(v1).map(({ operation }) => `${operation.method} /v1${operation.path}`);
  expect(listed.toSorted()).toEqual(wanted.toSorted());

  for (const name of ["Introduction", "Authentication", "Errors"]) {
    expect(await page.getByRole("heading", { level: 2, name, exact: true }).count()).toBe(1);
  }
  await page.getByRole("navigation").getByRole("link", { name: "POST Create a contact", exact: true }).click();
  const first = page.locator("#contacts\\.create");
  expect(await page.locator(":target").getAttribute("id")).toBe("contacts.create");
  expect(await first.getByRole("region", { name: "Request: Create a contact", exact: true }).textContent()).toContain(
    "grace@example.com",
  );
  expect(await first.textContent()).toMatch(/email string required/);
  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(`${mailspan.emailUrl}/`))).toEqual([]);
  expect(asked.length).toBeGreaterThan(1);
});

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

it.each([
  [1440, "light"],
  [1440, "dark"],
  [390, "light"],
  [390, "dark"],
  [320, "light"],
  [320, "dark"],
] as const)("/docs is accessible and fits at %i px in the %s scheme", async (width, colorScheme) => {
  const { page } = await openDocs({ viewport: { width, height: 900 }, colorScheme });
  await waitForStill(page);
  await page.evaluate(axeSource);
  // All operations are drawn alike, and one look at all of them takes minutes.
  const parts = [
    "header",
    "nav",
    "h1",
    "#introduction",
    "#errors",
    "#contacts",
    `[id="contacts.create"]`,
    `[id="workflows.get"]`,
  ];
  const found =
    await page.evaluate(`axe.run({ include: ${JSON.stringify(parts)}.map((part) => [part]) }, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => id + ": " + html.slice(0, 120))))`);
  expect(found).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")).toBe(
    false,
  );
  await page.close();
});
