import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operationsOf } from "../../src/lib/contract/operation.ts";
import { v1 } from "../../src/lib/contract/v1.ts";
import { hasBrowser, launchBrowser } from "./browser.ts";
import { type Mailspan, startMailspan } from "./mailspan.ts";

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startMailspan();
});
afterAll(() => mailspan.stop());
const get = (path: string, init: RequestInit = {}) => fetch(mailspan.emailUrl + path, { redirect: "manual", ...init });

it("/openapi.json is the committed file, needs no key, and is not sent again while it is unchanged", async () => {
  const response = await get("/openapi.json");
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(await response.text()).toBe(readFileSync(join(import.meta.dirname, "../../openapi.json"), "utf8"));
  expect(response.headers.get("Cache-Control")).toBe("public, no-cache");
  const etag = response.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^"\w+"$/);
  expect((await get("/openapi.json", { headers: { "If-None-Match": etag } })).status).toBe(304);
  expect((await get("/openapi.json", { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
});

it("/docs and its files have a content policy that forbids every other origin", async () => {
  for (const path of [
    "/docs",
    "/docs/page.js",
    "/docs/page.css",
    "/docs/swagger-ui-bundle.js",
    "/docs/swagger-ui.css",
  ]) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
  }
  expect(await (await get("/docs")).text()).not.toMatch(/https?:\/\/|\son\w+=|<script>/);
});

it("answers unknown paths and other methods as the API does", async () => {
  expect((await get("/docs/")).headers.get("Location")).toBe("/docs");
  for (const path of ["/docs/nothing.js", "/docs/..%2fopenapi.json", "/docs/%00", "/docs/a/b"]) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toMatchObject({ code: "not_found" });
  }
  for (const path of ["/docs", "/openapi.json", "/docs/page.js"]) {
    const response = await get(path, { method: "POST" });
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET"]);
  }
});

const canBrowse = hasBrowser("The API reference was", "test:browser");

it.skipIf(!canBrowse)("/docs shows every operation in a browser, and sends no request to another server", async () => {
  let browser: Browser | undefined;
  try {
    browser = await launchBrowser();
    const page = await browser.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    // Violations of the policy are console errors.
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(`${mailspan.emailUrl}/docs`);
    await page.locator(".opblock").first().waitFor();

    const shown = await page.locator(".opblock-summary-path").allTextContents();
    const methods = await page.locator(".opblock-summary-method").allTextContents();
    // The viewer puts zero-width spaces where a path may break.
    const listed = shown.map((path, i) => `${methods[i]} ${path.replaceAll("\u200b", "")}`);
    const wanted = operationsOf(v1).map(({ operation }) => `${operation.method} /v1${operation.path}`);
    expect(listed.toSorted()).toEqual(wanted.toSorted());

    const first = page.locator(".opblock").filter({ hasText: "/v1/contacts/create" });
    await first.locator(".opblock-summary-control").click();
    await first.locator(".responses-table").waitFor();
    expect(await first.textContent()).toContain("grace@example.com");
    // The page must not ask for an API key.
    expect(await page.locator("text=/Authorize|Try it out|Execute/").count()).toBe(0);
    expect(complaints).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(`${mailspan.emailUrl}/`) && !url.startsWith("data:"))).toEqual([]);
    expect(asked.length).toBeGreaterThan(4);
  } finally {
    await browser?.close();
  }
});
