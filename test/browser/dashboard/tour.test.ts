import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signedSample } from "../../../scripts/samples/samples.ts";
import { freePort } from "../../port.ts";
import { type Clone, cloneRepository, npmStart, type Running } from "../../system/clone.ts";
import { launchBrowser, waitForStill } from "../browser.ts";
import { useScheme } from "./faults.ts";
import { publish } from "./template.ts";
import { watch } from "./watch.ts";

/** Where the steps are recorded. */
const FOLDER = process.env.TOUR ?? join(import.meta.dirname, "../../../.test-build/tour");
/** Where the pictures of the documentation go; undefined: nowhere. */
const PICTURES = process.env.PICTURES;
/** The template of the receipt that a purchase sends. */
const RECEIPT = "tpl_receipt";
/** A value that the rule does not send. */
const LACKING = "<Paragraph>Order {data.orderNumber}</Paragraph>";

let clone: Clone;
let running: Running;
let browser: Browser;
let ports: { PORT: string; EMAIL_PORT: string; DASHBOARD_PORT: string };
beforeAll(async () => {
  const free = async () => String(await freePort());
  ports = { PORT: await free(), EMAIL_PORT: await free(), DASHBOARD_PORT: await free() };
  [clone, browser] = await Promise.all([cloneRepository(), launchBrowser()]);
  running = await npmStart(clone.path, ports, [], "Ctrl-C");
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await running?.kill("SIGINT").catch(() => {});
  await clone?.remove();
});

/** Records what a person sees after each step: a picture, and the words of the page. */
const recorder = (page: Page) => {
  const told: string[] = [];
  return async (what: string): Promise<string> => {
    await page.waitForLoadState("networkidle");
    const words = await page.locator("main, [role=dialog]").last().innerText();
    const name = `${told.length + 1}-${what.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
    await mkdir(FOLDER, { recursive: true });
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    told.push(
      `## ${told.length + 1}. ${what}\n\n${new URL(page.url()).pathname}\n\n![${what}](${name}.png)\n\n\`\`\`text\n${words}\n\`\`\`\n`,
    );
    await writeFile(join(FOLDER, "tour.md"), told.join("\n"));
    return words;
  };
};

/** Takes a picture for the documentation in each scheme. */
const picture = async (page: Page, name: string): Promise<void> => {
  if (PICTURES === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  await page.waitForLoadState("networkidle");
  for (const notice of await page.getByRole("alert").getByRole("button").all()) await notice.click();
  await page.setViewportSize({ width: 1100, height: 620 });
  for (const colorScheme of ["light", "dark"] as const) {
    await useScheme(page, colorScheme);
    await waitForStill(page);
    await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 900 });
};

/** A purchase, whose receipt needs a value that the rule does not send. */
const buy = async (): Promise<void> => {
  const secret = clone.vars().STRIPE_WEBHOOK_SECRET ?? "";
  const sample = await signedSample("stripe", "checkout.session.completed", { secret, now: Date.now() });
  const url = `http://127.0.0.1:${ports.PORT}/hooks/stripe`;
  expect((await fetch(url, { method: "POST", headers: sample.headers, body: sample.raw })).status).toBe(202);
};

/** A line that a page shows, in a terminal in the folder of Mailspan. */
const run = (line: string): string =>
  execFileSync("sh", ["-c", line], { cwd: clone.path, env: { ...process.env, ...ports }, encoding: "utf8" });

it("a new user finds a dead call, understands its cause, mends the template, retries the call and sees the mail", async () => {
  const api = { url: `http://127.0.0.1:${ports.EMAIL_PORT}`, key: clone.vars().EMAIL_API_KEY ?? "" };
  await publish(api, RECEIPT, (lmx) => `${lmx}\n${LACKING}`);
  await buy();

  // From here on, only what the terminal and the pages say.
  const [link = ""] = /http:\/\/127\.0\.0\.1:\d+\/#code=\S+/.exec(running.output()) ?? [];
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  const complaints: string[] = [];
  await watch(page, `http://127.0.0.1:${ports.DASHBOARD_PORT}`, (what) => complaints.push(what));
  page.setDefaultTimeout(20_000);
  const record = recorder(page);
  await page.goto(link);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  const needsYou = page.getByRole("link", { name: /1 call needs you/ });
  await needsYou.waitFor();
  await record("The overview after the login");

  await needsYou.click();
  const cause = page.getByRole("region", { name: /^1 call/ });
  await cause.waitFor();
  const said = await record("The calls that need a person");
  // The missing value and the rule are named.
  expect(said).toContain("orderNumber");
  expect(said).toContain("by the rule checkout receipt");

  await cause.getByRole("button", { name: /Show/ }).click();
  await cause.getByRole("article").waitFor();
  await record("The call and its attempts");
  await picture(page, "calls");

  // The page says how the template is mended: a person copies its lines into a terminal.
  await cause.getByText("Mend the template").click();
  const commands = await cause.locator("details", { hasText: "Mend the template" }).locator("code").allInnerTexts();
  expect(commands).toHaveLength(3);
  const told = await record("How the template is mended");
  expect(told).toContain("Correct that file in an editor");
  const [get = "", show = "", publishing = ""] = commands;
  run(get);
  await clone.replace(`${RECEIPT}.lmx`, LACKING, "");
  run(`${show} --check`);
  run(publishing);
  await cause.getByRole("article").getByRole("button", { name: "Retry" }).click();
  const dialog = page.getByRole("dialog", { name: "Retry this call?" });
  await dialog.getByText("ada@example.com").waitFor();
  await record("The question before the retry");
  await dialog.getByRole("button", { name: "Retry" }).click();
  await page.getByText("Nothing needs you").waitFor();
  await record("After the retry");

  await page.getByRole("link", { name: "Mail", exact: true }).click();
  await page.getByRole("heading", { name: "Mail", level: 1 }).waitFor();
  await page
    .getByRole("cell", { name: /Receipt/ })
    .first()
    .waitFor();
  await record("The mails");
  await page.getByRole("table").getByRole("link").first().click();
  await page.waitForURL("**/mail/snd_*");
  await page.getByText("What came out").waitFor();
  const mail = await record("The mail");
  expect(mail).toContain("ada@example.com");

  await page.getByRole("main").getByRole("link", { name: "ada@example.com" }).first().click();
  await page.getByText("The newest mail").waitFor();
  await record("The person");
  await picture(page, "person");

  expect(complaints).toEqual([]);
  const inbox = (await (await fetch(`${api.url}/inbox.json`)).json()) as { mails: { to: string; subject: string }[] };
  // One of the samples, and this one.
  expect(inbox.mails.filter(({ subject }) => /receipt/i.test(subject))).toHaveLength(2);
}, 240_000);
