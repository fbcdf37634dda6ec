import type { Page } from "playwright-core";
import { expect } from "vitest";
import { until } from "../../../system/mailspan.ts";
import { picture, recorder } from "./record.ts";
import type { Tour } from "./tour.ts";

const BEFORE = "Thank you for your payment";
const AFTER = "Your payment has arrived";

const mailFrame = (page: Page, title: string) => page.frameLocator(`iframe[title="${title}"]`);

/** A new user changes and publishes the receipt, and sees it in the next Stripe sample's mail. */
export const receipt = async ({ page, link, api, terminal, run }: Tour): Promise<void> => {
  const record = recorder(page, "receipt");
  await page.goto(link);
  await page.getByRole("region", { name: "The way of webhooks and mail" }).waitFor();
  await record("The overview after the login");

  await page.getByRole("link", { name: "Transactional", exact: true }).click();
  await page.getByRole("link", { name: "Receipt", exact: true }).click();
  await page.getByText("stripe: checkout receipt").waitFor();
  const said = await record("The receipt and what sends it");
  expect(said).toMatch(/stripe: checkout receipt on checkout\.session\.completed/);

  await page.getByRole("button", { name: "Create a draft" }).click();
  const drafting = page.getByRole("dialog", { name: "Create a draft of Receipt?" });
  await drafting.getByText("Mails are sent as before until it is published.").waitFor();
  await record("The question before the draft");
  await drafting.getByRole("button", { name: "Create", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "LMX of the message" });
  const preview = mailFrame(page, "The mail as its recipient sees it");
  await preview.getByRole("heading", { name: BEFORE }).waitFor();
  await record("The draft in the editor");

  await editor.getByText(BEFORE).click({ clickCount: 3 });
  await page.keyboard.insertText(`<H1>${AFTER}</H1>\n`);
  await preview.getByRole("heading", { name: AFTER }).waitFor();
  await page.getByText("Not saved", { exact: true }).waitFor();
  await record("The changed words in the preview");
  await picture(page, "editor", { width: 1440, height: 860 });

  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const publishing = page.getByRole("dialog", { name: "Publish this message?" });
  await publishing.getByText("Later sends of this transactional email have this content.").waitFor();
  await record("The question before it is published");
  await publishing.getByRole("button", { name: "Save and publish" }).click();
  await page.getByText("This message is published and stays as it is.").waitFor();
  await record("The published message");

  const [command = ""] = /npm run demo(?= .*samples)/.exec(terminal) ?? [];
  const [sample = ""] = /npm run demo -- stripe checkout\.session\.completed$/m.exec(run(command)) ?? [];
  expect(run(sample)).toContain("202");

  await page.getByRole("link", { name: "Receipt", exact: true }).click();
  const latest = page.getByRole("region", { name: "Latest mails" });
  await latest
    .getByText("less than a minute")
    .or(latest.getByText(/second/))
    .first()
    .waitFor();
  await record("The receipt after the next sample");
  await latest
    .getByRole("link", { name: /@example\.com/ })
    .first()
    .click();
  await page.waitForURL("**/sent/snd_*");
  await page.getByText("Why it was sent").waitFor();
  await record("What became of the mail");
  await page.getByRole("tab", { name: "As sent", exact: true }).click();
  await mailFrame(page, "The mail as its recipient sees it").getByRole("heading", { name: AFTER }).waitFor();
  const mail = await record("The mail as it was sent");
  const { pathname } = new URL(page.url());
  expect(mail).toContain("Receipt");

  const id = pathname.split("/").at(-1) ?? "";
  const captured = await until("the mail is in the inbox", async () => {
    const answer = await fetch(`${api.url}/inbox/${id}.json`);
    return answer.ok ? ((await answer.json()) as { html: string; text: string }) : undefined;
  });
  for (const part of [captured.html, captured.text]) {
    expect(part.toLowerCase()).toContain(AFTER.toLowerCase());
    expect(part.toLowerCase()).not.toContain(BEFORE.toLowerCase());
  }
};
