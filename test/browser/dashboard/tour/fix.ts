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
  const needsYou = page.getByRole("link", { name: "Show how to fix" });
  await needsYou.waitFor();
  await record("The overview after the login");

  await needsYou.click();
  const cause = page.getByRole("article", { name: /^1 delivery/ });
  await cause.waitFor();
  const said = await record("The deliveries that need a person");
  expect(said).toContain("orderNumber");
  expect(said).toContain("Rule checkout receipt of stripe");

  await cause.getByRole("heading", { name: "How to fix it" }).waitFor();
  await picture(page, "deliveries");
  const commands = await cause.locator("code").allInnerTexts();
  expect(commands).toHaveLength(3);
  const told = await record("How the template is fixed");
  expect(told).toContain("Correct that file in an editor");
  const [get = "", show = "", publishing = ""] = commands;
  run(get);
  await clone.replace(`${RECEIPT}.lmx`, LACKING, "");
  run(`${show} --check`);
  run(publishing);
  await cause.getByRole("button", { name: "Retry 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Retry 1 delivery?" });
  await dialog.getByText("Mailspan tries 1 delivery once more.").waitFor();
  await record("The question before the retry");
  await dialog.getByRole("button", { name: "Retry 1 delivery" }).click();
  await dialog.getByText("1 of 1 sent").waitFor();
  await record("What came of the retry");
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByText("No failed deliveries").waitFor();
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
  await page.getByText("Why it was sent").waitFor();
  const mail = await record("The mail");
  expect(mail).toContain("ada@example.com");

  await page.getByRole("main").getByRole("link", { name: "ada@example.com" }).first().click();
  await page.getByText(/the last mail|last mail to/).waitFor();
  await record("The person");
  await picture(page, "person");

  const inbox = (await (await fetch(`${api.url}/inbox.json`)).json()) as { mails: { to: string; subject: string }[] };
  expect(inbox.mails.filter(({ subject }) => /receipt/i.test(subject))).toHaveLength(2);
};
