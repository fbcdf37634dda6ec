import type { Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { teamServiceOf } from "../../../scripts/lib/team-service.ts";
import { secrets, until } from "../../system/mailspan.ts";
import { clerkWebhook, stripeWebhook } from "../../system/signed.ts";
import { dashboardBench, toFit, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";
import { failing } from "./faults.ts";

const { enter, mailspan } = dashboardBench();

const send = async (source: string, { payload, headers }: ReturnType<typeof clerkWebhook>) => {
  const { id } = (await (await mailspan().post(source, payload, headers)).json()) as { id: string };
  return mailspan().settled(id, 60_000);
};

const user = (id: string, address: string, later = 0) =>
  clerkWebhook((event) => {
    event.data.id = id;
    event.data.updated_at = Date.now() + later;
    event.data.email_addresses[0].email_address = address;
  });

const NO_CONTACT = "There is no contact of this person";

describe("the page of a person", () => {
  it("is found by a user id that looks like an id of a provider, and by such an id", async () => {
    await mailspan().client.createContact({ email: "own42@example.com", properties: { userId: "cus_own42" } });
    const page = await enter({ path: "/people/cus_own42" });
    await page.getByText("own42@example.com").first().waitFor();
    expect(await page.getByText(NO_CONTACT).count()).toBe(0);
    const paid = stripeWebhook("checkout.session.completed", (event) => {
      event.data.object.customer = "5782533e-673d-4b6b-a636-88f7d7d357ba";
    });
    await send("stripe", paid);
    await page.goto(`${mailspan().dashboardUrl}/people/5782533e-673d-4b6b-a636-88f7d7d357ba`);
    await page.getByRole("tab", { name: "Properties" }).waitFor();
    await page.getByRole("tab", { name: /^Lists \d+ in all$/ }).waitFor();
    await page.getByRole("link", { name: "checkout.session.completed" }).first().waitFor();
    expect(await page.getByText(NO_CONTACT).count()).toBe(0);
  });

  it("folds the rules that did not apply, and shows only the kind of outcome that is chosen", async () => {
    for (const type of ["checkout.session.completed", "customer.subscription.updated"] as const)
      await send(
        "stripe",
        stripeWebhook(type, (event) => {
          event.data.object.customer = "cus_folded";
        }),
      );
    const page = await enter({ path: "/people/cus_folded" });
    await page.getByText(/^\d+ rules did not apply$/).click();
    await page
      .getByText(/^rule ".*" did not match/)
      .first()
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("radiogroup", { name: "Story" }).getByText("Changes").click();
    await page.getByText(/rules did not apply$/).waitFor({ state: "detached" });
  });

  it("has the mails to an address of before", async () => {
    await send("clerk", user("user_moved", "old@example.com"));
    await send("clerk", user("user_moved", "new@example.com", 1));
    for (const who of ["user_moved", "new@example.com", "old@example.com"]) {
      const page = await enter({ path: `/people/${who}` });
      await page
        .getByRole("link", { name: /^Welcome to / })
        .first()
        .waitFor();
      await page.getByRole("tab", { name: "Mail" }).click();
      await page
        .getByRole("tabpanel")
        .getByRole("link", { name: /^Welcome to / })
        .first()
        .waitFor();
    }
  });

  it("has what the bridge knows while the email service gives no answer", async () => {
    await send("clerk", user("user_half", "half@example.com"));
    const page = await enter({ path: "/settings", mayFail: true });
    await failing(page, (route) => route.request().url().includes("/api/bridge/"));
    await page.route("**/api/about", async (route) => {
      const about = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...about, email: { unreachable: "The email Worker answered 500." } } });
    });
    await page.goto(`${mailspan().dashboardUrl}/people/half@example.com`);
    await page.getByText("The email Worker answered 500.").waitFor();
    await page.getByRole("link", { name: "user.created" }).waitFor();
    await page.getByText("this story has no mails").waitFor();
    expect(await page.getByText(NO_CONTACT).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  });

  it("says when and where the person agreed to get mail, as an import said", async () => {
    const vars = { ADMIN_TOKEN: secrets.ADMIN_TOKEN, EMAIL_API_KEY: mailspan().key };
    const { admin } = teamServiceOf("imports", { url: mailspan().emailUrl }, vars);
    const csv = "email,agreed,where\nagreed@example.com,2024-01-02T03:04:05Z,footer form\n";
    const { id } = await admin<{ id: string }>("POST", "?name=people.csv", new Blob([csv], { type: "text/csv" }));
    const mapping = { email: "email", agreed: "optInAt", where: "optInSource" };
    await admin("POST", `/${id}/start`, { mapping });
    await until("the import", async () => {
      const { state } = await admin<{ state: string }>("GET", `/${id}`);
      return state === "done" ? true : undefined;
    });
    const page = await enter({ path: "/people/agreed@example.com" });
    const agreed = page.getByRole("region", { name: "Consent" });
    await agreed.waitFor();
    expect(await agreed.textContent()).toMatch(/^ConsentAgreed to get mail.+ source: footer form, as the import said$/);
    expect(await agreed.locator("time").getAttribute("datetime")).toBe("2024-01-02T03:04:05.000Z");
    expect(await violationsOf(page)).toEqual([]);
  });

  it("says that there is no contact only where that is known, and that no webhook named it only at the end", async () => {
    const isOfBridge = (route: Route) => route.request().url().includes("/api/bridge/");
    const page = await enter({
      path: "/people/none@example.com",
      mayFail: true,
      prepare: (failed) => failing(failed, isOfBridge),
    });
    await page.getByRole("tab", { name: "Raw data" }).click();
    await page.getByText("The contact could not be read: it is not known whether there is one.").waitFor();
    expect(await page.getByText(NO_CONTACT).count()).toBe(0);

    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const other = await enter({
      path: "/people/none@example.com",
      prepare: (looking) =>
        looking.route("**/api/bridge/webhooks?**", async (route) => {
          await held;
          await route.continue();
        }),
    });
    await other.getByText("No contact has this address or id.").waitFor();
    go();
    await other.getByText("No contact has this address or id, and no webhook named it.").waitFor();
  });

  it("has nothing of the bridge in another team than its own, and a page of the bridge leads to its own team", async () => {
    await asOperator(`${mailspan().emailUrl}/admin/teams`, "POST", { id: "other", name: "Other" });
    const { id } = await send("clerk", user("user_teams", "teams@example.com"));
    const page = await enter({ path: "/people/teams@example.com?team=demo" });
    const told = page.getByRole("region", { name: "Known as" }).getByText("user_teams");
    await told.first().waitFor();
    await page.getByRole("button", { name: /^Team: / }).click();
    await page.getByRole("menuitem", { name: "Other (other)" }).click();
    await page.getByText("The bridge works for another team").waitFor();
    expect(await told.count()).toBe(0);
    await page.goto(`${mailspan().dashboardUrl}/webhooks/${id}`);
    await page.getByRole("main").getByRole("link", { name: "teams@example.com" }).first().click();
    await told.first().waitFor();
  });

  it("asks about a long address in a dialog that fits a phone", async () => {
    const address = `${"averyveryverylongaddress".repeat(2)}@${"subdomain.".repeat(4)}example.com`;
    await mailspan().client.createContact({ email: address });
    const page = await enter({ path: `/people/${address}`, width: 375 });
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Erase the person" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("This cannot be undone").waitFor();
    await toFit(page);
    await dialog.getByRole("button", { name: "Close" }).click();
  });
});

describe("keys", () => {
  it("with Alt are left to the browser", async () => {
    const page = await enter({ path: "/deliveries/throughput" });
    await page.getByRole("button", { name: "Pause delivery" }).waitFor();
    await page.evaluate(
      `globalThis.stopped = []; addEventListener("keydown", (event) => stopped.push(event.defaultPrevented))`,
    );
    for (const key of ["Alt+p", "Control+Alt+p"]) await page.keyboard.press(key);
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.evaluate("stopped.includes(true)")).toBe(false);
    await page.keyboard.press("p");
    await page.getByRole("dialog").waitFor();
  });

  it("that take the time of a bar keep the focus on the bars", async () => {
    const page = await enter({ path: "/webhooks" });
    const bars = page.getByRole("slider");
    await bars.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.waitForURL(/since=/);
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate("document.activeElement.role")).toBe("slider");
  });
});
