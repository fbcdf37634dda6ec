import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { sampled } from "../../sample.ts";
import { dashboardBench, more } from "./bench.ts";
import { acceptOn, inviteOn, withDevice } from "./passkeys.ts";
import { settingsVars } from "./settings-data.ts";
import { addWebhook } from "./settings-dialogs.ts";

const { enter, open } = dashboardBench({}, settingsVars);

const CLOSING_MS = 600;

const within = (path: string) => enter({ path, named: true, alone: true });

const makeKey = async (): Promise<Page> => {
  const page = await within("/settings/keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("shown once");
  await page.keyboard.press("Enter");
  return page;
};

const newWebhook = async (): Promise<Page> => {
  const page = await within("/settings/webhooks");
  await addWebhook(page);
  return page;
};

const replaceSecret = async (): Promise<Page> => {
  const page = await newWebhook();
  await page.getByRole("button", { name: "I have it" }).click();
  await page.getByRole("link", { name: "acme.example/hooks" }).first().click();
  await more(page, "Replace the secret");
  await page.getByRole("button", { name: "Replace", exact: true }).click();
  return page;
};

const invite = async (): Promise<Page> => {
  const page = await within("/settings/members");
  await inviteOn(page, "Nora", "editor", false);
  return page;
};

const newLink = async (): Promise<Page> => {
  const page = await within("/settings/members");
  await inviteOn(page, "Olga", "editor");
  await page.getByRole("button", { name: "New link for Olga" }).click();
  await page.getByRole("button", { name: "Make the link" }).click();
  return page;
};

const recoveryCodes = async (): Promise<Page> => {
  const link = await inviteOn(await within("/settings/members"), "Ada", "viewer");
  const page = await open({
    named: true,
    prepare: async (page) => {
      await withDevice(page);
    },
  });
  await acceptOn(page, link);
  await page.getByRole("button", { name: "Make recovery codes" }).click();
  await page.getByRole("button", { name: "Make ten codes" }).click();
  return page;
};

const ONCE: readonly [name: string, show: () => Promise<Page>, have?: string][] = [
  ["an API key", makeKey],
  ["the secret of an outgoing webhook", newWebhook],
  ["the secret that replaces one", replaceSecret],
  ["the link of an invitation", invite],
  ["another link of an invitation", newLink],
  ["recovery codes", recoveryCodes, "I have them"],
];

describe("what a dialog shows once", () => {
  it.each(sampled(ONCE))("stays until a person says that it is kept: %s", async (_, show, have = "I have it") => {
    const page = await show();
    const dialog = page.getByRole("dialog");
    const text = dialog.getByText(/not\s+shown\s+again/);
    await text.waitFor();
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await page.waitForTimeout(CLOSING_MS);
    expect(await text.isVisible()).toBe(true);
    expect(await dialog.getByRole("button", { name: "Close" }).isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: have }).click();
    await dialog.waitFor({ state: "detached" });
  });
});
