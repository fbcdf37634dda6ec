import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { type Mailspan, sharedMailspan } from "./mailspan.ts";

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await sharedMailspan();
});
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
  for (const path of ["/docs", "/docs/page.css", "/docs/favicon.svg"]) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|script/);
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
  }
  expect(await (await get("/docs")).text()).not.toMatch(/(?:href|src)="(?!\/|#)|\son\w+=|<script/);
});

it("answers unknown paths and other methods as the API does", async () => {
  expect((await get("/docs/")).headers.get("Location")).toBe("/docs");
  for (const path of ["/docs/nothing.js", "/docs/..%2fopenapi.json", "/docs/%00", "/docs/a/b"]) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toMatchObject({ code: "not_found" });
  }
  for (const path of ["/docs", "/openapi.json", "/docs/page.css"]) {
    const response = await get(path, { method: "POST" });
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET"]);
  }
});
