import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operationsOf } from "../../src/lib/contract/operation.ts";
import { v1 } from "../../src/lib/contract/v1.ts";
import { type Mailspan, startMailspan } from "../system/mailspan.ts";
import { launchBrowser } from "./browser.ts";

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

it("/docs shows every operation in a browser, and sends no request to another server", async () => {
  const page = await browser.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  // Policy violations are console errors.
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${mailspan.emailUrl}/docs`);
  await page.locator(".opblock").first().waitFor();

  const shown = await page.locator(".opblock-summary-path").allTextContents();
  const methods = await page.locator(".opblock-summary-method").allTextContents();
  // The viewer puts zero-width spaces at possible breaks of a path.
  const listed = shown.map((path, i) => `${methods[i]} ${path.replaceAll("\u200b", "")}`);
  const wanted = operationsOf(v1).map(({ operation }) => `${operation.method} /v1${operation.path}`);
  expect(listed.toSorted()).toEqual(wanted.toSorted());

  const first = page.locator(".opblock").filter({ hasText: "/v1/contacts/create" });
  await first.locator(".opblock-summary-control").click();
  await first.locator(".responses-table").waitFor();
  expect(await first.textContent()).toContain("grace@example.com");
  expect(await page.locator("text=/Authorize|Try it out|Execute/").count()).toBe(0);
  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(`${mailspan.emailUrl}/`) && !url.startsWith("data:"))).toEqual([]);
  expect(asked.length).toBeGreaterThan(4);
});
