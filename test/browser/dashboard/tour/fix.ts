import { expect } from "vitest";
import { publish } from "../template.ts";
import { picture, recorder } from "./record.ts";
import type { Tour } from "./tour.ts";

const RECEIPT = "tpl_receipt";
const LACKING = "<Paragraph>Order {data.orderNumber}</Paragraph>";

/** A new user finds a failed delivery and its cause, fixes the template, retries and sees the mail. */
export const fix = async ({ page, link, clone, api, buy, run }: Tour): Promise<void> => {
  const record = recorder(page, "fix");
  await publish(api, RECEIPT, (lmx) => `${lmx}\n${LACKING}`);
  await buy();

  await page.goto(link);
  await page.getByRole("region", { name: "The way of webhooks and mail" }).waitFor();
  const needsYou = page.getByRole("link", { name: /1 delivery needs you/ });
  await needsYou.waitFor();
  await record("The overview after the login");

  await needsYou.click();
  const cause = page.getByRole("region", { name: /^1 delivery/ });
  await cause.waitFor();
  const said = await record("The deliveries that need a person");
  expect(said).toContain("orderNumber");
  expect(said).toContain("by the rule checkout receipt");

  await cause.getByRole("button", { name: /Show/ }).click();
  await cause.getByRole("article").waitFor();
  await record("The delivery and its attempts");
  await picture(page, "deliveries");

  await cause.getByText("Fix the template").click();
  const commands = await cause.locator("details", { hasText: "Fix the template" }).locator("code").allInnerTexts();
  expect(commands).toHaveLength(3);
  const told = await record("How the template is fixed");
  expect(told).toContain("Correct that file in an editor");
  const [get = "", show = "", publishing = ""] = commands;
  run(get);
  await clone.replace(`${RECEIPT}.lmx`, LACKING, "");
  run(`${show} --check`);
  run(publishing);
  await cause.getByRole("article").getByRole("button", { name: "Retry" }).click();
  const dialog = page.getByRole("dialog", { name: "Retry this delivery?" });
  await dialog.getByText("ada@example.com").waitFor();
  await record("The question before the retry");
  await dialog.getByRole("button", { name: "Retry" }).click();
  await page.getByText("Nothing needs you").waitFor();
  await record("After the retry");

  await page.getByRole("link", { name: "Sent mail", exact: true }).click();
  await page.getByRole("heading", { name: "Sent mail", level: 1 }).waitFor();
  await page
    .getByRole("cell", { name: /Receipt/ })
    .first()
    .waitFor();
  await record("The mails");
  await page.getByRole("table").getByRole("link").first().click();
  await page.waitForURL("**/sent/snd_*");
  await page.getByText("What came out").waitFor();
  const mail = await record("The mail");
  expect(mail).toContain("ada@example.com");

  await page.getByRole("main").getByRole("link", { name: "ada@example.com" }).first().click();
  await page.getByText("The newest mail").waitFor();
  await record("The person");
  await picture(page, "person");

  const inbox = (await (await fetch(`${api.url}/inbox.json`)).json()) as { mails: { to: string; subject: string }[] };
  expect(inbox.mails.filter(({ subject }) => /receipt/i.test(subject))).toHaveLength(2);
};
