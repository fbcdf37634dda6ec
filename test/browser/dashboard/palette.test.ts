import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { until } from "../../system/mailspan.ts";
import { dashboardBench, toFit, violationsOf } from "./bench.ts";

const { enter, mailspan } = dashboardBench();

const PERSON = "ada@palette.example";

beforeAll(async () => {
  const { client, inbox } = mailspan();
  await client.updateContact({ email: PERSON, userId: "palette-1", properties: { firstName: "Ada" } });
  const { success } = await client.sendTransactionalEmail({
    transactionalId: "tpl_welcome",
    email: PERSON,
    dataVariables: { name: "Ada" },
  });
  expect(success).toBe(true);
  await until("the mail is in the inbox", async () => (await inbox()).mails.find(({ to }) => to === PERSON));
});

const openPalette = async (page: Page, text: string) => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  const field = page.locator("[placeholder='Search people, mail, webhooks, pages']");
  // The heading may show before the keys work, so a key can be lost.
  for (let times = 0; times < 3 && (await field.count()) === 0; times++) {
    await page.keyboard.press("ControlOrMeta+k");
    await field.waitFor({ timeout: 6_000 }).catch(() => {});
  }
  await typeInPalette(page, text);
};

const typeInPalette = async (page: Page, text: string) => {
  await page.locator("[placeholder='Search people, mail, webhooks, pages']:focus").waitFor();
  await page.keyboard.type(text);
};

describe("the palette", () => {
  it("leads by the keyboard alone from an address to the person, and on to a mail", async () => {
    const page = await enter();
    await openPalette(page, "ada@pal");
    await page.getByText("Ada, palette-1").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Ada", level: 1 }).waitFor();
    await page.locator("main a[href*='/sent/snd_']").first().waitFor();
    const focused = () => page.evaluate("document.activeElement.getAttribute('href')");
    for (let tabs = 0; tabs < 80 && !String(await focused()).includes("/sent/snd_"); tabs += 1)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/sent/snd_*");
    await page.getByText("In the local inbox only. It was not sent outside this machine.").first().waitFor();
  });

  it("finds a person by the user id, an email by its name, and a page", async () => {
    const page = await enter({ path: "/webhooks" });
    await openPalette(page, "palette-1");
    await page.getByText("Ada, palette-1").waitFor();
    await page.keyboard.press("Escape");
    await page.getByPlaceholder("Search people, mail, webhooks, pages").waitFor({ state: "detached" });
    await openPalette(page, "welcome");
    await page.locator("[data-action]").filter({ hasText: "Welcome" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/transactional/tpl_welcome*");
    await page.getByRole("link", { name: PERSON }).first().waitFor();
    await openPalette(page, "supp");
    await page.locator("[data-action]").first().filter({ hasText: "Suppressed" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Suppressed", level: 1 }).waitFor();
  });

  it("finds a source and a rule by their names", async () => {
    const page = await enter({ path: "/deliveries/throughput" });
    await openPalette(page, "supabase");
    await page.locator("[data-action]").filter({ hasText: "supabase" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/sources/supabase*");
    await openPalette(page, "waitlist joined");
    await page.locator("[data-action]").filter({ hasText: "waitlist joined" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/rules/clerk/waitlist%20joined*");
  });

  it("begins empty when it is opened again at once", async () => {
    const page = await enter({ path: "/deliveries/throughput" });
    await openPalette(page, "supabase");
    const found = page.locator("[data-action]").filter({ hasText: "supabase" }).first();
    await found.waitFor();
    for (const pause of [0, 100, 195]) {
      await page.keyboard.press("Escape");
      await page.waitForTimeout(pause);
      await page.keyboard.press("ControlOrMeta+k");
      await typeInPalette(page, "supabase");
      await found.waitFor();
    }
  });

  it.each(["light", "dark"] as const)("has no violation that axe-core finds, %s", async (scheme) => {
    const page = await enter({ scheme, width: 375 });
    await openPalette(page, "ada@pal");
    await page.getByText("Ada, palette-1").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await toFit(page);
    await page.keyboard.type("x");
    await page.getByText("Nothing matches “ada@palx”").waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});
