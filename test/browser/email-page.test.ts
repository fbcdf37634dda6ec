import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { cleanUp, createFolder, MAIL, openPage, write } from "../commands/email-page.ts";
import { launchBrowser, waitForStill } from "./browser.ts";

beforeEach(createFolder);
afterEach(cleanUp);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const browse = async (url: string, options: Parameters<Browser["newPage"]>[0] = {}) => {
  const opened = await browser.newPage(options);
  const complaints: string[] = [];
  // Policy violations are console errors.
  opened.on("console", (message) => complaints.push(message.text()));
  opened.on("pageerror", (error) => complaints.push(String(error)));
  await opened.goto(url);
  return { opened, complaints };
};

it("has no complaint and no violation of accessibility, in any tab, in light and dark mode", async () => {
  write("receipt.lmx", `${MAIL}<Paragraph>{data.none}</Paragraph>`);
  const { url } = await openPage();
  for (const colorScheme of ["light", "dark"] as const) {
    const { opened, complaints } = await browse(url, { colorScheme });
    const tabs = opened.getByRole("tab");
    expect(await tabs.count()).toBe(7);
    await opened.evaluate(axe);
    for (const tab of await tabs.all()) {
      await tab.click();
      expect(await opened.locator("section:visible").count()).toBe(1);
      await waitForStill(opened);
      // Mail tests check the frames: axe-core cannot look into a sandbox.
      const violations = await opened.evaluate(
        `axe.run({ exclude: [["iframe"]] }, { resultTypes: ["violations"] }).then(({ violations }) =>
          violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 120))))`,
      );
      expect([await tab.textContent(), violations]).toEqual([await tab.textContent(), []]);
    }
    expect(complaints).toEqual([]);
    await opened.close();
  }
});

it("shows light and dark mode side by side, whatever the mode of the reader", async () => {
  const { url } = await openPage();
  for (const colorScheme of ["light", "dark"] as const) {
    const { opened } = await browse(url, { colorScheme });
    const heading = (name: string) =>
      opened
        .frameLocator(`#desktop iframe[src="/mail/${name}.html"]`)
        .locator("h1")
        .evaluate((node) => {
          const all = globalThis as unknown as { getComputedStyle(node: unknown): { color: string } };
          return all.getComputedStyle(node).color;
        });
    const [light, dark] = [await heading("light"), await heading("dark")];
    expect(light).toBe("rgb(24, 24, 27)");
    expect(Number(/\d+/.exec(dark)?.[0])).toBeGreaterThan(180);
    await opened.close();
  }
});

it("reloads on save and stays in its tab", async () => {
  const { url } = await openPage();
  const { opened, complaints } = await browse(url);
  await opened.getByRole("tab", { name: "Text" }).click();
  write("receipt.lmx", MAIL.replace("You paid", "You have paid"));
  await opened.locator("#text", { hasText: "You have paid $49.00." }).waitFor();
  expect(await opened.locator("section:visible h2").textContent()).toBe("Text");
  expect(complaints).toEqual([]);
});

it("has tabs for the keyboard, and findings lead to their line", async () => {
  write("receipt.lmx", MAIL.replace(/H1>/g, "H9>"));
  const { url } = await openPage();
  const { opened } = await browse(url);
  await opened.getByRole("tab", { name: "Checks" }).focus();
  await opened.keyboard.press("ArrowRight");
  expect(await opened.getByRole("tab", { selected: true }).textContent()).toBe("LMX");
  await opened.keyboard.press("Home");
  await opened
    .getByRole("link", { name: /receipt\.lmx:9:1/ })
    .first()
    .click();
  await opened.locator("#line-9:target").waitFor();
  expect(await opened.getByRole("tab", { selected: true }).textContent()).toBe("LMX");
});

it("shows everything without a script", async () => {
  const { url } = await openPage();
  const { opened } = await browse(url, { javaScriptEnabled: false });
  expect(await opened.locator("section:visible").count()).toBe(7);
  expect(await opened.getByRole("link", { name: "LMX" }).count()).toBe(1);
});

it("runs no script of a mail and sends nothing elsewhere", async () => {
  write("receipt.lmx", MAIL.replace("$49.00", "<script>document.title='x'</script><img src=x onerror=alert(1)>"));
  const { url } = await openPage();
  const opened = await browser.newPage();
  const asked: string[] = [];
  opened.on("request", (request) => asked.push(request.url()));
  await opened.goto(url);
  await opened.frameLocator("#desktop iframe >> nth=0").locator("h1").waitFor();
  expect(await opened.title()).toContain("receipt.lmx");
  expect(asked.filter((address) => !address.startsWith(url) && !address.startsWith("data:"))).toEqual([]);
  expect(asked.some((address) => address.endsWith("/mail/dark.html"))).toBe(true);
});
