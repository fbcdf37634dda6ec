import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startResolver } from "../../dns/stand-in.ts";
import { dashboardBench, fits, more, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";
import { acceptOn, inviteOn, withDevice } from "./passkeys.ts";
import { settingsVars } from "./settings-data.ts";

let dns: Awaited<ReturnType<typeof startResolver>>;
// The Workers start after this: with the resolver's address.
const emailVars: Record<string, unknown> = { ...settingsVars };
beforeAll(async () => {
  dns = await startResolver();
  emailVars.DNS_OVER_HTTPS_URL = dns.url;
});
const { enter, mailspan, open } = dashboardBench({}, emailVars);
afterAll(() => dns?.stop());

type Shown = { records: { kind: string; type: string; host: string; value: string }[] };
const zoneOf = ({ records }: Shown, changed: Record<string, readonly string[]> = {}) =>
  Object.fromEntries(records.map(({ kind, type, host, value }) => [`${type} ${host}`, changed[kind] ?? [value]]));

const card = (page: Page, name: string) =>
  page.getByRole("region", { name }).filter({ hasNot: page.getByRole("table") });
const stateOf = (page: Page, name: string, state: string) =>
  card(page, name).getByText(state, { exact: true }).waitFor();

it("a sending domain is added, its records are found beside those wanted, and it is verified, rotated and deleted", async () => {
  const page = await enter();
  const row = { day: "2026-11-29", source: "192.0.2.7", dkim: false, spf: true, disposition: "reject", mails: 1_200 };
  const days = Array.from({ length: 52 }, (_, n) => ({ ...row, source: n === 0 ? row.source : `192.0.2.${n + 10}` }));
  const report = { domain: "mail.acme.example", address: null, message: "1 mail of 2 failed.", days };
  await page.route("**/reports", (route) => route.fulfill({ json: report }));
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Sending domains" }).click();
  await page.getByText("No sending domain yet").waitFor();
  await page.getByRole("button", { name: "New domain" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("co.uk");
  await page.keyboard.press("Enter");
  await page
    .getByRole("dialog")
    .getByText(/public suffix/)
    .waitFor();
  await page.getByRole("dialog").getByLabel("Name").fill("mail.acme.example");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/settings\/domains\/dom_/);
  await page.getByText("No mail is sent from it yet.").waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const domain = await asOperator<Shown>(`${mailspan().emailUrl}/admin/teams/demo/domains/${id}`);
  for (const { host, value } of domain.records) {
    await page.getByText(host, { exact: true }).first().waitFor();
    await page.getByText(value, { exact: true }).first().waitFor();
  }

  dns.serve({});
  await page.keyboard.press("r");
  const mails = page.getByRole("table", { name: "Mails in DMARC reports" });
  const first = mails.getByRole("row").filter({ hasText: "192.0.2.7" });
  await first.waitFor();
  expect(await first.getByRole("cell").allTextContents()).toEqual([
    "2026-11-29",
    "192.0.2.7",
    "Failed",
    "Ok",
    "refused",
    "1,200",
  ]);
  expect(await mails.getByRole("row").count()).toBe(51);
  await page.getByText("2 more rows are not shown.").waitFor();
  await stateOf(page, "DKIM", "Pending");
  const key = domain.records.find(({ kind }) => kind === "dkim")?.value ?? "";
  dns.serve(zoneOf(domain, { dkim: [key.replace(/.{4}$/, "XXXX")] }));
  await page.getByRole("button", { name: "Check now" }).click();
  await stateOf(page, "DKIM", "Differs");
  expect(await card(page, "DKIM").locator("mark").allTextContents()).toEqual([key.slice(-4), "XXXX"]);
  await stateOf(page, "DMARC", "Found");
  expect(await violationsOf(page)).toEqual([]);

  dns.serve(zoneOf(domain));
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("Mail is sent from it. Its records are checked daily.").waitFor();
  expect(await page.locator("mark").count()).toBe(0);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Zone file" }).click(),
  ]);
  expect(readFileSync(await file.path(), "utf8")).toContain("_domainkey.mail.acme.example. ");

  await more(page, "Replace the DKIM key");
  await page.getByRole("button", { name: "Make the next key" }).click();
  await page.getByText("The next key is made.").waitFor();
  await card(page, "DKIM").nth(1).waitFor();
  await more(page, "Delete the domain");
  await page.getByLabel('Type "delete" to confirm').fill("delete");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("No sending domain yet").waitFor();
});

const addDomain = async (name: string): Promise<Shown & { id: string }> =>
  asOperator(`${mailspan().emailUrl}/admin/teams/demo/domains`, "POST", { name });

const openAsStranger = async (from: Page, url: string, options: { width: number; colorScheme: "light" | "dark" }) => {
  const browser = from.context().browser() ?? expect.fail("There is no browser.");
  const context = await browser.newContext({
    viewport: { width: options.width, height: 800 },
    colorScheme: options.colorScheme,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("request", (request) => !request.isNavigationRequest() && faults.push(request.url()));
  page.on("console", (message) => faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(url);
  return { page, faults, close: () => context.close() };
};

it("the records of a domain are shared by a link, which a person without a login opens", async () => {
  const { id, records } = await addDomain("shared.acme.example");
  dns.serve(zoneOf({ records }, { dkim: ["v=DKIM1; k=rsa; p=<b>other</b>"] }));
  await asOperator(`${mailspan().emailUrl}/admin/teams/demo/domains/${id}/check`, "POST");
  const page = await enter({ path: `/settings/domains/${id}`, width: 375 });
  await page.getByRole("button", { name: "Share the records" }).click();
  const dialog = page.getByRole("dialog", { name: "Share the DNS records of shared.acme.example" });
  await dialog.getByText(/ends after 7 days/).waitFor();
  await page.keyboard.press("Enter");
  const shown = dialog.getByText(/^https:/);
  await shown.waitFor();
  await dialog
    .getByText(/Everyone who has it can see these DNS records and nothing else, until .+ \(7 days\)/)
    .waitFor();
  expect([await violationsOf(page), await fits(page)]).toEqual([[], true]);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await dialog.getByRole("button", { name: "Copy the link" }).click();
  await dialog.getByText("Copied").waitFor();
  const link = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(link).toBe(await shown.textContent());
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  const address = mailspan().emailUrl + new URL(link).pathname;
  for (const shape of [{ width: 375, colorScheme: "light" } as const, { width: 1280, colorScheme: "dark" } as const]) {
    const { page: theirs, faults, close } = await openAsStranger(page, address, shape);
    await theirs.getByRole("heading", { name: "DNS records of shared.acme.example" }).waitFor();
    for (const { host, value } of records) {
      await theirs.getByText(host, { exact: true }).first().waitFor();
      await theirs.getByText(value, { exact: true }).first().waitFor();
    }
    await theirs.getByText("v=DKIM1; k=rsa; p=<b>other</b>", { exact: true }).waitFor();
    expect([await violationsOf(theirs), await fits(theirs), faults]).toEqual([[], true, []]);
    const [file] = await Promise.all([
      theirs.waitForEvent("download"),
      theirs.getByRole("link", { name: "Download the zone file" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("shared.acme.example.zone");
    expect(readFileSync(await file.path(), "utf8")).toContain("_domainkey.shared.acme.example. ");
    await close();
  }

  await asOperator(`${mailspan().emailUrl}/admin/teams/demo/domains/${id}`, "DELETE");
  const { page: theirs, close } = await openAsStranger(page, address, { width: 375, colorScheme: "light" });
  await theirs.getByRole("heading", { name: "This link has ended" }).waitFor();
  expect([await violationsOf(theirs), await fits(theirs)]).toEqual([[], true]);
  await close();
});

it("a viewer reads why the records cannot be shared", async () => {
  const { id } = await addDomain("viewed.acme.example");
  const owner = await enter({ path: "/settings/members", named: true, alone: true });
  const page = await open({
    named: true,
    prepare: async (one) => {
      await withDevice(one);
    },
  });
  await acceptOn(page, await inviteOn(owner, "Vera", "viewer"));
  await page.goto(`${new URL(page.url()).origin}/settings/domains/${id}`);
  const button = page.getByRole("button", { name: "Share the records" });
  const why = "Your role is viewer. This needs owner: an owner can give it to you.";
  expect([await button.getAttribute("title"), await button.getAttribute("aria-description")]).toEqual([why, why]);
  await button.click({ force: true });
  expect(await page.getByRole("dialog").count()).toBe(0);
  await asOperator(`${mailspan().emailUrl}/admin/teams/demo/domains/${id}`, "DELETE");
});
