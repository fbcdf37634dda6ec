import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Mailspan } from "../system/mailspan.ts";
import { mailPicture, startWithPictures } from "../system/pictures.ts";
import { launchBrowser } from "./browser.ts";

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
