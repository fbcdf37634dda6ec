import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { sendSamples } from "../../../../scripts/start/samples.ts";
import { secrets, until } from "../../../system/mailspan.ts";
import { clerkWebhook } from "../../../system/signed.ts";
import { dashboardBench, violationsOf } from "../bench.ts";

const { enter, mailspan } = dashboardBench();

beforeAll(() => sendSamples(mailspan(), secrets));

const at = async (path: string, there: string): Promise<Page> => {
  const page = await enter({ path, alone: true });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByText(there).first().waitFor();
  return page;
};
const copied = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()");

describe("the single keys of a page", () => {
  it.each([
    ["/people", "Everyone", "Add a person"],
    ["/campaigns", "No campaigns yet", "New campaign"],
    ["/people/lists", "Lists", "New list"],
    ["/people/properties", "firstName", "New property"],
    ["/people/suppressed", "No address is suppressed", "Suppress an address"],
    ["/settings/domains", "No sending domain yet", "New domain"],
    ["/settings/webhooks", "No outgoing webhooks yet", "New webhook"],
  ])("n opens the form of something new on %s, and types no letter into it", async (path, there, title) => {
    const page = await at(path, there);
    await page.getByRole("button", { name: title }).first().waitFor();
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: title });
    await dialog.waitFor();
    await until("the form has the focus", async () =>
      (await page.evaluate("document.activeElement.tagName")) === "INPUT" ? true : undefined,
    );
    expect(await page.evaluate("document.activeElement.value")).toBe("");
  });

  it("e edits a person, s asks to suppress, and y copies the story", async () => {
    const page = await at("/people/ada@example.com", "The last mail to");
    await page.keyboard.press("y");
    await page.getByText("The story is copied.").waitFor();
    expect(await copied(page)).toContain("checkout.session.completed from stripe");
    await page.keyboard.press("s");
    const dialog = page.getByRole("dialog", { name: "Suppress ada@example.com?" });
    await dialog.getByText("gets no mail at all").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("e");
    await page.getByText("An empty field clears its property.").waitFor();
    await until("the first field has the focus", async () =>
      (await page.evaluate("document.activeElement.tagName")) === "INPUT" ? true : undefined,
    );
    expect(await page.getByText("1 changed").count()).toBe(0);
    await page.keyboard.press("s");
    await page.getByText("1 changed").waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it("c copies the address of a source, and p asks to pause all deliveries", async () => {
    const page = await at("/sources/stripe", "/hooks/stripe");
    await page.keyboard.press("c");
    await until("the address is copied", async () =>
      (await copied(page)).endsWith("/hooks/stripe") ? true : undefined,
    );
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await page.getByRole("link", { name: "Throughput" }).press("Enter");
    await page.getByText("In flight").waitFor();
    await page.keyboard.press("p");
    const dialog = page.getByRole("dialog", { name: "Pause delivery?" });
    await dialog.getByText("nothing is lost").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.getByRole("heading", { name: "People", level: 1 }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it("are all in the help, which switches them off", async () => {
    const page = await at("/deliveries/throughput", "In flight");
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keys" });
    await help.waitFor();
    for (const key of ["x", "r, d", "[, ]", "n", "e, s", "y", "c", "p"])
      expect([key, await help.locator("kbd").getByText(key, { exact: true }).count()]).toEqual([key, 1]);
    expect(await violationsOf(page)).toEqual([]);
    await help.getByLabel("Single keys are on").click();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.keyboard.press("p");
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("heading", { name: "Throughput", level: 1 }).waitFor();
  });
});

describe("the page of a person", () => {
  it("is found by an address of before, which webhooks told", async () => {
    const { client } = mailspan();
    for (const [at, address] of ["before@example.com", "today@example.com"].entries()) {
      const { payload, headers } = clerkWebhook((event) => {
        event.data.id = "user_moved";
        event.data.updated_at = Date.now() + at;
        event.data.email_addresses[0].email_address = address;
      });
      const { id } = (await (await mailspan().post("clerk", payload, headers)).json()) as { id: string };
      await mailspan().settled(id);
    }
    expect(await client.findContact({ email: "before@example.com" })).toEqual([]);
    const page = await enter({ path: "/people/before@example.com" });
    await page.getByText("The contact has another address today").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("main").getByRole("link", { name: "today@example.com", exact: true }).click();
    await page.getByRole("heading", { name: "today@example.com" }).waitFor();
    expect(await page.getByText("There is no contact of this person").count()).toBe(0);
  });
});
