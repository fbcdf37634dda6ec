import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { until } from "../../system/mailspan.ts";
import { dashboardBench, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";
import { settled } from "./watch.ts";

const { enter, mailspan } = dashboardBench();

const v1 = () => `${mailspan().emailUrl}/admin/teams/demo/v1`;
const idIn = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? "";

const write = async (id: string, fields: object): Promise<void> => {
  type Email = { draftEmailMessageId: string };
  const { draftEmailMessageId } = await asOperator<Email>(`${v1()}/transactional-emails/${id}`);
  await asOperator(`${v1()}/email-messages/${draftEmailMessageId}`, "POST", fields);
};

const publish = async (page: Page) => {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  return page.getByRole("dialog", { name: "Publish the draft of Order shipped?" });
};
const badges = (page: Page) => page.locator("main .status").allTextContents();
const statistics = (page: Page) => page.getByRole("region", { name: "Statistics" });

describe("a transactional email", () => {
  it("is created, refused with its reasons, published, sent by the API, and shows its numbers and its mail", async () => {
    const page = await enter();
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await page.getByRole("heading", { name: "Transactional", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Welcome", exact: true }).waitFor();
    await page.keyboard.press("n");
    await page.getByRole("dialog").getByLabel("Name").fill("Order shipped");
    await page.keyboard.press("Enter");
    await page.getByText("Order shipped is created, with an empty draft.").waitFor();
    await page.getByText("Nothing is published yet").waitFor();
    expect(await badges(page)).toEqual(["Draft"]);
    const id = idIn(page);

    const refused = await publish(page);
    await refused.getByText("It cannot be published yet.").waitFor();
    expect(await refused.getByRole("listitem").count()).toBeGreaterThan(0);
    expect(await refused.getByRole("button", { name: "Publish", exact: true }).isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");

    const lmx = "<Paragraph>Your order {data.order} is on its way.</Paragraph>";
    await write(id, { subject: "It is on its way", fromName: "Acme", fromEmail: "orders", lmx });
    const allowed = await publish(page);
    await allowed.getByText("It can be sent from then on.").waitFor();
    await allowed.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Order shipped is published. Each send has to give order from now on.").waitFor();
    await page.getByText("{data.order}").first().waitFor();
    await page.getByText("No mail of it was sent yet.").waitFor();

    const email = "ada@orders.example";
    await mailspan().client.sendTransactionalEmail({ transactionalId: id, email, dataVariables: { order: "A-17" } });
    await until("the mail is counted", async () => {
      await page.reload();
      const sent = page.getByRole("region", { name: "Latest mails" }).getByRole("link", { name: email });
      await statistics(page).getByText("Sent", { exact: true }).waitFor();
      await settled(page);
      const [, sum] = (await statistics(page).innerText()).split(/\n+/);
      return (await sent.count()) > 0 && sum === "1" ? true : undefined;
    });
    await page.getByRole("link", { name: email }).click();
    await page.getByRole("heading", { level: 1, name: "It is on its way" }).waitFor();
  });

  it("shows what publishing a draft would change, line by line", async () => {
    const page = await enter({ path: "/transactional?status=published" });
    await page.getByRole("link", { name: "Welcome", exact: true }).click();
    await page.getByText("There is no draft.").waitFor();
    await page.getByText("clerk: welcome").waitFor();
    const id = idIn(page);
    await asOperator(`${v1()}/transactional-emails/${id}/draft`, "POST");
    await page.reload();
    await page.getByText("The draft is the same as what is published.").waitFor();
    type Email = { draftEmailMessageId: string };
    const { draftEmailMessageId: draft } = await asOperator<Email>(`${v1()}/transactional-emails/${id}`);
    const { lmx } = await asOperator<{ lmx: string }>(`${v1()}/email-messages/${draft}`);
    await write(id, { subject: "Hello", lmx: `${lmx}\n<Paragraph>See you.</Paragraph>` });
    await page.reload();
    await page.getByText("+ <Paragraph>See you.</Paragraph>").waitFor();
    await page.getByRole("table", { name: "fields that differ" }).getByText("Hello", { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it("gets another name and a group", async () => {
    await asOperator(`${v1()}/transactional-groups`, "POST", { name: "Billing" });
    const page = await enter({ path: "/transactional/tpl_receipt" });
    await page.getByRole("button", { name: "Name and group" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Paid");
    await dialog.getByRole("combobox", { name: "Group" }).click();
    await page.getByRole("option", { name: "Billing" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Paid is saved.").waitFor();
    await page.goto(`${mailspan().dashboardUrl}/transactional`);
    await page.getByRole("row").filter({ hasText: "Paid" }).getByText("Billing").waitFor();
  });
});
