import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { until } from "../../system/mailspan.ts";
import { dashboardBench, toFit, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";
import { useScheme } from "./faults.ts";

const { enter, mailspan } = dashboardBench();

const v1 = () => `${mailspan().emailUrl}/admin/teams/demo/v1`;
const editor = (page: Page) => page.getByRole("textbox", { name: "LMX of the message" });
const mailFrame = (page: Page) => page.frameLocator('iframe[title="The mail as its recipient sees it"]');
const stored = (id: string) =>
  asOperator<{ lmx: string; subject: string; contentRevisionId: string }>(`${v1()}/email-messages/${id}`);

let message = "";
let transactionalId = "";
beforeAll(async () => {
  type Made = { id: string; draftEmailMessageId: string };
  const made = await asOperator<Made>(`${v1()}/transactional-emails`, "POST", { name: "Order shipped" });
  [transactionalId, message] = [made.id, made.draftEmailMessageId];
});

const open = async (id = message): Promise<Page> => {
  const page = await enter({ path: `/messages/${id}` });
  await editor(page).waitFor();
  return page;
};
const type = (page: Page, text: string) => page.keyboard.type(text, { delay: 5 });
/** Enter before the list is there would be a new line, so this waits. */
const accept = (page: Page, name: string | RegExp) => page.getByRole("option", { name }).click();
const hasFocus = (page: Page, label: string) =>
  page.evaluate<boolean>(`document.activeElement.ariaLabel === ${JSON.stringify(label)}`);
const replaceAll = async (page: Page, text: string) => {
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
};

describe("the editor of a message", () => {
  it("completes, marks errors, goes to them with F8, and lets the keyboard out", async () => {
    const page = await open();
    const owner = page.getByRole("link", { name: "Order shipped" });
    expect(await owner.getAttribute("href")).toMatch(new RegExp(`^/transactional/${transactionalId}\\b`));
    await editor(page).click();
    await type(page, "<Parag");
    await accept(page, "Paragraph");
    await type(page, " al");
    await accept(page, /^align/);
    await accept(page, "center");
    await type(page, ">Hello {data.name}, your {");
    await page.getByRole("option", { name: "data.name" }).waitFor();
    await page.keyboard.press("Escape");
    await type(page, "contact.city");
    await page.keyboard.press("ControlOrMeta+End");
    await page.getByText(/1 error, \d+ warnings?\. F8 goes to the next\./).waitFor();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.press("F8");
    await page
      .getByText(/^Line 1, column \d+: \{contact\.city\} is not available in transactional mail/)
      .first()
      .waitFor();
    await page.getByText("The mail is shown when the errors are fixed.").waitFor();
    const fix = page.getByRole("button", { name: "Write {data.city}" });
    await fix.waitFor();
    const unnamed = page.getByRole("region", { name: "Guardian" }).getByText(/subject/i);
    await unnamed.first().waitFor();
    await page.getByLabel("Subject", { exact: true }).fill("On its way");
    await unnamed.first().waitFor({ state: "detached" });
    await fix.click();
    await page
      .getByRole("region", { name: "Guardian" })
      .getByText("Unsupported contact properties")
      .waitFor({ state: "detached" });
    await mailFrame(page).getByText("{data.city}").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await editor(page).getByText("center").dblclick();
    await page.keyboard.insertText("right");
    await editor(page).getByText('"right"').waitFor();
    await page.keyboard.press("ControlOrMeta+z");
    await editor(page).getByText('"center"').waitFor();
    await editor(page).click();
    await page.keyboard.press("Tab");
    expect(await hasFocus(page, "LMX of the message")).toBe(true);
    await page.keyboard.press("ControlOrMeta+z");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await hasFocus(page, "LMX of the message")).toBe(false);
  });

  it("takes a closing tag that is typed for the one that it has added", async () => {
    const page = await open();
    await replaceAll(page, " ");
    await page.keyboard.press("Backspace");
    await type(page, "<Paragraph>Hello <Strong>you</Strong>.</Paragraph>");
    expect(await editor(page).textContent()).toBe("<Paragraph>Hello <Strong>you</Strong>.</Paragraph>");
  });

  it("shows the mail of the text as it is now, says what is missing, and refuses to publish until it is whole", async () => {
    const page = await open();
    await replaceAll(
      page,
      '<H1>Order {data.number}</H1>\n<Paragraph>Hello {data.name}, <Link href="https://shop.example.com/{data.number}">it is on its way</Link>.</Paragraph>\n',
    );
    await page.getByLabel("Subject", { exact: true }).fill("Order {data.number}");
    await mailFrame(page).getByRole("heading", { name: "Order {data.number}" }).waitFor();
    await page.getByText("Not saved", { exact: true }).waitFor();
    await page.getByText("Mobile", { exact: true }).click();
    await page.getByRole("switch", { name: "Dark" }).click();
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await editor(page).getByText("is on its way").waitFor();
    const frame = page.locator('iframe[title="The mail as its recipient sees it"]');
    expect(await frame.getAttribute("width")).toBe("375");
    await until("the mail is dark", async () => {
      const mail = page.frames().find((one) => one.url().includes("/preview"));
      const color = (await mail?.evaluate<string>("getComputedStyle(document.body).backgroundColor")) ?? "";
      const [red = 255] = (color.match(/\d+/g) ?? []).map(Number);
      return red < 100 ? true : undefined;
    });
    for (const scheme of ["light", "dark"] as const) {
      await useScheme(page, scheme);
      expect(await violationsOf(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 375, height: 800 });
    await toFit(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await useScheme(page, "light");

    await page.getByLabel("Value of data.name").fill("Ada <&>");
    await mailFrame(page).getByText("Hello Ada <&>,").waitFor();
    const row = page.getByRole("row").filter({ hasText: "data.number" });
    await row.getByText("missing").waitFor();
    await page.keyboard.press("ControlOrMeta+s");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect((await stored(message)).subject).toBe("Order {data.number}");

    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Publish this message?" });
    await dialog.getByText("Later sends of this transactional email have this content.").waitFor();
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await dialog
      .getByRole("alert")
      .getByText(/fromName/)
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Guardian" }).getByRole("button", { name: "Sender's name" }).first().click();
    expect(await page.evaluate("document.activeElement.id")).toBe("field-fromName");
    await page.getByLabel("Sender's name").fill("Acme");
    const address = page.getByLabel("Sender's address");
    await address.fill("orders@acme.test");
    await page.getByText(/^Must be only the part before the @/).waitFor();
    expect(await address.getAttribute("aria-invalid")).toBe("true");
    await address.fill("orders");
    await page.getByText(/^Must be only the part before the @/).waitFor({ state: "detached" });
    await page.getByLabel("Value of data.number").fill("4711");
    await mailFrame(page).getByRole("heading", { name: "Order 4711" }).waitFor();
    await page.getByText("Desktop", { exact: true }).click();

    await page.keyboard.press("ControlOrMeta+Enter");
    const test = page.getByRole("dialog", { name: "Send a preview" });
    await test.getByText("Your changes are saved first").waitFor();
    await test.getByLabel("To").fill("grace@example.com");
    await test.getByRole("button", { name: "Save and send" }).click();
    await page.getByText("The preview is on its way to grace@example.com.").waitFor();
    const sent = await until("the preview is in the inbox", async () =>
      (await mailspan().inbox()).mails.find(({ to }) => to === "grace@example.com"),
    );
    await page.getByText("Source", { exact: true }).click();
    const html = page.getByRole("region", { name: "HTML of the mail" });
    const captured = await mailspan().mail(sent.id);
    expect(captured.html).toBe(await html.textContent());
    expect(captured.subject).toBe("Order 4711");
    await page.getByText("Text", { exact: true }).click();
    expect(captured.text).toBe(await page.getByRole("region", { name: "Text of the mail" }).textContent());

    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Order shipped is published.").waitFor();
    await page.getByText("This message is published and stays as it is.").waitFor();
    await page.getByRole("button", { name: "Edit a draft" }).click();
    await until("the draft is open", async () => (page.url().includes(message) ? undefined : true));
    expect(new URL(page.url()).pathname).toMatch(/^\/messages\/msg_/);
  });

  it("keeps both texts when somebody else saves, restores a revision, and asks before it is left", async () => {
    const { draftEmailMessageId: id } = await asOperator<{ draftEmailMessageId: string }>(
      `${v1()}/transactional-emails/${transactionalId}/draft`,
      "POST",
      {},
    );
    const page = await open(id);
    await page.getByLabel("Subject", { exact: true }).fill("Mine");
    await asOperator(`${v1()}/email-messages/${id}`, "POST", { subject: "Theirs" });
    await page.keyboard.press("ControlOrMeta+s");
    const conflict = page.getByRole("alert").filter({ hasText: "Somebody else has saved this message" });
    await conflict.getByRole("region", { name: "Mine: Subject" }).getByText("Mine").waitFor();
    await conflict.getByRole("region", { name: "Theirs: Subject" }).getByText("Theirs").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect((await stored(id)).subject).toBe("Theirs");
    await conflict.getByRole("button", { name: "Take theirs" }).click();
    expect(await page.getByLabel("Subject", { exact: true }).inputValue()).toBe("Theirs");
    await page.getByRole("button", { name: "Bring them back" }).click();
    expect(await page.getByLabel("Subject", { exact: true }).inputValue()).toBe("Mine");

    await page.getByRole("link", { name: "Campaigns", exact: true }).click();
    const leave = page.getByRole("dialog", { name: "Leave with changes that are not saved?" });
    expect(await violationsOf(page)).toEqual([]);
    await leave.getByRole("button", { name: "Stay" }).click();
    await leave.waitFor({ state: "detached" });
    await page.keyboard.press("ControlOrMeta+s");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect((await stored(id)).subject).toBe("Mine");

    await page.getByRole("button", { name: "Revisions", exact: true }).click();
    const revisions = page.getByRole("dialog", { name: "Revisions" });
    await revisions.getByText("Theirs").waitFor();
    await revisions.getByRole("button", { name: "Compare" }).first().click();
    await revisions.getByRole("region", { name: "Then: Subject" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await revisions.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByRole("dialog", { name: "Restore this revision?" }).getByRole("button", { name: "Restore" }).click();
    await page.getByText("The revision is restored.").waitFor();
    expect((await stored(id)).subject).toBe("Theirs");
    await revisions.waitFor({ state: "detached" });
    await until("the page has it", async () =>
      (await page.getByLabel("Subject", { exact: true }).inputValue()) === "Theirs" ? true : undefined,
    );
  });

  it("shows a campaign's mail as a person gets it", async () => {
    await asOperator(`${v1()}/contacts/create`, "POST", { email: "ada@editor.example", firstName: "Ada" });
    const made = await asOperator<{ emailMessageId: string }>(`${v1()}/campaigns`, "POST", { name: "Spring" });
    await asOperator(`${v1()}/email-messages/${made.emailMessageId}`, "POST", {
      lmx: "<Paragraph>Dear {contact.firstName}</Paragraph>",
    });
    const page = await open(made.emailMessageId);
    await mailFrame(page).getByText("Dear {contact.firstName}").waitFor();
    await page.getByLabel("As this person").fill("nobody@editor.example");
    await page.keyboard.press("Enter");
    await page.getByText("There is no contact with the address or user id nobody@editor.example.").waitFor();
    await page.getByLabel("As this person").fill("ada@editor.example");
    await page.keyboard.press("Enter");
    await mailFrame(page).getByText("Dear Ada").waitFor();
    await page.getByLabel("Fallback of contact.firstName").fill("friend");
    await page.getByText("Not saved", { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});
