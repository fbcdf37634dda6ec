import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { secrets } from "../../system/mailspan.ts";
import { dashboardBench, logOut, violationsOf } from "./bench.ts";

const { open } = dashboardBench({}, {}, undefined, { ACCESS_TEAM: "acme", ACCESS_AUD: "aud-of-the-dashboard" });

const behindAccess = async (page: Page): Promise<() => number> => {
  let logins = 0;
  await page.context().route("**/api/session", (route) => {
    const request = route.request();
    if (request.method() !== "POST" || request.postData() !== "{}") return route.continue();
    logins += 1;
    return route.continue({ postData: JSON.stringify({ token: secrets.ADMIN_TOKEN }) });
  });
  return () => logins;
};

const enter = async () => {
  const page = await open({ path: "/theme.js" });
  const logins = await behindAccess(page);
  await page.goto(new URL("/", page.url()).href);
  await page.getByRole("region", { name: "The way of webhooks and mail" }).waitFor();
  expect(logins()).toBe(1);
  return { page, logins };
};

const button = { name: "Log in with Cloudflare Access" };
const leave = { name: "Log out of Cloudflare Access" };

describe("with Cloudflare Access", () => {
  it("a logout stays one, also after a reload, until the person asks for a login", async () => {
    const { page, logins } = await enter();
    await logOut(page);
    await page.getByRole("button", button).waitFor();
    await page.reload();
    await page.getByRole("button", button).waitFor();
    expect(await page.getByRole("link", leave).getAttribute("href")).toBe("/cdn-cgi/access/logout");
    expect(await violationsOf(page)).toEqual([]);
    expect(logins()).toBe(1);
    await page.getByRole("button", button).click();
    await page.getByRole("region", { name: "The way of webhooks and mail" }).waitFor();
    expect(logins()).toBe(2);
  });

  it("a logout from elsewhere does not log in again by itself either", async () => {
    const { page, logins } = await enter();
    const other = await enter();
    await other.page.goto(new URL("/settings", other.page.url()).href);
    await other.page.getByRole("button", { name: "Log out everywhere" }).click();
    const asked = other.page.getByRole("dialog", { name: "Log out everywhere?" });
    await asked.getByRole("button", { name: "Log out", exact: true }).click();
    await other.page.getByRole("button", button).waitFor();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByRole("button", button).waitFor();
    expect(await dialog.getByRole("link", leave).count()).toBe(0);
    expect([logins(), other.logins()]).toEqual([1, 1]);
    await dialog.getByRole("button", button).click();
    await dialog.waitFor({ state: "detached" });
  });
});
