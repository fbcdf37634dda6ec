import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startResolver } from "../../dns/stand-in.ts";
import { dashboardBench, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";
import { settingsVars } from "./settings-data.ts";

let dns: Awaited<ReturnType<typeof startResolver>>;
// The bench starts the Workers after this: with the address of the resolver.
const emailVars: Record<string, unknown> = { ...settingsVars };
beforeAll(async () => {
  dns = await startResolver();
  emailVars.DNS_OVER_HTTPS_URL = dns.url;
});
const { enter, mailspan } = dashboardBench({}, emailVars);
afterAll(() => dns?.stop());

type Shown = { records: { kind: string; type: string; host: string; value: string }[] };
/** The records that the domain needs, as a resolver gives them. `changed`: the value of a kind is another one. */
const zoneOf = ({ records }: Shown, changed: Record<string, readonly string[]> = {}) =>
  Object.fromEntries(records.map(({ kind, type, host, value }) => [`${type} ${host}`, changed[kind] ?? [value]]));

const card = (page: Page, name: string) => page.getByRole("region", { name });
const stateOf = (page: Page, name: string, state: string) =>
  card(page, name).getByText(state, { exact: true }).waitFor();

it("a sending domain is added, its records are found beside those wanted, and it is verified, rotated and deleted", async () => {
  const page = await enter();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Sending domains" }).click();
  await page.getByText("No sending domain yet").waitFor();
  await page.getByRole("button", { name: "New domain" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("co.uk");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "public suffix" }).waitFor();
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

  // Not there yet is another state than wrong.
  dns.serve({});
  await page.keyboard.press("r");
  await stateOf(page, "DKIM", "pending");
  const key = domain.records.find(({ kind }) => kind === "dkim")?.value ?? "";
  dns.serve(zoneOf(domain, { dkim: [key.replace(/.{4}$/, "XXXX")] }));
  await page.getByRole("button", { name: "Check now" }).click();
  await stateOf(page, "DKIM", "wrong");
  expect(await card(page, "DKIM").locator("mark").allTextContents()).toEqual([key.slice(-4), "XXXX"]);
  await stateOf(page, "DMARC", "ok");
  expect(await violationsOf(page)).toEqual([]);

  dns.serve(zoneOf(domain));
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("Mail is sent from it. Its records are checked daily.").waitFor();
  expect(await page.locator("mark").count()).toBe(0);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download the zone file" }).click(),
  ]);
  expect(readFileSync(await file.path(), "utf8")).toContain("_domainkey.mail.acme.example. ");

  await page.getByRole("button", { name: "Replace the DKIM key" }).click();
  await page.getByRole("button", { name: "Make the next key" }).click();
  await page.getByText("The next key is made.").waitFor();
  await card(page, "DKIM").nth(1).waitFor();
  await page.getByRole("button", { name: "Delete the domain" }).click();
  await page.getByLabel('Type "delete" to confirm').fill("delete");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("No sending domain yet").waitFor();
});
