import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { signedSample } from "../../../scripts/samples/samples.ts";
import { secrets, until } from "../../system/mailspan.ts";
import { dashboardBench, violationsOf } from "./bench.ts";

const { enter, mailspan } = dashboardBench();

let person = "";
let send = "";
beforeAll(async () => {
  const given = { secret: secrets.STRIPE_WEBHOOK_SECRET, now: Date.now() };
  const { headers, raw } = await signedSample("stripe", "checkout.session.completed", given);
  const { id } = (await (await mailspan().post("stripe", raw, headers)).json()) as { id: string };
  const { deliveries } = await mailspan().settled(id);
  const mail = deliveries.find(({ action }) => action === "transactional");
  send = mail?.result ?? "";
  person = await until("the mail is in the inbox", async () => (await mailspan().inbox()).mails[0]?.to);
  await mailspan().client.updateContact({ email: person, properties: { firstName: "Ada", plan: "pro" } });
});

const confirm = async (page: Page, title: string | RegExp, button: string, word?: string) => {
  const dialog = page.getByRole("dialog", { name: title });
  if (word !== undefined) await dialog.getByLabel(`Type "${word}" to confirm`).fill(word);
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
};

describe("the page of a person", () => {
  it("tells what the webhook did up to the mail, and leads from one to the other", async () => {
    const page = await enter();
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.getByLabel("Search people").fill(person);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Ada", level: 1 }).waitFor();
    await page.getByRole("link", { name: "checkout.session.completed" }).waitFor();
    await page.getByText("The last mail to Ada was sent.").waitFor();
    await page.getByText(/\bfirstName Ada\b/).waitFor();
    await page.getByRole("link", { name: "Show the mail" }).click();
    await page.waitForURL(`**/sent/${send}`);
    await page.getByText("In the local inbox only. It was not sent outside this machine.").first().waitFor();
    await page.getByRole("link", { name: "checkout.session.completed" }).click();
    await page.getByRole("heading", { name: "checkout.session.completed" }).waitFor();
  });

  it("has all identifiers that webhooks told, and is found by a provider's own id", async () => {
    const page = await enter({ path: `/people/${person}` });
    const known = page.getByRole("region", { name: "Known as" });
    const customer = await known.getByText(/^cus_/).first().textContent();
    const properties = page.getByRole("region", { name: "Properties" });
    await properties
      .getByText(/^from Stripe, /)
      .first()
      .waitFor();
    await page.getByRole("region", { name: "Mail in 30 days" }).getByText("Sent", { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.goto(new URL(`/people/${customer}`, page.url()).href);
    await page.getByText(person, { exact: true }).first().waitFor();
    await page.getByText("The last mail to Ada was sent.").waitFor();
    expect(await page.getByText("There is no contact of this person").count()).toBe(0);
    await page.getByRole("tab", { name: "Properties" }).click();
    await page.getByLabel("First name").waitFor();
  });

  it("is found by the id of a mail or a webhook too, and says where there is no contact", async () => {
    const page = await enter({ path: "/people" });
    const row = page.getByRole("row").filter({ hasText: person });
    for (const text of ["Ada", "pro", "Subscribed", "receipt", /^Sent, /]) await row.getByText(text).first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel("Search people").fill(send);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/sent/${send}`);
    await page.goto(`${mailspan().dashboardUrl}/people/nobody@example.com`);
    await page.getByText("There is no contact of this person").first().waitFor();
    await page.getByText("No mail was sent to this person.").waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it("creates, edits, clears, puts on a list, suppresses, removes from suppression and deletes a contact", async () => {
    const page = await enter({ path: "/people/lists" });
    await page.getByRole("button", { name: "New list" }).first().click();
    await page.getByRole("dialog", { name: "New list" }).getByLabel("Name").fill("News");
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "News", exact: true }).waitFor();

    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "People" }).click();
    await page.getByRole("button", { name: "Add a person" }).click();
    const form = page.getByRole("dialog", { name: "Add a person" });
    await form.getByLabel("Address").fill("grace@example.com");
    await form.getByLabel("First name").fill("Grace");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("heading", { name: "Grace", level: 1 }).waitFor();
    const found = async () => (await mailspan().client.findContact({ email: "grace@example.com" }))[0];

    await page.getByRole("tab", { name: "Properties" }).click();
    await page.getByLabel("First Name").fill("");
    await page.getByLabel("Last Name").fill("Hopper");
    await page.getByText("2 changed").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("An empty field clears its property.").waitFor();
    expect(await found()).toMatchObject({ firstName: null, lastName: "Hopper" });

    await page.getByRole("tab", { name: "Lists" }).click();
    await page.getByLabel("News").click();
    await until("the contact is on the list", async () =>
      Object.values((await found())?.mailingLists ?? {})[0] === true ? true : undefined,
    );

    await page.getByRole("button", { name: "Suppress", exact: true }).click();
    await confirm(page, "Suppress grace@example.com?", "Suppress");
    await page.getByRole("button", { name: "Remove from suppression" }).click();
    await page.getByText("Mail to grace@example.com is sent again.").waitFor();
    await confirm(page, "Remove grace@example.com from suppression?", "Remove");
    await page.getByRole("button", { name: "Suppress", exact: true }).waitFor();

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete the contact" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete the contact grace@example.com?" });
    expect(await dialog.getByRole("button", { name: "Delete", exact: true }).isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await confirm(page, "Delete the contact grace@example.com?", "Delete", "delete");
    await page.getByRole("heading", { name: "People" }).waitFor();
    expect(await found()).toBeUndefined();
  });

  it("erases a person in both halves, after it has said what goes", async () => {
    await mailspan().client.createContact({ email: "mary@example.com" });
    const page = await enter({ path: "/people/mary@example.com" });
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Erase the person" }).click();
    await page.getByText(/At the email service: 1 contact\b/).waitFor();
    expect(await mailspan().client.findContact({ email: "mary@example.com" })).toHaveLength(1);
    await confirm(page, "Erase mary@example.com?", "Erase", "erase");
    await page.getByRole("heading", { name: "People" }).waitFor();
    expect(await mailspan().client.findContact({ email: "mary@example.com" })).toEqual([]);
  });
});

describe("many contacts at once", () => {
  const names = ["rita", "rose", "ruby"];
  beforeAll(async () => {
    for (const name of names) await mailspan().client.createContact({ email: `bulk-${name}@example.com` });
  });
  const found = async (name: string) => (await mailspan().client.findContact({ email: `bulk-${name}@example.com` }))[0];

  it("are selected by key, counted before anything happens, and unsubscribed", async () => {
    const page = await enter({ path: "/people?q=bulk-" });
    await page.getByRole("link", { name: "bulk-rose@example.com" }).focus();
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("2 selected").waitFor();
    await page.getByRole("button", { name: "Unsubscribe" }).click();
    const dialog = page.getByRole("dialog", { name: "Unsubscribe: 2 contacts" });
    await dialog.getByText("2 contacts would change.").waitFor();
    expect(await found("rita")).toMatchObject({ subscribed: true });
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Unsubscribe 2 contacts" }).click();
    await dialog.getByText("2 of 2 unsubscribed").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
    const states = await Promise.all(names.map(async (name) => (await found(name))?.subscribed));
    expect(states).toEqual([false, false, true]);
    expect(await page.getByText("2 selected").count()).toBe(0);
  });

  it("are deleted by their search, after a typed word", async () => {
    const page = await enter({ path: "/people?q=bulk-&subscribed=false" });
    await page.getByLabel("Select bulk-rose@example.com").click();
    await page.getByRole("button", { name: "Select all of this search" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete: all of this search" });
    await dialog.getByText("2 contacts would change.").waitFor();
    const run = dialog.getByRole("button", { name: "Delete 2 contacts" });
    expect(await run.isDisabled()).toBe(true);
    await dialog.getByLabel('Type "delete" to confirm').fill("delete");
    await run.click();
    await dialog.getByText("2 of 2 deleted").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText("No person matches these filters").waitFor();
    const left = await Promise.all(names.map(found));
    expect(left.map((contact) => contact?.email)).toEqual([undefined, undefined, "bulk-ruby@example.com"]);
  });

  it("are those of an address that a person has typed", async () => {
    const page = await enter({ path: "/people?q=bulk-&subscribed=true" });
    await page.getByLabel("Select bulk-ruby@example.com").click();
    await page.getByRole("button", { name: "Subscribed: yes" }).waitFor();
    await page.getByRole("button", { name: "Select all of this search" }).click();
    await page.getByRole("button", { name: "Unsubscribe", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Unsubscribe: all of this search" });
    await dialog.getByText("1 contact would change.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });
});

describe("a mail", () => {
  it.each(["light", "dark"] as const)("is shown as it was sent, with its cause and the answers, %s", async (scheme) => {
    const page = await enter({ path: `/sent/${send}`, scheme });
    await page.getByText("A request of the API sent it.").waitFor();
    await page.getByText("Idempotency key").waitFor();
    await page.getByRole("tab", { name: "As sent" }).click();
    await page.getByText(/The values of this mail were erased/).waitFor();
    const frame = page.frameLocator('iframe[title="The mail as its recipient sees it"]');
    await frame.getByRole("article").first().waitFor();
    await page.getByText("Phone, 375 px").click();
    await page.getByText("Dark", { exact: true }).click();
    await frame.getByRole("article").first().waitFor();
    expect(await page.locator("iframe").getAttribute("width")).toBe("375");
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("tab", { name: "Text" }).click();
    await page.getByRole("tab", { name: "Headers" }).click();
    await page.getByRole("rowheader", { name: "Message-ID" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("tab", { name: "Attempts" }).click();
    await page.getByRole("cell", { name: "accepted" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("link", { name: "All of its mails" }).click();
    await page.waitForURL("**/sent?template=*");
    await page.getByRole("link", { name: person }).first().waitFor();
  });

  it("that is not there says so", async () => {
    const page = await enter({ path: "/sent/snd_none" });
    await page.getByText(/There is no send with the id "snd_none"/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});

describe("suppressions", () => {
  it("are downloaded as a file, with the filters of the page", async () => {
    const page = await enter({ path: "/people/suppressed" });
    await page.getByRole("button", { name: "Suppress an address" }).click();
    await page.getByRole("textbox", { name: "Address", exact: true }).fill("no-mail@example.com");
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Suppress", exact: true }).click();
    await page.getByRole("link", { name: "no-mail@example.com" }).waitFor();
    await page.goto(`${mailspan().dashboardUrl}/people/suppressed?reason=manual`);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export as CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("demo-suppressions.csv");
    const text = readFileSync(await download.path(), "utf8");
    expect(text).toMatch(/^email,reason,since\r\nno-mail@example\.com,manual,/);
  });
});

describe("API keys", () => {
  const statusOf = async (key: string) => {
    const headers = { Authorization: `Bearer ${key}` };
    return (await fetch(`${mailspan().emailUrl}/v1/api-key`, { headers })).status;
  };

  it("are shown once, work, and are refused as soon as they are revoked", async () => {
    const page = await enter({ path: "/settings/keys" });
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog", { name: "New API key" });
    await dialog.getByLabel("Name").fill("production");
    await dialog.getByRole("button", { name: "Create" }).click();
    const key = await dialog.getByText(/^ms_demo_/).innerText();
    expect(await statusOf(key)).toBe(200);
    await dialog.getByRole("button", { name: "I have it" }).click();
    await dialog.waitFor({ state: "detached" });
    const row = page.getByRole("row", { name: /production/ });
    expect(await page.getByText(key).count()).toBe(0);
    await row.getByRole("button", { name: "Revoke" }).click();
    await confirm(page, "Revoke the API key production?", "Revoke", "revoke");
    await row.getByText("Revoked", { exact: true }).waitFor();
    expect(await statusOf(key)).toBe(401);
  });
});
