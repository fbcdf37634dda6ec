import type { Page, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { until } from "../../system/mailspan.ts";
import { dashboardBench, fits, violationsOf } from "./bench.ts";

// Nothing was ever posted here: every list is empty.
const { enter, mailspan } = dashboardBench();

const PAGES = [
  ...[
    "/",
    "/people",
    "/people/none@example.com",
    "/mail",
    "/webhooks",
    "/calls",
    "/calls?view=all",
    "/rules",
    "/replay",
  ],
  ...["/health", "/lists", "/properties", "/suppressions", "/settings", "/settings/keys"],
  ...["/sources", "/sources/stripe", "/settings/team"],
];
/** Lists with a filter that nothing meets. */
const FILTERED = [
  ...["/people?list=lst_none", "/mail?to=none@example.com", "/webhooks?source=none", "/calls?view=all&rule=none"],
  "/suppressions?reason=complaint",
];
/** Pages that ask neither half, or that show what they have without an answer. */
const ASK_NOTHING = ["/settings", "/replay"];

/** What is wrong with a page as it is: in both schemes, and at 200 % zoom of a window of 1280 px. */
const faultsOf = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    // The colours that axe-core reads are those of the frame after the change.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    found.push(...(await violationsOf(page)).map((one) => `${colorScheme}: ${one}`));
  }
  await page.setViewportSize({ width: 640, height: 450 });
  if (!(await fits(page))) found.push("wider than the window at 200 % zoom");
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
};

const visitAll = async (page: Page, paths: readonly string[], isShown: (path: string) => Promise<unknown>) => {
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(`${mailspan().dashboardUrl}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await isShown(path);
    found.push(...(await faultsOf(page)).map((fault) => `${path} ${fault}`));
  }
  return found;
};

/** Lets every request to the halves fail, and none of the dashboard's own. */
const failing = async (page: Page, fail: (route: Route) => Promise<void>): Promise<void> => {
  await page.route("**/api/bridge/**", fail);
  await page.route("**/api/email/**", fail);
};

describe("every page", () => {
  it("has no violation where there is nothing yet", async () => {
    const page = await enter();
    expect(await visitAll(page, PAGES, async () => undefined)).toEqual([]);
  });

  it("has no violation where nothing matches", async () => {
    const page = await enter();
    const isShown = () =>
      page
        .getByText(/ matches these filters|There is no /)
        .or(page.getByRole("alert"))
        .first()
        .waitFor();
    expect(await visitAll(page, FILTERED, isShown)).toEqual([]);
  });

  it("says in the server's words what failed, with a way to try again", async () => {
    const page = await enter({ mayFail: true });
    const body = JSON.stringify({ success: false, code: "internal_error", message: "Something went wrong here." });
    await failing(page, (route) => route.fulfill({ status: 500, contentType: "application/json", body }));
    const isShown = async (path: string) => {
      if (ASK_NOTHING.includes(path)) return;
      const alert = page.getByRole("alert").filter({ hasText: "Something went wrong here." }).first();
      await alert.waitFor();
      await alert.getByRole("button", { name: "Try again" }).waitFor();
    };
    expect(await visitAll(page, PAGES, isShown)).toEqual([]);
  });

  it("says that a half gives no answer", async () => {
    const page = await enter({ mayFail: true });
    await failing(page, (route) => route.abort());
    const isShown = async (path: string) => {
      if (!ASK_NOTHING.includes(path)) await page.getByRole("alert").first().waitFor();
    };
    expect(await visitAll(page, ["/", "/people", "/webhooks", "/mail", "/health"], isShown)).toEqual([]);
  });
});

/** Each dialog that a page without data has: its page, the button that opens it, what is typed, and the button that does it. */
const DIALOGS = [
  ["/lists", "New list", { Name: "News" }, "Save"],
  ["/people", "New contact", { Address: "ada@example.com" }, "Create"],
  ["/suppressions", "Suppress an address", { Address: "ada@example.com" }, "Suppress"],
  ["/settings/keys", "New key", { Name: "production" }, "Create"],
  ["/health", "Pause all", {}, "Pause"],
  ["/sources/stripe", "Pause stripe", {}, "Pause"],
] as const;

describe("a dialog", () => {
  it.each(DIALOGS)(
    "of %s, %s, says what the server refused, keeps what was typed, and gives the focus back",
    async (path, opener, typed, act) => {
      const page = await enter({ path, mayFail: true });
      const button = page.getByRole("button", { name: opener, exact: true }).first();
      await button.waitFor();
      const body = JSON.stringify({ success: false, code: "internal_error", message: "Something went wrong here." });
      await failing(page, (route) =>
        route.request().method() === "GET"
          ? route.continue()
          : route.fulfill({ status: 500, contentType: "application/json", body }),
      );
      await button.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      for (const [label, text] of Object.entries(typed)) await dialog.getByLabel(label).fill(text);
      await dialog.getByRole("button", { name: act, exact: true }).click();
      await dialog.getByRole("alert").filter({ hasText: "Something went wrong here." }).waitFor();
      for (const [label, text] of Object.entries(typed)) expect(await dialog.getByLabel(label).inputValue()).toBe(text);
      expect(await faultsOf(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await until("the focus is back", async () =>
        (await page.evaluate("document.activeElement.textContent")) === opener ? true : undefined,
      );
    },
  );

  it("moves nothing where the person wants less motion, and gives the focus back", async () => {
    const page = await enter({ path: "/lists" });
    const button = page.getByRole("button", { name: "New list" }).first();
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New list" }).waitFor();
    const moving = await page.evaluate(
      "document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getTiming().duration > 1).length",
    );
    expect(moving).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "New list" }).waitFor({ state: "detached" });
    await until("the focus is back", async () =>
      (await page.evaluate("document.activeElement.textContent")) === "New list" ? true : undefined,
    );
    expect(await page.getByRole("dialog").count()).toBe(0);
  });
});
