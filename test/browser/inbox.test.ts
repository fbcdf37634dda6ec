import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Mailspan } from "../system/mailspan.ts";
import { mailPicture, startWithPictures } from "../system/pictures.ts";
import { launchBrowser, waitForStill } from "./browser.ts";

let browser: Browser;
let mailspan: Mailspan;
beforeAll(async () => {
  browser = await launchBrowser();
  mailspan = await startWithPictures();
});
afterAll(async () => {
  await browser?.close();
  await mailspan?.stop();
});

it("the inbox shows the picture of a mail", async () => {
  const { id } = await mailPicture(mailspan);
  const tab = await browser.newPage();
  await tab.goto(`${mailspan.emailUrl}/inbox/${id}`);
  const image = tab.frameLocator("iframe").locator("img");
  const shape = async () => {
    const box = await image.boundingBox();
    return box && Math.round((4 * box.width) / box.height) / 4;
  };
  await expect.poll(shape, { timeout: 10_000 }).toBe(5 / 4);
});

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

it.each([
  [1440, "light"],
  [1440, "dark"],
  [390, "light"],
  [390, "dark"],
  [320, "light"],
  [320, "dark"],
] as const)("the inbox and a mail are accessible and fit at %i px in the %s scheme", async (width, colorScheme) => {
  const { id } = await mailPicture(mailspan);
  const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const faults: string[] = [];
  tab.on("console", (message) => faults.push(message.text()));
  for (const path of ["/inbox", `/inbox/${id}`, `/inbox/${id}?phone=1&dark=1`]) {
    await tab.goto(`${mailspan.emailUrl}${path}`);
    expect(faults).toEqual([]);
    await waitForStill(tab);
    await tab.evaluate(axeSource);
    const found =
      await tab.evaluate(`axe.run(document, { resultTypes: ["violations"], iframes: false }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 120))))`);
    expect([path, found]).toEqual([path, []]);
    const width = await tab.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
    expect([path, width]).toEqual([path, false]);
    faults.length = 0;
  }
  await tab.close();
});

it("a mail is shown in the dark and as on a phone, by keyboard and without scripts", async () => {
  const { id } = await mailPicture(mailspan);
  const tab = await browser.newPage({ viewport: { width: 1440, height: 900 }, javaScriptEnabled: false });
  await tab.goto(`${mailspan.emailUrl}/inbox`);
  await tab.locator(`a[href="/inbox/${id}"]`).press("Enter");
  await tab.getByRole("link", { name: "Phone" }).press("Enter");
  await tab.getByRole("link", { name: "Dark" }).press("Enter");
  await expect.poll(() => tab.url()).toMatch(/\?phone=1&dark=1$/);
  expect((await tab.locator("iframe").boundingBox())?.width).toBe(375);
  expect(await tab.getByRole("link", { name: "Dark" }).getAttribute("aria-current")).toBe("true");
});
