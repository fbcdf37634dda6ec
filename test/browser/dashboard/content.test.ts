import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { pictureOf } from "../../pictures.ts";
import { until } from "../../system/mailspan.ts";
import { dashboardBench, toFit, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";

const { enter, mailspan } = dashboardBench();

const v1 = () => `${mailspan().emailUrl}/admin/teams/demo/v1`;
const preview = (page: Page, title: string) => page.frameLocator(`iframe[title="${title}"]`);
const idIn = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? "";

const addMessage = async (name: string, lmx: string): Promise<string> => {
  type Email = { draftEmailMessageId: string };
  const { draftEmailMessageId } = await asOperator<Email>(`${v1()}/transactional-emails`, "POST", { name });
  await asOperator(`${v1()}/email-messages/${draftEmailMessageId}`, "POST", { lmx });
  return draftEmailMessageId;
};

beforeAll(async () => {
  const event = { email: "ada@content.example", eventName: "paid", eventProperties: { amount: 12, plan: "pro" } };
  await asOperator(`${v1()}/events/send`, "POST", event);
});

describe("a theme", () => {
  it("is created, shown in a sample while it is edited, and saved after the messages that it reaches were named", async () => {
    const page = await enter({ path: "/templates/brand" });
    await page.getByRole("button", { name: "New theme" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Brand");
    await page.keyboard.press("Enter");
    await page.getByText("Brand is created, with the default look.").waitFor();
    const id = idIn(page);
    await addMessage("Welcome back", `<Style themeId="${id}" />\n<Paragraph>Hello</Paragraph>`);

    const sample = preview(page, "A sample mail with this theme");
    await page.getByRole("textbox", { name: "Heading 1 color", exact: true }).fill("#123456");
    await until("the sample has the color", async () =>
      (await sample.locator("body").innerHTML()).includes("#123456") ? true : undefined,
    );
    await page.getByRole("textbox", { name: "Body padding at the sides", exact: true }).fill("900");
    await page.getByText(/^bodyXPadding is 900: give/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Body padding at the sides", exact: true }).fill("24");
    await page.reload();
    await page.getByText("2 changed").waitFor();

    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("dialog", { name: "Save Brand?" });
    await dialog.getByText("1 message uses it, all of them drafts.").waitFor();
    await dialog.getByRole("link", { name: "Welcome back" }).waitFor();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Brand is saved. 1 message gets it within minutes.").waitFor();
    await page.getByText("Nothing is changed.").waitFor();
    const { styles } = await asOperator<{ styles: Record<string, unknown> }>(`${v1()}/themes/${id}`);
    expect([styles.heading1Color, styles.bodyXPadding]).toEqual(["#123456", 24]);
  });

  it("is not deleted while a message uses it, nor that of messages that name none; one that nothing uses is", async () => {
    const { id } = await asOperator<{ id: string }>(`${v1()}/themes`, "POST", { name: "Winter" });
    const message = await addMessage("In winter", `<Style themeId="${id}" />\n<Paragraph>Hello</Paragraph>`);
    const page = await enter({ path: `/templates/brand/${id}` });
    const dialog = page.getByRole("dialog", { name: "Delete the theme Winter?" });
    const remove = dialog.getByRole("button", { name: "Delete", exact: true });
    const ask = () => page.getByRole("button", { name: "Delete", exact: true }).click();
    await ask();
    await dialog.getByText("Used by 1 message. Take it out of their content first.").waitFor();
    await dialog.getByRole("link", { name: "In winter" }).waitFor();
    expect(await remove.isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await toFit(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await asOperator(`${v1()}/email-messages/${message}`, "POST", { lmx: "<Paragraph>Hello</Paragraph>" });
    await ask();
    await dialog.getByText("Nothing uses it.").waitFor();
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel('Type "delete" to confirm').fill("delete");
    expect(await violationsOf(page)).toEqual([]);
    await remove.click();
    await page.getByText("Winter is deleted.").waitFor();
    await page.getByRole("heading", { name: "Brand", level: 1 }).waitFor();

    const { data } = await asOperator<{ data: { id: string; name: string; isDefault: boolean }[] }>(`${v1()}/themes`);
    expect(data.some((theme) => theme.id === id)).toBe(false);
    const byDefault = data.find(({ isDefault }) => isDefault);
    await page.goto(`${mailspan().dashboardUrl}/templates/brand/${byDefault?.id}`);
    await ask();
    await page.getByRole("dialog").getByText("Messages that name no theme use it, so it stays.").waitFor();
    expect(await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).isDisabled()).toBe(true);
  });
});

describe("a component", () => {
  it("is created, edited beside its preview, refused where a message would break, and saved", async () => {
    const page = await enter({ path: "/templates/components" });
    await page.getByRole("button", { name: "New component" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("Footer");
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await page.getByText("Footer is created.").waitFor();
    const id = idIn(page);
    await addMessage("With a footer", `<Paragraph>Hello</Paragraph>\n<Component componentId="${id}" />`);
    const shown = preview(page, "The component in a mail");
    await shown.getByText("Acme, 1 Main Street").waitFor();

    const editor = page.getByRole("textbox", { name: "LMX of the component Footer" });
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText("<Paragraph>Acme, 2 Side Street</Paragraph>");
    await shown.getByText("Acme, 2 Side Street").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Save Footer?" });
    await dialog.getByText("1 message uses it").waitFor();
    await dialog.getByRole("link", { name: "With a footer" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Footer is saved. 1 message gets it within minutes.").waitFor();

    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText("<Paragraph>Hello {event.name}</Paragraph>");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByText(/could not be sent with this content/).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Not saved yet.").waitFor();

    await page.getByRole("link", { name: "With a footer" }).click();
    await page.getByRole("link", { name: "Edit the draft" }).click();
    await page.getByRole("textbox", { name: "LMX of the message" }).waitFor();
  });
});

describe("an upload", () => {
  it("is refused before it is sent, taken, shown, found in a message and deleted", async () => {
    const page = await enter({ path: "/templates/pictures" });
    await page.getByText("No picture yet").waitFor();
    const input = page.locator('input[type="file"]');
    await input.setInputFiles([
      { name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("x") },
      { name: "huge.png", mimeType: "image/png", buffer: Buffer.alloc(4_000_001) },
    ]);
    await page.getByText("notes.pdf is application/pdf. Mail programs show").waitFor();
    await page.getByText("huge.png has 4,000,001 bytes").waitFor();
    await input.setInputFiles([{ name: "broken.png", mimeType: "image/png", buffer: Buffer.from("no picture") }]);
    await page.getByText("broken.png: The file is not a complete PNG picture.").waitFor();
    expect(await violationsOf(page)).toEqual([]);

    const png = Buffer.from(pictureOf("image/png"));
    await input.setInputFiles([{ name: "logo.png", mimeType: "image/png", buffer: png }]);
    await page.getByText("1 of 1 uploaded").waitFor();
    const picture = page.getByRole("table", { name: "uploads" }).locator("img");
    await until("the picture is shown", async () =>
      (await picture.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth)) > 0
        ? true
        : undefined,
    );
    const address = (await page.getByRole("table", { name: "uploads" }).locator(".mono").first().textContent()) ?? "";
    expect(address).toMatch(/\/assets\/pic_\w+\.png$/);
    await addMessage("With a logo", `<Image src="${address}" alt="Logo" />`);

    await page.getByRole("button", { name: /^Delete upl_/ }).click();
    const dialog = page.getByRole("dialog", { name: "Delete this picture?" });
    await dialog.getByText("Used by 1 message.").waitFor();
    await dialog.getByRole("link", { name: "With a logo" }).waitFor();
    await dialog.getByLabel('Type "delete" to confirm').fill("delete");
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("The picture is deleted.").waitFor();
    await page.getByText("No picture yet").waitFor();
  });
});

describe("an event", () => {
  it("has its properties, what sends it, the newest ones, and is sent as a test", async () => {
    const page = await enter({ path: "/workflows/events" });
    await page.getByRole("link", { name: "paid", exact: true }).click();
    await page.getByRole("region", { name: "Properties" }).getByText("amount", { exact: true }).waitFor();
    await page.getByText('{"amount":12,"plan":"pro"}').waitFor();
    await page.getByText("It starts no workflow.").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "Send a test event: paid" });
    await dialog.getByText("No workflow runs that it starts.").waitFor();
    await dialog.getByLabel("Address of the contact").fill("bob@content.example");
    await dialog.getByLabel("amount").fill("7.5");
    await page.keyboard.press("Enter");
    await page.getByText("The event is sent for bob@content.example.").waitFor();
    await page.getByText('{"amount":7.5}').waitFor();
    await page.getByRole("link", { name: "bob@content.example" }).waitFor();
  });
});
