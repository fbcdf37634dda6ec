import type { Page } from "playwright-core";
import { expect } from "vitest";
import { more, violationsOf } from "./bench.ts";
import type { Row } from "./dialogs.ts";
import { addPerson, inviteOn } from "./passkeys.ts";
import { PENDING, REFUSING } from "./settings-data.ts";

const domainIs =
  (change: object) =>
  async (page: Page): Promise<void> => {
    await page.route("**/api/email/teams/*/domains/dom_*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...change } });
    });
    await page.reload();
  };

const isDisabled = async (page: Page): Promise<void> => {
  await page.route("**/api/email/teams/*/webhooks/*?*", async (route) => {
    const response = await route.fetch();
    const { webhook, ...rest } = (await response.json()) as { webhook: object };
    const told = { ...webhook, enabled: false, disabledAt: new Date().toISOString() };
    await route.fulfill({ response, json: { ...rest, webhook: told } });
  });
  await page.reload();
};

export const SETTINGS: Readonly<Record<string, Row>> = {
  "people who have not confirmed": {
    path: () => "/settings/confirmations",
    dialogs: [{ opener: `Ask again: ${PENDING}`, title: `Ask ${PENDING} again?`, act: "Ask again" }],
  },
  "sending domains": {
    path: () => "/settings/domains",
    dialogs: [{ opener: "New domain", title: "New domain", fields: { Name: "news.dialogs.example" }, act: "Add" }],
  },
  "a sending domain": {
    path: ({ domain }) => `/settings/domains/${domain}`,
    dialogs: [
      {
        opener: "End the warm-up",
        isInMore: true,
        title: "End the warm-up of mail.dialogs.example?",
        act: "End the warm-up",
      },
      {
        opener: "Let transactional mail wait too",
        isInMore: true,
        act: "Let it wait",
        title: "Let transactional mail wait for the warm-up of mail.dialogs.example too?",
      },
      {
        opener: "Share the records",
        act: "Make the link",
        title: "Share the DNS records of mail.dialogs.example",
      },
      {
        opener: "Replace the DKIM key",
        isInMore: true,
        act: "Make the next key",
        title: "Replace the DKIM key of mail.dialogs.example?",
      },
      {
        opener: "Delete the domain",
        isInMore: true,
        title: "Delete the domain mail.dialogs.example?",
        act: "Delete",
        word: "delete",
      },
    ],
  },
  "logins and roles": {
    path: () => "/settings/members",
    prepare: async (page) => {
      await addPerson(page, "Grace");
      await page.reload();
    },
    dialogs: [
      { opener: "Invite a person", title: "Invite a person", fields: { Name: "Ada" }, act: "Invite" },
      { opener: "Change role of Grace", title: "Role of Grace", act: "Save" },
      { opener: "New link for Grace", title: "New link for Grace", act: "Make the link" },
      { opener: "Remove Grace", title: "Remove Grace?", word: "remove", act: "Remove" },
    ],
  },
  "a sending domain that is warm, and not the default": {
    path: ({ domain }) => `/settings/domains/${domain}`,
    prepare: domainIs({ warmup: null, isDefault: false }),
    dialogs: [
      {
        opener: "Make it the default",
        isInMore: true,
        title: "Send from mail.dialogs.example?",
        act: "Make it the default",
      },
      { opener: "Begin a warm-up", isInMore: true, title: "Warm mail.dialogs.example up?", act: "Begin a warm-up" },
    ],
  },
  "a sending domain whose transactional mail waits": {
    path: ({ domain }) => `/settings/domains/${domain}`,
    prepare: domainIs({ warmup: { day: 2, cap: 1_000, marketing: 900, transactional: 80, capsTransactional: true } }),
    dialogs: [
      {
        opener: "Let transactional mail leave at once",
        isInMore: true,
        act: "Let it leave",
        title: "Let transactional mail of mail.dialogs.example leave at once?",
      },
    ],
  },
  "outgoing webhooks": {
    path: () => "/settings/webhooks",
    dialogs: [
      {
        opener: "New webhook",
        title: "New webhook",
        act: "Add",
        fields: { Address: "https://acme.example/hooks", Description: "CRM" },
      },
    ],
  },
  "an outgoing webhook": {
    path: ({ endpoint }) => `/settings/webhooks/${endpoint}`,
    dialogs: [
      { opener: "Send a test event", title: "Send a test event?", act: "Send" },
      { opener: "Edit", isInMore: true, title: "Edit this webhook", fields: { Description: "CRM" }, act: "Save" },
      { opener: "Replace the secret", isInMore: true, title: "Replace the secret?", act: "Replace" },
      { opener: "Disable", isInMore: true, title: "Disable this webhook?", act: "Disable" },
      { opener: "Delete the webhook", isInMore: true, title: "Delete this webhook?", word: "delete", act: "Delete" },
    ],
  },
  "an outgoing webhook that is disabled": {
    path: ({ endpoint }) => `/settings/webhooks/${endpoint}`,
    prepare: isDisabled,
    dialogs: [{ opener: "Enable", isInMore: true, title: "Enable this webhook?", act: "Enable" }],
  },
};

export const addWebhook = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "New webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill("https://acme.example/hooks");
  await dialog.getByLabel("All events, later types too").click();
  await dialog.getByText("Choose at least one, or all of them.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByLabel("contact.created").check();
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("it is not shown again").waitFor();
};

export const showAttempts = async (page: Page): Promise<void> => {
  await page.getByRole("link", { name: REFUSING }).click();
  await page
    .getByRole("button", { name: /^Show \d+ of / })
    .first()
    .click();
  await page.getByRole("table", { name: "attempts" }).waitFor();
};

export const askReplay = async (page: Page): Promise<void> => {
  await page.getByRole("link", { name: REFUSING }).click();
  await more(page, "Replay");
  await page.getByText("No event would be delivered again.").waitFor();
  await page.getByLabel(/^All of a time/).check();
  await page.getByLabel("From", { exact: true }).waitFor();
};

export const invite = async (page: Page): Promise<void> => {
  await inviteOn(page, "Iris", "editor", false);
};
