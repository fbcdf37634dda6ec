import { beforeAll, describe, expect, it } from "vitest";
import { secrets, until } from "../../system/mailspan.ts";
import { dashboardBench, fits, violationsOf } from "./bench.ts";

const { enter, mailspan } = dashboardBench();

beforeAll(async () => {
  const { client } = mailspan();
  await client.createContactProperty("oldPlan", "string");
  await client.updateContact({ email: "ada@lists.example", properties: { oldPlan: "gold" } });
});

describe("the page of lists", () => {
  it("shows how many contacts are on each list, counts again, and leads to them", async () => {
    const page = await enter({ path: "/lists" });
    await page.getByRole("button", { name: "New list" }).first().click();
    await page.getByRole("dialog", { name: "New list" }).getByLabel("Name").fill("Counted");
    await page.getByRole("button", { name: "Save" }).click();
    const row = page.getByRole("row", { name: /Counted/ });
    await row.getByRole("link", { name: "0", exact: true }).waitFor();
    const { client } = mailspan();
    const list = (await client.listMailingLists()).find(({ name }) => name === "Counted")?.id ?? "";
    await client.updateContact({ email: "ada@lists.example", mailingLists: { [list]: true } });
    await page.getByRole("button", { name: "Count again" }).click();
    await row.getByRole("link", { name: "1", exact: true }).click();
    await page.getByRole("heading", { name: "People" }).waitFor();
    await page.getByRole("link", { name: "ada@lists.example" }).first().waitFor();
  });
});

describe("the page of properties", () => {
  it("describes a property, says what uses it, and deletes it with its values", async () => {
    const { client } = mailspan();
    const page = await enter({ path: "/properties" });
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

describe("the settings of a team", () => {
  it.each(["dark", "light"] as const)(
    "keep what was typed through a logout, and show what is wrong with a field, %s",
    async (scheme) => {
      const page = await enter({ path: "/settings/team", scheme });
      const name = page.getByLabel("Name", { exact: true });
      await name.fill(`Team ${scheme}`);
      await page.getByLabel("Most mails in an hour").fill("many");
      await page.getByRole("button", { name: "Log out" }).click();
      await page.getByLabel("Admin token").fill(secrets.ADMIN_TOKEN);
      await page.getByRole("button", { name: "Log in" }).click();
      await name.waitFor();
      expect(await name.inputValue()).toBe(`Team ${scheme}`);
      await page.getByRole("button", { name: "Save" }).click();
      await page
        .getByText(/must be a whole number from 1 to/)
        .first()
        .waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByLabel("Most mails in an hour").fill("5000");
      await page.getByLabel("Double opt-in").click();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Nothing is changed.").waitFor();
      const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` };
      const settings = await (await fetch(`${mailspan().emailUrl}/admin/teams/demo`, { headers })).json();
      expect(settings).toMatchObject({ name: `Team ${scheme}`, sendPerHour: 5_000, doubleOptIn: scheme === "dark" });
    },
  );
});

describe.each(["light", "dark"] as const)("these pages, %s", (scheme) => {
  it.each([375, 1280])("have no violation that axe-core finds, and fit a window of %d px", async (width) => {
    const page = await enter({ scheme, width });
    for (const path of ["/lists", "/properties", "/settings/keys", "/settings/team"]) {
      await page.goto(`${mailspan().dashboardUrl}${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.locator("table, form").first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect([path, await fits(page)]).toEqual([path, true]);
    }
  });
});
