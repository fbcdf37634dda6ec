import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { signedSample } from "../../../scripts/samples/samples.ts";
import { secrets } from "../../system/mailspan.ts";
import { dashboardBench, logOut, violationsOf } from "./bench.ts";
import { filterBy } from "./chips.ts";
import { settled } from "./watch.ts";

const { open, enter, mailspan } = dashboardBench();

const sendSample = async (): Promise<string> => {
  const given = { secret: secrets.STRIPE_WEBHOOK_SECRET, now: Date.now() };
  const { headers, raw } = await signedSample("stripe", "checkout.session.completed", given);
  const { id } = (await (await mailspan().post("stripe", raw, headers)).json()) as { id: string };
  await mailspan().settled(id);
  return id;
};

let webhook = "";
beforeAll(async () => {
  webhook = await sendSample();
});

describe("the login", () => {
  it("takes the admin token, and says so when it is another one", async () => {
    const page = await open({ path: "/webhooks" });
    await page.getByLabel("Admin token").fill("not the token");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("alert").getByText("not the value of ADMIN_TOKEN").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel("Admin token").fill(secrets.ADMIN_TOKEN);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    expect(await page.evaluate("document.cookie")).toBe("");
  });

  it("keeps the token that is being typed, when the window gets the focus back", async () => {
    const page = await open({ path: "/webhooks" });
    const token = page.getByLabel("Admin token");
    await token.fill("half a tok");
    const asked = page.waitForResponse("**/api/about");
    await page.evaluate('dispatchEvent(new Event("visibilitychange"))');
    await asked;
    await page.waitForLoadState("networkidle");
    expect(await token.inputValue()).toBe("half a tok");
  });

  it("comes once after a logout, not over the page before that", async () => {
    const prepare = (page: Page) =>
      page.addInitScript(`globalThis.dialogs = 0;
        new MutationObserver(() => { globalThis.dialogs += document.querySelectorAll('[role="dialog"]').length; })
          .observe(document, { childList: true, subtree: true })`);
    const page = await enter({ path: "/webhooks", alone: true, prepare });
    await page.getByRole("link", { name: "checkout.session.completed", exact: true }).waitFor();
    await page.route("**/api/about", async (route) => {
      await new Promise((later) => setTimeout(later, 300));
      await route.continue();
    });
    await logOut(page);
    await page.getByRole("heading", { name: "Log in to Mailspan", level: 1 }).waitFor();
    await settled(page);
    expect(await page.evaluate("globalThis.dialogs")).toBe(0);
  });

  it("comes back over the page when the session ends in another tab, and what was typed stays", async () => {
    const page = await enter({ path: "/webhooks" });
    const other = await page.context().newPage();
    await other.goto(page.url());
    await filterBy(page, "Event", "half a wor");
    await logOut(other);
    await other.getByLabel("Admin token").waitFor();
    // Not with the mouse: a poll may have opened the dialog, which covers the link.
    await page.getByRole("link", { name: "Sources" }).dispatchEvent("click");
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("Admin token").fill(secrets.ADMIN_TOKEN);
    await dialog.getByRole("button", { name: "Log in" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "stripe", exact: true }).waitFor();
  });
});

describe("the pages", () => {
  it("find a webhook and tell what it did", async () => {
    const page = await enter();
    await page.getByRole("link", { name: "Webhooks", exact: true }).click();
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    await page.getByRole("link", { name: "checkout.session.completed", exact: true }).click();
    await page.getByRole("heading", { name: "checkout.session.completed" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/webhooks/${webhook}`);
    await page.getByRole("heading", { name: "What it did" }).waitFor();
    expect(await page.getByText("cs_test").count()).toBe(0);
    await page.getByRole("tab", { name: "Body" }).click();
    await page.getByText('"checkout.session"').waitFor();
  });

  it("keep the filters in the address, and tell nothing found from nothing there", async () => {
    const page = await enter({ path: "/webhooks?source=clerk" });
    await page.getByText("No webhook matches these filters").waitFor();
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await page.getByRole("link", { name: "checkout.session.completed", exact: true }).waitFor();
    await filterBy(page, "Event", "invoice.paid");
    await page.keyboard.press("Enter");
    await page.waitForURL(/type=invoice\.paid/);
    await page.goBack();
    await page.getByRole("link", { name: "checkout.session.completed", exact: true }).waitFor();
  });

  it("mark one place of the navigation as theirs, also on a page below another place", async () => {
    const page = await enter({ path: "/settings" });
    const marked = page
      .getByRole("navigation", { name: "Pages", exact: true })
      .locator("a:is([aria-current=page], [data-active])");
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    expect(await marked.allTextContents()).toEqual(["Settings"]);
    await page.getByRole("link", { name: "People who have not confirmed" }).click();
    await page.getByRole("heading", { level: 1, name: "Not confirmed" }).waitFor();
    expect(await marked.allTextContents()).toEqual(["Settings"]);
    await page.getByRole("link", { name: "Sources", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Sources" }).waitFor();
    expect(await marked.allTextContents()).toEqual(["Sources"]);
  });

  it("have no page of parts where npm start did not start them", async () => {
    const page = await enter({ path: "/kit" });
    await page.getByRole("heading", { name: "This page does not exist" }).waitFor();
  });

  it("are reached by keys alone", async () => {
    const page = await enter();
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    await page.getByRole("link", { name: "checkout.session.completed", exact: true }).waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("INPUT");
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByPlaceholder("Search people, mail, webhooks, pages").fill("thr");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Throughput", level: 1 }).waitFor();
    await page.getByPlaceholder("Search people, mail, webhooks, pages").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
  });
});
