import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { secrets, until } from "../../system/mailspan.ts";
import { dashboardBench, logOut, violationsOf } from "./bench.ts";
import { addCampaign, asOperator } from "./data.ts";
import { addWorkflow, type Made } from "./workflow-data.ts";

const { enter, mailspan } = dashboardBench();

const team = () => `${mailspan().emailUrl}/admin/teams/demo`;
const v1 = () => `${team()}/v1`;
const contains = (value: string) => ({
  match: "all",
  conditions: [{ type: "property", key: "email", operator: "contains", value }],
});
const add = async (path: string, body: object): Promise<string> =>
  (await asOperator<{ id: string }>(`${v1()}${path}`, "POST", body)).id;
const addSegment = (name: string) =>
  add("/audience-segments", { name, description: "Before", filter: contains("drafts") });

let flow: Made;
let ids = { campaign: "", segment: "", mail: "", list: "" };
beforeAll(async () => {
  await asOperator(`${v1()}/contacts/create`, "POST", { email: "grace@drafts.example", firstName: "Grace" });
  flow = await addWorkflow(mailspan(), "Typed slowly");
  const node = await asOperator<{ emailMessageId: string }>(`${v1()}/workflows/${flow.id}/nodes/${flow.mail}`);
  ids = {
    campaign: await addCampaign(mailspan(), "Typed fast"),
    segment: await addSegment("Typed fast"),
    mail: node.emailMessageId,
    list: (await asOperator<{ id: string }>(`${team()}/lists`, "POST", { name: "Slow list" })).id,
  };
});

const saveButton = (page: Page): Locator => page.getByRole("button", { name: /^Save( the step)?$/ });

const nameOf = (page: Page): Locator => page.getByRole("textbox", { name: "Name", exact: true });

const holdSaves = async (page: Page): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/api/**", async (route) => {
    const isRead = route.request().method() === "GET" || /estimate|trial/.test(route.request().url());
    if (!isRead) await promise;
    await route.fallback();
  });
  return resolve;
};

const watchConflicts = (page: Page): Promise<void> =>
  page.evaluate(`globalThis.conflicts = 0; new MutationObserver(() => {
    if (/Another person has saved|Somebody else has/.test(document.body.innerText)) globalThis.conflicts += 1;
  }).observe(document, { childList: true, subtree: true, characterData: true })`);

type Row = {
  path: () => string;
  field: string;
  open?: (page: Page) => Promise<void>;
  sent: string;
  typed: string;
  toast: string;
  url: () => string;
  stored: (typed: string) => object;
};

const FORMS: Readonly<Record<string, Row>> = {
  "the name of a campaign": {
    path: () => `/campaigns/${ids.campaign}`,
    field: "Name",
    toast: "The campaign is saved.",
    sent: "Slow save",
    typed: "Slow save and more words",
    url: () => `${v1()}/campaigns/${ids.campaign}`,
    stored: (name) => ({ name }),
  },
  "the description of a segment": {
    path: () => `/segments/${ids.segment}`,
    field: "Description",
    toast: "The segment is saved.",
    sent: "one",
    typed: "one two three",
    url: () => `${v1()}/audience-segments/${ids.segment}`,
    stored: (description) => ({ description }),
  },
  "the time of a timer": {
    path: () => `/workflows/${flow.id}?node=${flow.timer}`,
    field: "Wait",
    toast: "The step is saved.",
    sent: "5",
    typed: "57",
    url: () => `${v1()}/workflows/${flow.id}/nodes/${flow.timer}`,
    stored: (text) => ({ amount: Number(text) }),
  },
  "the subject of a mail of a workflow": {
    path: () => `/workflows/${flow.id}?node=${flow.mail}`,
    field: "Subject",
    toast: "The subject is saved.",
    sent: "Your",
    typed: "Your first mail",
    url: () => `${v1()}/email-messages/${ids.mail}`,
    stored: (subject) => ({ subject }),
  },
  "a property of a contact": {
    path: () => "/people/grace@drafts.example",
    field: "First name",
    toast: "One property is saved.",
    open: (page) => page.getByRole("tab", { name: "Properties", exact: true }).click(),
    sent: "Gra",
    typed: "Grace Hopper",
    url: () => `${v1()}/contacts/find?email=grace@drafts.example`,
    stored: (firstName) => [{ firstName }],
  },
  "the settings of a team": {
    path: () => "/settings",
    field: "Sender's name",
    toast: "The settings are saved.",
    sent: "Ac",
    typed: "Acme Post",
    url: () => team(),
    stored: (fromName) => ({ fromName }),
  },
};

describe("what is typed during a save", () => {
  it.each(Object.keys(FORMS))("stays a draft, and is saved by the next one: %s", async (name) => {
    const { path, field: label, open, sent, typed, toast, url, stored } = FORMS[name] as Row;
    const page = await enter({ path: path() });
    await open?.(page);
    const field = page.getByRole("textbox", { name: label, exact: true });
    await field.fill(sent);
    await watchConflicts(page);
    const release = await holdSaves(page);
    await saveButton(page).click();
    await page.locator("button[data-loading]").waitFor();
    await field.fill(typed);
    release();
    await page.getByText(toast).first().waitFor();
    await until("it can be saved", async () => (await saveButton(page).isEnabled()) || undefined);
    expect(await field.inputValue()).toBe(typed);
    expect(await asOperator(url())).toMatchObject(stored(sent));
    expect(await page.evaluate("globalThis.conflicts")).toBe(0);

    await page.unrouteAll({ behavior: "wait" });
    await page.reload();
    await open?.(page);
    await field.waitFor();
    expect(await field.inputValue()).toBe(typed);
    await watchConflicts(page);
    await saveButton(page).click();
    await page.getByText(toast).first().waitFor();
    await until("nothing is left to save", async () => (await saveButton(page).isDisabled()) || undefined);
    expect(await asOperator(url())).toMatchObject(stored(typed));
    expect(await page.evaluate("globalThis.conflicts")).toBe(0);
  });

  it.each([
    { path: () => `/workflows/${flow.id}`, button: "Name and group", said: "The workflow is saved.", menu: true },
    { path: () => "/people/lists", button: "Edit Slow list", said: "The list is changed.", menu: false },
  ])("cannot be typed in a dialog that closes after it: $button", async ({ path, button, said, menu }) => {
    const page = await enter({ path: path() });
    if (menu) await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole(menu ? "menuitem" : "button", { name: button, exact: true }).click();
    const field = page.getByRole("dialog").getByLabel("Description");
    await field.fill("Of the dialog");
    const release = await holdSaves(page);
    await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
    await until("the field is off", async () => (await field.isDisabled()) || undefined);
    release();
    await page.getByText(said).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
});

const conflictOf = (page: Page): Locator =>
  page.getByRole("alert").filter({ hasText: "Another person has saved this meanwhile" });

describe("a kept draft of a segment", () => {
  it("takes nothing back that another person has saved in other fields", async () => {
    const id = await addSegment("Old name");
    const url = `${v1()}/audience-segments/${id}`;
    const change = (body: object) => asOperator(`${team()}/audience-segments/${id}`, "POST", body);
    const page = await enter({ path: `/segments/${id}` });
    await page.getByLabel("Condition 1: value").fill("mine");
    await change({ name: "New name by Bob", description: "By Bob" });
    await page.reload();
    await page.getByLabel("Condition 1: value").waitFor();
    expect(await page.getByLabel("Condition 1: value").inputValue()).toBe("mine");
    expect(await nameOf(page).inputValue()).toBe("New name by Bob");
    await saveButton(page).click();
    await page.getByText("The segment is saved.").waitFor();
    const filter = contains("mine");
    expect(await asOperator(url)).toMatchObject({ name: "New name by Bob", description: "By Bob", filter });
  });

  it("says what another person has saved in its fields, and takes it or not", async () => {
    const id = await addSegment("Both");
    const url = `${v1()}/audience-segments/${id}`;
    const change = (body: object) => asOperator(`${team()}/audience-segments/${id}`, "POST", body);
    const page = await enter({ path: `/segments/${id}` });
    const name = nameOf(page);
    await name.fill("Mine");
    await page.getByLabel("Condition 1: value").fill("mine");
    await change({ name: "Theirs", filter: contains("theirs") });
    await page.reload();
    await conflictOf(page).getByText("Name: theirs is Theirs").waitFor();
    await conflictOf(page).getByText("Conditions: theirs is").getByText("theirs").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await conflictOf(page).getByRole("button", { name: "Take theirs" }).click();
    await conflictOf(page).waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("Theirs");
    await page.getByText("Nothing is changed.").waitFor();

    await name.fill("Mine");
    await change({ name: "Theirs again" });
    await saveButton(page).click();
    await conflictOf(page).getByText("Name: theirs is Theirs again").waitFor();
    expect(await asOperator(url)).toMatchObject({ name: "Theirs again" });
    await saveButton(page).click();
    await page.getByText("The segment is saved.").waitFor();
    expect(await asOperator(url)).toMatchObject({ name: "Mine", filter: contains("theirs") });
    await conflictOf(page).waitFor({ state: "detached" });
  });
});

describe("a save with a dialog", () => {
  it.each([
    { kind: "theme", made: { name: "Calm sea" }, theirs: { name: "Theirs" } },
    {
      kind: "component",
      made: { name: "Calm foot", lmx: "<Paragraph>Calm</Paragraph>" },
      theirs: { name: "Theirs", lmx: "<Paragraph>Theirs</Paragraph>" },
    },
  ])("puts nothing in the place of what another person saved before it was seen: a $kind", async (row) => {
    const { kind, made, theirs } = row;
    const id = await add(`/${kind}s`, made);
    const url = `${v1()}/${kind}s/${id}`;
    const page = await enter({ path: `/${kind}s/${id}` });
    const name = nameOf(page);
    const dialog = page.getByRole("dialog");
    const save = async () => {
      await saveButton(page).click();
      await dialog.getByRole("button", { name: "Save", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await name.fill("Mine");
    await asOperator(url, "POST", theirs);
    await save();
    await page.getByText("Nothing was saved: another person has saved this meanwhile.").waitFor();
    await conflictOf(page).getByText("Name: theirs is Theirs").waitFor();
    expect(await asOperator(url)).toMatchObject(theirs);
    expect(await violationsOf(page)).toEqual([]);
    await conflictOf(page).getByRole("button", { name: "Take theirs" }).click();
    await page.getByText("Nothing is changed.").waitFor();
    expect(await name.inputValue()).toBe("Theirs");

    await name.fill("Mine");
    await asOperator(url, "POST", { name: "Theirs again" });
    await page.reload();
    await conflictOf(page).getByText("Name: theirs is Theirs again").waitFor();
    await save();
    await page.getByText("Theirs again is saved.").waitFor();
    expect(await asOperator(url)).toMatchObject({ ...theirs, name: "Mine" });
    await conflictOf(page).waitFor({ state: "detached" });
  });
});

describe("a draft", () => {
  const kept = (page: Page) =>
    page.evaluate<string[]>("Object.keys(sessionStorage).filter((key) => /^mailspan-(draft|import)/.test(key))");

  it.each(["Log out", "Log out everywhere"])("does not stay for the next person after *%s*", async (button) => {
    const id = await addCampaign(mailspan(), "Secret");
    const page = await enter({ path: `/campaigns/${id}`, alone: true });
    await nameOf(page).fill("For one person");
    expect(await kept(page)).toEqual([`mailspan-draft campaign demo ${id}`]);
    if (button === "Log out everywhere") {
      await page.goto(`${mailspan().dashboardUrl}/settings`);
      await page.getByRole("button", { name: button }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("What was typed and not saved is deleted in this tab").waitFor();
      await dialog.getByRole("button", { name: "Log out", exact: true }).click();
    } else await logOut(page);
    await page.getByLabel("Admin token").waitFor();
    await expect.poll(() => kept(page), { timeout: 10_000 }).toEqual([]);
    await page.getByLabel("Admin token").fill(secrets.ADMIN_TOKEN);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.goto(`${mailspan().dashboardUrl}/campaigns/${id}`);
    expect(await nameOf(page).inputValue()).toBe("Secret");
  });

  it("of a campaign is left out of a duplicate, which says so", async () => {
    const page = await enter({ path: `/campaigns/${await addCampaign(mailspan(), "Original")}` });
    await page.getByRole("button", { name: "Duplicate" }).click();
    const dialog = page.getByRole("dialog", { name: "Duplicate Original?" });
    await dialog.getByText("This campaign stays as it is.").waitFor();
    expect(await dialog.getByText("left out").count()).toBe(0);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await nameOf(page).fill("Changed");
    await page.getByRole("button", { name: "Duplicate" }).click();
    await dialog.getByText("Your changes that are not saved are left out.").waitFor();
  });
});
