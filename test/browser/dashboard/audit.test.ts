import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { secrets } from "../../system/mailspan.ts";
import { dashboardBench, fits, violationsOf } from "./bench.ts";
import { filterBy } from "./chips.ts";
import { signUpInVain } from "./data.ts";

const { enter, mailspan } = dashboardBench();

beforeAll(() => signUpInVain(mailspan(), ["first", "second"]));

const run = (command: string): string =>
  execFileSync("sh", ["-c", command], {
    env: {
      PATH: process.env.PATH,
      ADMIN_TOKEN: secrets.ADMIN_TOKEN,
      BRIDGE_URL: mailspan().url,
      DASHBOARD_URL: mailspan().dashboardUrl,
    },
    encoding: "utf8",
  });

describe("the audit", () => {
  it("is filtered by who, what and when, in its address; a value beside an icon is a filter too", async () => {
    const page = await enter({ path: "/people/lists" });
    await page.getByRole("button", { name: "New list" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("News");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The list is created.").waitFor();
    await page.goto(`${mailspan().dashboardUrl}/deliveries/throughput`);
    await page.getByRole("button", { name: "Pause delivery" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
    await page.getByText("A person paused delivery").waitFor();
    await page.getByRole("button", { name: "Resume delivery" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
    await page.getByText("A person paused delivery").waitFor({ state: "detached" });

    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("link", { name: "Audit log" }).click();
    const table = page.getByRole("table", { name: "changes" });
    await table.getByText("email.lists.create").waitFor();
    await filterBy(page, "What begins with", "bridge.dispatch");
    await page.keyboard.press("Enter");
    await page.waitForURL(/operation=bridge\.dispatch/);
    await table.getByText("email.lists.create").waitFor({ state: "detached" });
    await table.getByText("bridge.dispatch.resume").waitFor();
    expect(await table.getByRole("row").count()).toBe(3);
    expect(await violationsOf(page)).toEqual([]);
    await table.getByRole("link", { name: "All of bridge.dispatch.pause" }).click();
    await page.waitForURL(/operation=bridge\.dispatch\.pause/);
    const url = new URL(page.url());
    url.searchParams.set("until", "1d");
    await page.goto(url.href);
    await page.getByRole("button", { name: "Time: until 1d ago" }).waitFor();
    await page.getByText("No change matches these filters").waitFor();
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await table.getByRole("link", { name: "Changes by owner" }).first().click();
    await page.waitForURL(/who=owner/);
    await page.goto(`${page.url()}&since=soon`);
    await page.getByRole("alert").getByText(/since/).waitFor();
    await page.goto(`${mailspan().dashboardUrl}/settings/audit`);
    await page.getByRole("button", { name: "In", exact: true }).click();
    await page.getByRole("option", { name: "The bridge" }).click();
    await page.waitForURL(/in=bridge/);
    await table.getByText("bridge.dispatch.resume").waitFor();
    expect(await table.getByText("dashboard.session.create").count()).toBe(0);
    expect(await table.getByRole("row", { name: /bridge\.dispatch\.pause.*owner.*local 200/ }).count()).toBe(1);
    await page.goto(`${mailspan().dashboardUrl}/settings/audit?in=email`);
    await table.getByText("email.lists.create").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => fits(page), { message: String(width), timeout: 10_000 }).toBe(true);
    }
  });
});

it("has who logged in and how, and from where logins were refused", async () => {
  const page = await enter({ path: "/people/lists" });
  const headers = { Origin: mailspan().dashboardUrl ?? "", "X-Mailspan": "1" };
  for (const token of ["wrong", "wrong too"])
    await page.context().request.post(`${mailspan().dashboardUrl}/api/session`, { headers, data: { token } });
  await page.goto(`${mailspan().dashboardUrl}/settings/audit?operation=dashboard.session`);
  const table = page.getByRole("table", { name: "changes" });
  await table.getByText(/2 attempts, the last /).waitFor();
  expect(await table.getByText("unknown").count()).toBe(1);
  await table
    .getByRole("row", { name: /session\.create.*token.*owner.*201/ })
    .first()
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

describe("Copy as of an act", () => {
  it.each([
    ["Discard 2", "Discard 2 deliveries?"],
    ["Send 2 again", "Send 2 deliveries again?"],
  ])("on all deliveries of a cause does it for each of them: %s", async (button, title) => {
    if (button === "Send 2 again") await signUpInVain(mailspan(), ["third", "fourth"]);
    const page = await enter({ path: "/deliveries" });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page
      .getByRole("article", { name: /^2 deliveries/ })
      .getByRole("button", { name: button })
      .click();
    const dialog = page.getByRole("dialog", { name: title });
    await dialog.getByRole("button", { name: "Copy as" }).click();
    await page.getByRole("menuitem", { name: "curl" }).click();
    await page.getByText("The curl command is copied.").waitFor();
    run(await page.evaluate<string>("navigator.clipboard.readText()"));
    await page.goto(`${mailspan().dashboardUrl}/deliveries`);
    await page.getByText("No failed deliveries").waitFor();
  });

  it("that ends all sessions works in a terminal, and the page shows the login", async () => {
    const page = await enter({ path: "/settings" });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Log out everywhere" }).click();
    const dialog = page.getByRole("dialog", { name: "Log out everywhere?" });
    await dialog.getByText("will end, this one too").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Copy as" }).click();
    await page.getByRole("menuitem", { name: "curl" }).click();
    await page.getByText("The curl command is copied.").waitFor();
    expect(run(await page.evaluate<string>("navigator.clipboard.readText()"))).toContain('"success":true');
    await page.goto(`${mailspan().dashboardUrl}/deliveries/throughput`);
    await page.getByLabel("Admin token").waitFor();
  });

  it("ends all sessions from its dialog too", async () => {
    const page = await enter({ path: "/settings" });
    await page.getByRole("button", { name: "Log out everywhere" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Log out", exact: true }).click();
    await page.getByLabel("Admin token").waitFor();
  });
});
