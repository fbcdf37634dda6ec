import { expect } from "vitest";
import { picture, recorder } from "./record.ts";
import type { Tour } from "./tour.ts";

const FILE = [
  "E-mail,First name,Plan,Subscribed",
  ...[...Array(20).keys()].map((n) => `reader${n + 1}@tour.example,Reader ${n + 1},${n < 12 ? "pro" : "free"},yes`),
  "left@tour.example,Lee,pro,no",
  "not an address,Bob,pro,yes",
].join("\n");

/** A new user goes from a CSV file to a campaign and its results, led only by the terminal and the pages. */
export const campaign = async ({ page, link, api }: Tour): Promise<void> => {
  const record = recorder(page, "campaign");
  await page.goto(link);
  await page.getByRole("region", { name: "The way of webhooks and mail" }).waitFor();
  await record("The overview after the login");

  await page.getByRole("link", { name: "People", exact: true }).first().click();
  await page.getByRole("link", { name: "Imports", exact: true }).click();
  await page.getByRole("heading", { name: "Imports", level: 1 }).waitFor();
  await record("The imports before the first one");
  await page.getByRole("link", { name: "New import" }).click();
  const file = { name: "readers.csv", mimeType: "text/csv", buffer: Buffer.from(FILE) };
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByText("22 rows, 4 columns").waitFor();
  await page
    .getByText(/ 1 refused/)
    .first()
    .waitFor();
  const guessed = await record("What the page guesses of the file");
  expect(guessed).toContain("1 refused");
  await page.getByRole("combobox", { name: "Plan becomes" }).click();
  await page.getByRole("option", { name: "New property …" }).click();
  await page.getByText(/Of the 22 rows|Of the first 22 rows/).waitFor();
  await record("The mapping and the preview");
  await page.getByRole("button", { name: "Import 22 rows" }).click();
  const importing = page.getByRole("dialog");
  await importing.getByRole("button", { name: "Import", exact: true }).waitFor();
  await record("The question before the import");
  await importing.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("link", { name: "Send a campaign to them" }).waitFor();
  const imported = await record("What became of the rows");
  expect(imported).toMatch(/Created\s+21/);

  await page.getByRole("link", { name: "Send a campaign to them" }).click();
  await page.getByRole("heading", { name: "Campaigns", level: 1 }).waitFor();
  await record("The campaigns");
  await page.getByRole("button", { name: "New campaign" }).click();
  const made = page.getByRole("dialog", { name: "New campaign" });
  await made.getByLabel("Name").fill("First newsletter");
  await made.getByRole("button", { name: "Create" }).click();
  await page.getByText("The mail has no subject. Give it one.").waitFor();
  const lacking = await record("The new draft and what it lacks");
  expect(lacking).toContain("The mail has no subject. Give it one.");

  await page.getByRole("link", { name: "Write the mail" }).click();
  await page.getByLabel("Subject", { exact: true }).fill("What is new");
  await page.getByLabel("Sender's name").fill("Acme");
  await page.getByLabel("Sender's address").fill("news");
  const editor = page.getByRole("textbox", { name: "LMX of the message" });
  await editor.click();
  await page.keyboard.type("<H1", { delay: 20 });
  await page.getByRole("option", { name: "H1" }).click();
  await page.keyboard.type(">What is new in the pro plan", { delay: 5 });
  await page.getByText("It finds nothing.").waitFor();
  const mail = page.frameLocator('iframe[title="The mail as its recipient sees it"]');
  await mail.getByRole("heading", { name: "What is new in the pro plan" }).waitFor();
  await record("The mail and its preview");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The message is saved.").waitFor();
  await page.getByRole("link", { name: "First newsletter" }).click();

  await page.getByText("Ready to send.").waitFor();
  await page.getByRole("button", { name: "Add conditions of its own" }).click();
  await page.getByRole("combobox", { name: "Condition 1: about" }).click();
  await page.getByRole("option", { name: /^Plan/i }).click();
  await page.getByLabel("Condition 1: value").fill("pro");
  await page.getByText("12 contacts would get it").waitFor();
  const counted = await record("The audience and who is excluded");
  expect(counted).toContain("1 not: unsubscribed from everything");
  await picture(page, "campaign", { from: page.getByRole("heading", { name: "Who gets it" }) });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The campaign is saved.").waitFor();

  await page.getByRole("button", { name: "Send", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Send First newsletter?" });
  await question.getByLabel('Type "12" to confirm').fill("12");
  await record("The question before sending");
  await question.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("timer").waitFor();
  await record("Sending that can be undone");
  await page.getByRole("region", { name: "Results" }).getByText("12 sent").waitFor({ timeout: 90_000 });
  await page
    .getByRole("table", { name: "recipients" })
    .getByRole("link", { name: "reader1@tour.example", exact: true })
    .waitFor();
  const over = await record("The results");
  expect(over).toMatch(/Unsubscribed from everything\s+1/);

  await page.getByRole("link", { name: "Unsubscribed from everything" }).click();
  await page.getByRole("link", { name: "left@tour.example", exact: true }).waitFor();
  await record("Who did not get it and why");

  const inbox = (await (await fetch(`${api.url}/inbox.json`)).json()) as { mails: { to: string; subject: string }[] };
  expect(inbox.mails.filter(({ subject }) => subject === "What is new")).toHaveLength(12);
};
