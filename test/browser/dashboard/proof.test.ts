import { describe, expect, it } from "vitest";
import { secrets } from "../../system/mailspan.ts";
import { ageSessions } from "./age.ts";
import { dashboardBench, violationsOf } from "./bench.ts";

const { enter, mailspan } = dashboardBench();

it("a key that a program uses says so before it is revoked", async () => {
  const page = await enter({ path: "/settings/keys" });
  await page.route("**/api/email/teams/*/keys*", async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: object[] };
    const lastUsedAt = new Date().toISOString();
    await route.fulfill({ response, json: { data: data.map((key) => ({ ...key, lastUsedAt })) } });
  });
  await page.reload();
  await page
    .getByRole("button", { name: /^Revoke / })
    .first()
    .click();
  await page.getByRole("dialog").getByText("This key is in use.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

describe("an act that needs a new login", () => {
  it("asks for the token in place, and loses nothing that was typed", async () => {
    const page = await enter({ path: "/settings/keys" });
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog", { name: "New API key" });
    await dialog.getByLabel("Name").fill("after lunch");
    ageSessions(mailspan());
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("Your login is older than 15 minutes").waitFor();
    await dialog.getByText("The token is ADMIN_TOKEN: on your machine in .dev.vars").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByLabel("Admin token").fill("a wrong token, which is long enough");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByText("token: not the value of ADMIN_TOKEN.").waitFor();
    // The Enter key must not send the form around the question.
    await dialog.getByLabel("Admin token").fill(secrets.ADMIN_TOKEN);
    await page.keyboard.press("Enter");
    await dialog.getByText(/^ms_demo_/).waitFor();
    await dialog.getByRole("button", { name: "I have it" }).click();
    await page.getByRole("row", { name: /after lunch/ }).waitFor();
  });

  it("is done after it, without another click, in a dialog with a typed word too", async () => {
    const page = await enter({ path: "/settings/keys" });
    const row = page.getByRole("row", { name: /after lunch/ });
    await row.getByRole("button", { name: "Revoke" }).click();
    const dialog = page.getByRole("dialog", { name: "Revoke the API key after lunch?" });
    await dialog.getByText("No program has used it yet.").waitFor();
    await dialog.getByLabel('Type "revoke" to confirm').fill("revoke");
    ageSessions(mailspan());
    await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
    await dialog.getByLabel("Admin token").fill(secrets.ADMIN_TOKEN);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await row.getByText("Revoked", { exact: true }).waitFor();
  });
});
