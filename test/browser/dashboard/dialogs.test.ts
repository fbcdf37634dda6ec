import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { sampled } from "../../sample.ts";
import { until } from "../../system/mailspan.ts";
import { dashboardBench, violationsOf } from "./bench.ts";
import { addContent } from "./content.ts";
import { addAudience, addCampaign, asOperator, sendCampaign, signUpInVain } from "./data.ts";
import { type Dialog, type Ids, ROWS, type Row } from "./dialogs.ts";
import { failing, faultsOf, MESSAGE } from "./faults.ts";
import { addSettings, settingsVars } from "./settings-data.ts";
import { addWebhook, askReplay, invite, showAttempts } from "./settings-dialogs.ts";
import { titles, titlesWithoutRow } from "./titles.ts";
import { actOn, addWorkflow, enterWorkflow, waitAt } from "./workflow-data.ts";

const { enter, mailspan } = dashboardBench({}, settingsVars);

const ids: Ids = {
  webhook: "",
  send: "",
  draft: "",
  scheduled: "",
  sending: "",
  segment: "",
  ready: "",
  message: "",
  edited: "",
  theme: "",
  component: "",
  picture: "",
  event: "",
  unusedTheme: "",
  unusedComponent: "",
  domain: "",
  endpoint: "",
  flow: "",
  running: "",
  waiting: "",
  paused: "",
  step: "",
};

beforeAll(async () => {
  const { client, url, emailUrl } = mailspan();
  const team = `${emailUrl}/admin/teams/demo`;
  const newList = async (name: string) => (await asOperator<{ id: string }>(`${team}/lists`, "POST", { name })).id;
  await newList("News");
  await asOperator(`${team}/lists/${await newList("Old news")}`, "POST", { isArchived: true });
  const members = await newList("Members");
  const mailingLists = { [members]: true };
  await client.createContactProperty("oldPlan", "string");
  await client.updateContact({ email: "ada@dialogs.example", mailingLists });
  await client.updateContact({ email: "gone@dialogs.example" });
  await asOperator(`${team}/suppressions`, "POST", { email: "gone@dialogs.example" });
  await asOperator(`${url}/admin/pause`, "POST", { source: "kinde" });
  await client.sendTransactionalEmail({
    transactionalId: "tpl_welcome",
    email: "ada@dialogs.example",
    dataVariables: { name: "Ada" },
  });
  const { data } = await asOperator<{ data: { id: string }[] }>(`${team}/sends?to=ada@dialogs.example`);
  ids.send = data[0]?.id ?? "";
  ids.draft = await addCampaign(mailspan(), "Spring sale", { mailingListId: members });
  type Made = { draftEmailMessageId: string };
  const made = await asOperator<Made>(`${team}/v1/transactional-emails`, "POST", { name: "Order shipped" });
  ids.message = made.draftEmailMessageId;
  const timestamp = new Date(Date.now() + 86_400_000).toISOString();
  ids.scheduled = await addCampaign(mailspan(), "Summer sale", { scheduling: { method: "schedule", timestamp } });
  ids.sending = await addCampaign(mailspan(), "Winter sale");
  for (const id of [ids.scheduled, ids.sending]) await sendCampaign(mailspan(), id);
  Object.assign(ids, await addAudience(mailspan()));
  Object.assign(ids, await addContent(mailspan()));
  const newOf = async (kind: string, fields: object) =>
    (await asOperator<{ id: string }>(`${team}/v1/${kind}`, "POST", { name: "Unused", ...fields })).id;
  ids.unusedTheme = await newOf("themes", {});
  ids.unusedComponent = await newOf("components", { lmx: "<Paragraph>Spare</Paragraph>" });
  Object.assign(ids, await addSettings(mailspan(), "mail.dialogs.example"));
  const [draft, running, paused] = await Promise.all([
    addWorkflow(mailspan(), "Trial"),
    addWorkflow(mailspan(), "Running"),
    addWorkflow(mailspan(), "Paused"),
  ]);
  Object.assign(ids, {
    step: draft.filters[0],
    flow: draft.id,
    running: running.id,
    waiting: running.timer,
    paused: paused.id,
  });
  for (const { id } of [running, paused]) await actOn(mailspan(), id, "start");
  await actOn(mailspan(), paused.id, "pause");
  await enterWorkflow(mailspan(), running, ["eve@flow.example"]);
  await waitAt(mailspan(), running.id, running.timer, 1);
  const [webhook] = await signUpInVain(mailspan(), ["dialog-one", "dialog-two"]);
  ids.webhook = webhook?.id ?? "";
});

const isQuestion = (route: Route): boolean => {
  const request = route.request();
  if (request.method() === "GET" || request.url().endsWith("/estimate")) return true;
  const body = (request.postDataJSON() ?? {}) as { dryRun?: boolean; confirm?: boolean };
  return body.dryRun === true || (request.url().endsWith("/send-again") && body.confirm !== true);
};

const isFocused = async (page: Page, name: string | RegExp): Promise<boolean> => {
  const focused = await page.evaluate<string>("document.activeElement.ariaLabel ?? document.activeElement.textContent");
  return typeof name === "string" ? name === focused : name.test(focused);
};

const isFocusIn = (page: Page, part: string): Promise<boolean> =>
  page.evaluate(`document.activeElement.closest("${part}") !== null`);

const MORE = "More actions";

const refusedIn = async (page: Page, { opener, isInMore, ...given }: Dialog): Promise<string[]> => {
  const { title, fields = {}, word, choose, act } = given;
  const found: string[] = [];
  const way = isInMore
    ? ([
        ["button", MORE],
        ["menuitem", opener],
      ] as const)
    : ([["button", opener]] as const);
  for (const [role, name] of way) {
    await page.getByRole(role, { name, exact: true }).first().focus();
    await page.keyboard.press("Enter");
  }
  const dialog = page.getByRole("dialog", { name: title });
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text);
  if (choose) {
    await dialog.getByRole("combobox", { name: choose[0] }).click();
    await page.getByRole("option", { name: choose[1], exact: true }).click();
  }
  if (word !== undefined) {
    await dialog.getByLabel(`Type "${word}" to confirm`).fill(word);
    found.push(...(await faultsOf(page, "[role=dialog]")));
  }
  await dialog.getByRole("button", { name: act, exact: true }).click();
  await dialog.getByRole("alert").filter({ hasText: MESSAGE }).waitFor();
  await until("the focus is in the dialog", async () => ((await isFocusIn(page, "[role=dialog]")) ? true : undefined));
  for (const [label, text] of Object.entries(fields))
    if ((await dialog.getByLabel(label).inputValue()) !== text) found.push(`${label} is not kept`);
  found.push(...(await faultsOf(page, "[role=dialog]")));
  // Escape does not close a form with text.
  if (Object.keys(fields).length > 0 || choose) await dialog.getByRole("button", { name: "Close" }).click();
  else await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const back = isInMore ? MORE : opener;
  await until(`the focus is back at ${back}`, async () => ((await isFocused(page, back)) ? true : undefined));
  return found.map((one) => `${opener}: ${one}`);
};

const WITHOUT_ROW: Readonly<Record<string, string>> = {
  "Check every row of ${name}?": "keyboard.test.ts goes through it by keys, and it is like the dialog of an import.",
  Keys: "It does nothing that can fail. It is one of what opens.",
  "Your session has ended": "It is one of what opens, and shell.test.ts logs in with it.",
  "Attempts of ${shown.type}": "It only shows something. It is one of what opens.",
  "Deliver events again":
    "Its button waits for a dry run. It is one of what opens, and outgoing-webhooks.test.ts replays.",
  "Leave with changes that are not saved?": "It asks nothing of the server. editor.test.ts leaves a message with it.",
  "Restore this revision?": "A row of another dialog opens it. editor.test.ts restores a revision.",
  Revisions: "Its act has a dialog of its own. editor.test.ts restores a revision.",
  "Add a passkey": "Only a person with an invitation can open it. logins.test.ts adds one, after a refusal.",
  "Recovery codes": "Only a person with an invitation can open it. logins.test.ts makes ten.",
  "Add a person": "Only the page of parts has it. kit.test.ts saves it.",
  "Save this view": "A menu opens it. lists.test.ts saves a view, with axe-core.",
};

describe("the table of dialogs", () => {
  it("has each dialog whose title is written in the source, or says why not", () => {
    expect(titles.length).toBeGreaterThan(50);
    const rows = Object.values(ROWS).flatMap(({ dialogs }) => dialogs.map(({ title }) => title));
    expect(titlesWithoutRow(rows, WITHOUT_ROW)).toEqual([]);
    const without = rows.filter((title) => title !== "New list");
    expect(titlesWithoutRow(without, WITHOUT_ROW)).toEqual(["New list (pages/lists/list-form.tsx)"]);
  });
});

describe("the dialogs", () => {
  it.each(sampled(Object.keys(ROWS)))(
    "of %s say what the server refused, keep what was typed, and give the focus back",
    async (name) => {
      const { path, prepare, dialogs } = ROWS[name] as Row;
      const page = await enter({ path: path(ids), mayFail: true });
      await prepare?.(page);
      await failing(page, isQuestion);
      const found: string[] = [];
      for (const dialog of dialogs) found.push(...(await refusedIn(page, dialog)));
      expect(found).toEqual([]);
    },
  );
});

const openKeys = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
};

const makeKey = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("shown once");
  await page.keyboard.press("Enter");
  await page.getByText("it is not shown again").waitFor();
};

const loseSession = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.context().clearCookies();
  await page.getByRole("link", { name: "Sources" }).click();
  await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
};

const copyAs = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "curl" }).waitFor();
};

const openNavigation = async (page: Page): Promise<void> => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Sources" }).waitFor();
};

const OPENED: readonly [name: string, path: string, open: (page: Page) => Promise<void>][] = [
  ["the help", "/", openKeys],
  ["a key that was made", "/settings/keys", makeKey],
  ["a person who was invited", "/settings/members", invite],
  ["an outgoing webhook that was added", "/settings/webhooks", addWebhook],
  ["the attempts of an event", "/settings/webhooks", showAttempts],
  ["a replay to an outgoing webhook", "/settings/webhooks", askReplay],
  ["the login over a page", "/webhooks", loseSession],
  ["the menu of more actions", "/webhooks", copyAs],
  ["the navigation of a phone", "/webhooks", openNavigation],
];

const TABS = [
  ["Story", "the last mail"],
  ["Properties", "An empty field clears its property."],
  ["Lists", "Gets marketing mail at all"],
  ["Mail", "Welcome to"],
  ["Events", "No event of this contact is stored."],
  ["Workflows", "This contact has entered no workflow."],
  ["Raw data", '"email"'],
] as const;

describe("what opens", () => {
  it.each(sampled(OPENED))("has no violation that axe-core finds: %s", async (_, path, open) => {
    const page = await enter({ path });
    await open(page);
    expect(await faultsOf(page)).toEqual([]);
  });

  it("of a person, tab by tab, and with a value that is wrong", async () => {
    const page = await enter({ path: "/people/ada@dialogs.example", mayFail: true });
    const found: string[] = [];
    for (const [name, text] of TABS) {
      await page.getByRole("tab", { name: new RegExp(`^${name}( [\\d,]+ in all)?$`) }).click();
      await page.getByText(text).first().waitFor();
      found.push(...(await faultsOf(page)).map((one) => `${name}: ${one}`));
    }
    await page.getByRole("tab", { name: "Properties" }).click();
    await page.getByLabel("First Name").fill("Ada");
    await failing(page, isQuestion);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").filter({ hasText: MESSAGE }).waitFor();
    expect(await page.getByLabel("First Name").inputValue()).toBe("Ada");
    found.push(...(await violationsOf(page)));
    expect(found).toEqual([]);
  });

  it("moves nothing where the person wants less motion", async () => {
    const page = await enter({ path: "/people/lists" });
    await page.getByRole("button", { name: "New list" }).first().click();
    await page.getByRole("dialog", { name: "New list" }).waitFor();
    const moving = await page.evaluate(
      "document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getTiming().duration > 1).length",
    );
    expect(moving).toBe(0);
  });
});
