import { execFileSync } from "node:child_process";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { secrets, until } from "../../system/mailspan.ts";
import { dashboardBench, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";
import { settled } from "./watch.ts";

const { enter, mailspan } = dashboardBench();

beforeAll(async () => {
  const { client } = mailspan();
  await client.createContactProperty("oldPlan", "string");
  await client.updateContact({ email: "ada@lists.example", properties: { oldPlan: "gold" } });
});

describe("the page of lists", () => {
  it("shows how many contacts are on each list, counts again, and leads to them", async () => {
    const page = await enter({ path: "/people/lists" });
    await page.getByRole("button", { name: "New list" }).first().click();
    await page.getByRole("dialog", { name: "New list" }).getByLabel("Name").fill("Counted");
    await page.getByRole("button", { name: "Save" }).click();
    const row = page.getByRole("row", { name: /Counted/ });
    await row.getByRole("cell", { name: "0", exact: true }).waitFor();
    const { client } = mailspan();
    const list = (await client.listMailingLists()).find(({ name }) => name === "Counted")?.id ?? "";
    await client.updateContact({ email: "ada@lists.example", mailingLists: { [list]: true } });
    await page.getByRole("button", { name: "Count again" }).click();
    const edit = async (description: string) => {
      await row.getByRole("button", { name: "Edit Counted" }).click();
      await page.getByRole("dialog").getByLabel("Description").fill(description);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await edit("Once a week");
    await row.getByText("Once a week").waitFor();
    await edit("");
    await row.getByText("Once a week").waitFor({ state: "detached" });
    await row.getByRole("cell", { name: "1", exact: true }).waitFor();
    await row.getByRole("link", { name: "Counted" }).click();
    await page.getByRole("heading", { name: "People" }).waitFor();
    await page.getByRole("link", { name: "ada@lists.example" }).first().waitFor();
  });
});

describe("the page of properties", () => {
  it("describes a property, says what uses it, and deletes it with its values", async () => {
    const { client } = mailspan();
    const page = await enter({ path: "/people/properties" });
    const row = page.getByRole("row", { name: /oldPlan/ });
    await row.getByText("gold").waitFor();
    await row.getByRole("button", { name: "Describe oldPlan" }).click();
    const form = page.getByRole("dialog", { name: "oldPlan" });
    await form.getByLabel("Description").fill("The plan before 2026");
    expect(await violationsOf(page)).toEqual([]);
    await form.getByRole("button", { name: "Save" }).click();
    await row.getByText("The plan before 2026").waitFor();
    await row.getByRole("button", { name: "Delete oldPlan" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete the property oldPlan?" });
    await dialog.getByText(/Its values are erased from all contacts/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByLabel('Type "delete" to confirm').fill("delete");
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await row.waitFor({ state: "detached" });
    await until("the value is erased", async () =>
      (await client.findContact({ email: "ada@lists.example" }))[0]?.oldPlan === undefined ? true : undefined,
    );
  });
});

describe("a list", () => {
  it("shows the first row by itself, offers a new one, and moves no row before a person asks", async () => {
    const { client } = mailspan();
    const page = await enter({ path: "/people?q=new-row", clock: true });
    await page.getByText("No person matches “new-row”").waitFor();
    const row = (name: string) => page.getByRole("link", { name: `new-row-${name}@lists.example` });
    const later = (what: string, isThere: () => Promise<boolean>) =>
      until(what, async () => {
        await page.clock.runFor(1_500);
        return (await isThere()) ? true : undefined;
      });
    await client.createContact({ email: "new-row-b@lists.example" });
    await later("the first row", () => row("b").isVisible());
    const before = await row("b").boundingBox();
    await client.createContact({ email: "new-row-a@lists.example" });
    const show = page.getByRole("button", { name: "Show 1 new" });
    await later("the offer", () => show.isVisible());
    expect(await row("b").boundingBox()).toEqual(before);
    expect(await row("a").count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await client.updateContact({ email: "new-row-b@lists.example", properties: { firstName: "Berta" } });
    await later("the new name", () => page.getByText("Berta").isVisible());
    await show.click();
    await row("a").waitFor();
    expect(await show.count()).toBe(0);
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await client.deleteContact({ email: "new-row-a@lists.example" });
    await later("the other offer", () => page.getByRole("button", { name: "Show what has changed" }).isVisible());
    await page.getByRole("button", { name: "Show what has changed" }).click();
    await row("a").waitFor({ state: "detached" });
  });
});

describe("a page of a list after the last one", () => {
  it("says that nothing is older, and leads to the newest rows", async () => {
    const page = await enter({ path: "/sent?to=ada@lists.example" });
    await page.getByRole("button", { name: "Older" }).waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: "Newest" }).count()).toBe(0);
    await page.goto(new URL("/webhooks?cursor=1", page.url()).href);
    await page.getByText("Nothing is older than this.").waitFor();
    await page.getByRole("button", { name: "Newest" }).click();
    await page.waitForURL((url) => url.pathname === "/webhooks" && !url.searchParams.has("cursor"));
    await page.getByText("No webhooks yet").waitFor();
  });
});

describe("the views of a list", () => {
  it("are saved with their filters, opened from the list and the palette, and deleted", async () => {
    const page = await enter({ path: "/sent?state=bounced" });
    const views = page.getByRole("button", { name: "Views" });
    await views.click();
    await page.getByRole("menuitem", { name: "Save this view" }).click();
    const form = page.getByRole("dialog", { name: "Save this view" });
    await form.getByLabel("Name").fill("Bounced mail");
    expect(await violationsOf(page)).toEqual([]);
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    await until("the focus is back", async () =>
      (await page.evaluate("document.activeElement.textContent")) === "Views" ? true : undefined,
    );

    await page.goto(new URL("/sent", page.url()).href);
    await views.click();
    await page.getByRole("menuitem", { name: "Bounced mail", exact: true }).click();
    await page.waitForURL(/state=bounced/);

    await page.goto(new URL("/", page.url()).href);
    await page.getByRole("button", { name: /^Search/ }).click();
    await page.getByPlaceholder("Search people, mail, webhooks, pages").fill("bounced");
    await page.getByRole("button", { name: /Bounced mail/ }).click();
    await page.waitForURL(/\/sent\?state=bounced/);

    await views.click();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("menuitem", { name: 'Delete "Bounced mail"' }).click();
    await page.getByText('The view "Bounced mail" is deleted.').waitFor();
    await views.click();
    await page.getByRole("menuitem", { name: "Save this view" }).waitFor();
    await page.getByRole("menuitem", { name: "Bounced mail", exact: true }).waitFor({ state: "detached" });
  });
});

describe("the settings of a team", () => {
  it.each(["dark", "light"] as const)(
    "keep what was typed through an expired session, and show what is wrong with a field, %s",
    async (scheme) => {
      const page = await enter({ path: "/settings", scheme });
      const name = page.getByLabel("Name", { exact: true });
      await name.fill(`Team ${scheme}`);
      const hour = page.getByLabel("Most mails in an hour");
      await hour.fill("many");
      await page.context().clearCookies();
      await page.reload();
      await page.getByLabel("Admin token").fill(secrets.ADMIN_TOKEN);
      await page.getByRole("button", { name: "Log in" }).click();
      await name.waitFor();
      expect(await name.inputValue()).toBe(`Team ${scheme}`);
      await page.getByRole("button", { name: "Save" }).click();
      const refused = page
        .getByRole("alert")
        .filter({ hasText: "Most mails in an hour: Must be a whole number from 1 to" });
      await refused.waitFor();
      expect(await page.evaluate("document.activeElement.id")).toBe(await hour.getAttribute("id"));
      await page.getByText(/^Must be a whole number from 1 to \d+, or empty for no limit/).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await hour.fill("5,000");
      await refused.waitFor({ state: "detached" });
      await page.getByLabel("Double opt-in").click();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Nothing is changed.").waitFor();
      const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` };
      const settings = await (await fetch(`${mailspan().emailUrl}/admin/teams/demo`, { headers })).json();
      expect(settings).toMatchObject({ name: `Team ${scheme}`, sendPerHour: 5_000, doubleOptIn: scheme === "dark" });
    },
  );

  it("are not put in the place of what another person saved before it was seen", async () => {
    const team = `${mailspan().emailUrl}/admin/teams/demo`;
    await asOperator(team, "POST", { sendPerSecond: 10, fromName: "Before", footer: "Before" });
    const page = await enter({ path: "/settings" });
    const second = page.getByLabel("Most mails in a second");
    const sender = page.getByLabel("Sender's name");
    await second.fill("20");
    await sender.fill("Mine");
    await asOperator(team, "POST", { sendPerSecond: 30, fromName: "Theirs", footer: "Theirs" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const conflict = page.getByRole("alert").filter({ hasText: "Another person has saved this meanwhile" });
    await conflict.getByText("Most mails in a second: theirs is 30").waitFor();
    await conflict.getByText("Sender's name: theirs is Theirs").waitFor();
    expect(await asOperator(team)).toMatchObject({ sendPerSecond: 30, fromName: "Theirs" });
    expect(await violationsOf(page)).toEqual([]);
    await conflict.getByRole("button", { name: "Take theirs" }).click();
    await conflict.waitFor({ state: "detached" });
    expect([await second.inputValue(), await sender.inputValue()]).toEqual(["30", "Theirs"]);

    await second.fill("40");
    await asOperator(team, "POST", { sendPerSecond: 50 });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await conflict.getByText("Most mails in a second: theirs is 50").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Nothing is changed.").waitFor();
    expect(await asOperator(team)).toMatchObject({ sendPerSecond: 40, fromName: "Theirs", footer: "Theirs" });
    await asOperator(team, "POST", { sendPerSecond: null, fromName: null, footer: null });
  });
});

describe("the sender of a team", () => {
  it("is set on its page, with what is wrong beside its field, and stands for that of a message", async () => {
    const page = await enter({ path: "/settings" });
    await page.getByLabel("Sender's name").fill("Acme");
    const address = page.getByLabel("Sender's address");
    await address.fill("hello@acme.example");
    await page.getByLabel("Footer").fill("You signed up at acme.example.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^Must be only the part before the @/).waitFor();
    expect(await address.getAttribute("aria-invalid")).toBe("true");
    expect(await violationsOf(page)).toEqual([]);
    await address.fill("hello");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Nothing is changed.").waitFor();
    const { emailUrl } = mailspan();
    const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "Content-Type": "application/json" };
    const ask = async (path: string, body: object) => {
      const answer = await fetch(`${emailUrl}/admin/teams/demo/v1${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      expect(answer.ok, path).toBe(true);
      return (await answer.json()) as Record<string, string>;
    };
    const { id, draftEmailMessageId } = await ask("/transactional-emails", { name: "Without a sender" });
    await ask(`/email-messages/${draftEmailMessageId}`, { subject: "Hello", lmx: "<Paragraph>Hi</Paragraph>" });
    await ask(`/transactional-emails/${id}/publish`, {});
  });

  it("is shown as it is in force, and so are the senders, the send limits and what keeps mail waiting", async () => {
    const { emailUrl } = mailspan();
    const sender = { fromName: "Acme", fromEmail: "hello", replyToEmail: "help@acme.example", sendPerDay: 1_000 };
    await asOperator(`${emailUrl}/admin/teams/demo`, "POST", sender);
    const page = await enter({ path: "/settings" });
    await page.getByText(/comes from Acme <hello@[\w.]+>. Replies go to help@acme.example\./).waitFor();
    await page.getByText("Marketing mail goes into the local inbox, and to nobody else.").waitFor();
    await page.getByText(/^The team may send 1000 mails a day, and has sent \d+\.$/).waitFor();
    await page.getByText("All mail providers answer, and none of them has asked for fewer mails.").waitFor();
    const footer = page.getByLabel("Footer");
    await footer.fill("You are a customer of Acme.");
    await footer.press("Control+s");
    await page.getByText("Nothing is changed.").waitFor();
    const { footer: saved } = await asOperator<{ footer: string }>(`${emailUrl}/admin/teams/demo`);
    expect(saved).toBe("You are a customer of Acme.");
  });

  it("has people who have not confirmed, and asks one of them again", async () => {
    const { emailUrl } = mailspan();
    const team = `${emailUrl}/admin/teams/demo`;
    await asOperator(team, "POST", { doubleOptIn: true });
    await asOperator(`${team}/v1/contacts/create`, "POST", { email: "eve@pending.example" });
    const page = await enter({ path: "/settings" });
    await page.getByRole("link", { name: "People who have not confirmed" }).click();
    await page.getByRole("row", { name: /eve@pending\.example/ }).waitFor();
    await page.getByRole("button", { name: "Ask again: eve@pending.example" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Ask again", exact: true }).click();
    await page.getByText("eve@pending.example is asked again.").waitFor();
    const { data } = await asOperator<{ data: { subject: string | null }[] }>(`${team}/sends?to=eve@pending.example`);
    expect(data).toHaveLength(2);
    await asOperator(team, "POST", { doubleOptIn: false });
    const left = await enter({ path: "/settings" });
    await left.getByText("Double opt-in is off: a new address gets marketing mail at once.").waitFor();
  });

  it("has the usage of the team below it", async () => {
    const page = await enter({ path: "/settings" });
    const table = page.getByRole("table", { name: "Mails" });
    await table.getByRole("row", { name: /Today \(UTC\) \d+ \d+/ }).waitFor();
    await page.getByText(/Database: [\d.]+ [kM]B of 10 GB/).waitFor();
  });
});

const COPIED: readonly (readonly [path: string, address: string])[] = [
  ["/sources", "/admin/sources"],
  ["/webhooks?source=stripe", "/admin/webhooks?source=stripe"],
  ["/deliveries", "/admin/deliveries?state=attention"],
  ["/people?q=ada", "/admin/teams/demo/contacts?q=ada"],
  ["/people/ada@lists.example", "/admin/teams/demo/contacts/con_"],
  ["/sent?state=sent", "/admin/teams/demo/sends?state=sent"],
  ["/people/lists", "/v1/lists"],
  ["/people/properties", "/admin/teams/demo/properties/usage"],
  ["/people/suppressed?reason=manual", "/admin/teams/demo/suppressions?reason=manual"],
  ["/settings/keys", "/admin/teams/demo/keys"],
  ["/settings", "/admin/teams/demo"],
  ["/settings/confirmations", "/admin/teams/demo/confirmations"],
  ["/settings/domains", "/admin/teams/demo/domains"],
  ["/settings/webhooks", "/admin/teams/demo/webhooks"],
  ["/settings/audit?operation=email", "/api/audit?operation=email"],
];

describe("Copy as", () => {
  it("gives what a page shows, and what a form would send, as a curl command that works in a terminal", async () => {
    const page = await enter();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const { url, emailUrl, key } = mailspan();
    const env = {
      PATH: process.env.PATH,
      ADMIN_TOKEN: secrets.ADMIN_TOKEN,
      EMAIL_API_KEY: key,
      BRIDGE_URL: url,
      EMAIL_URL: emailUrl,
      DASHBOARD_URL: mailspan().dashboardUrl,
    };
    const copied = async (part: Page | Locator): Promise<string> => {
      await settled(page);
      await part
        .getByRole("button", { name: /^(Copy as|More actions)$/ })
        .first()
        .click();
      await page.getByRole("menuitem", { name: "curl" }).click();
      await page.getByText("The curl command is copied.").first().waitFor();
      return page.evaluate<string>("navigator.clipboard.readText()");
    };
    const run = (command: string) =>
      JSON.parse(execFileSync("sh", ["-c", `${command} -sS --fail-with-body`], { env, encoding: "utf8" }));
    for (const [path, address] of COPIED) {
      await page.goto(`${mailspan().dashboardUrl}${path}`);
      const command = await copied(page);
      expect([path, command.includes(address), command]).toEqual([path, true, command]);
      expect([path, typeof run(command)]).toEqual([path, "object"]);
    }
    await page.goto(`${mailspan().dashboardUrl}/people/lists`);
    await page.getByRole("button", { name: "New list" }).first().click();
    const form = page.getByRole("dialog", { name: "New list" });
    await form.getByLabel("Name").fill("Ada's list");
    expect(run(await copied(form))).toMatchObject({ name: "Ada's list", visibility: "private" });
  });
});
