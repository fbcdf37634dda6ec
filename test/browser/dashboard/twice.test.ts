import { setTimeout } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { until } from "../../system/mailspan.ts";
import { dashboardBench, violationsOf } from "./bench.ts";
import { addCampaign, asOperator } from "./data.ts";
import { settingsVars } from "./settings-data.ts";
import { settled } from "./watch.ts";

const { enter, mailspan } = dashboardBench({}, settingsVars);

const team = () => `${mailspan().emailUrl}/admin/teams/demo`;
type Named = { data: { id: string; name: string }[] };
const campaignsNamed = async (name: string) =>
  (await asOperator<Named>(`${team()}/v1/campaigns?perPage=50`)).data.filter((one) => one.name === name);

beforeAll(async () => {
  await asOperator(`${team()}/v1/contacts/create`, "POST", { email: "ada@twice.example" });
  await asOperator(`${team()}/v1/events/send`, "POST", { email: "ada@twice.example", eventName: "ordered" });
});

const clickTwice = async (button: Locator, apart = 30): Promise<void> => {
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (!box) throw new Error("There is no such button.");
  const { mouse } = button.page();
  const at = [box.x + box.width / 2, box.y + box.height / 2] as const;
  const first = mouse.click(...at);
  await setTimeout(apart);
  await Promise.all([first, mouse.click(...at, { clickCount: 2 })]);
};

const counting = (page: Page, end: RegExp): (() => number) => {
  let count = 0;
  page.on("request", (request) => {
    const isDry = /"dryRun":true/.test(request.postData() ?? "");
    if (request.method() === "POST" && end.test(new URL(request.url()).pathname) && !isDry) count += 1;
  });
  return () => count;
};

const openFirst = async (page: Page, link: string | RegExp) => {
  await page.getByRole("main").getByRole("link", { name: link }).first().click();
};

type Row = {
  path: string;
  opener: string;
  act: string;
  asks: RegExp;
  fields?: Readonly<Record<string, string>>;
  before?: (page: Page) => Promise<unknown>;
};

const ROWS: Readonly<Record<string, Row>> = {
  "a campaign": {
    path: "/campaigns",
    opener: "New campaign",
    act: "Create",
    asks: /\/v1\/campaigns$/,
    fields: { Name: "Twice" },
  },
  "an API key": {
    path: "/settings/keys",
    opener: "New key",
    act: "Create",
    asks: /\/keys$/,
    fields: { Name: "twice" },
  },
  "an outgoing webhook": {
    path: "/settings/webhooks",
    opener: "New webhook",
    act: "Add",
    asks: /\/webhooks$/,
    fields: { Address: "https://twice.example/hooks" },
  },
  "a sending domain": {
    path: "/settings/domains",
    opener: "New domain",
    act: "Add",
    asks: /\/domains$/,
    fields: { Name: "mail.twice.example" },
  },
  "a mailing list": {
    path: "/people/lists",
    opener: "New list",
    act: "Save",
    asks: /\/lists$/,
    fields: { Name: "Twice" },
  },
  "a theme": {
    path: "/templates/brand",
    opener: "New theme",
    act: "Create",
    asks: /\/v1\/themes$/,
    fields: { Name: "Twice" },
  },
  "a component": {
    path: "/templates/components",
    opener: "New component",
    act: "Create",
    asks: /\/v1\/components$/,
    fields: { Name: "Twice" },
  },
  "a transactional email": {
    path: "/transactional",
    opener: "New transactional email",
    act: "Create",
    asks: /\/v1\/transactional-emails$/,
    fields: { Name: "Twice" },
  },
  "a contact": {
    path: "/people",
    opener: "Add a person",
    act: "Add",
    asks: /\/contacts\/create$/,
    fields: { Address: "new@twice.example" },
  },
  "a test event": {
    path: "/workflows/events",
    opener: "Send a test event",
    act: "Send",
    asks: /\/v1\/events\/send$/,
    fields: { "Address of the contact": "ada@twice.example" },
    before: (page) => openFirst(page, "ordered"),
  },
  "the duplicate of a campaign": {
    path: "/campaigns",
    opener: "Duplicate",
    act: "Duplicate",
    asks: /\/duplicate$/,
    before: async (page) => {
      const id = await addCampaign(mailspan(), "Once");
      await page.goto(new URL(`/campaigns/${id}`, page.url()).href);
    },
  },
};

const openDialog = async (page: Page, { before, opener, fields = {} }: Omit<Row, "path">) => {
  await before?.(page);
  await page.getByRole("main").getByRole("button", { name: opener, exact: true }).click();
  const dialog = page.getByRole("dialog");
  for (const [label, value] of Object.entries(fields))
    await dialog.getByRole("textbox", { name: label, exact: true }).fill(value);
  return dialog;
};

describe("a double click", () => {
  it.each(Object.entries(ROWS))("makes one of %s", async (_, row) => {
    const page = await enter({ path: row.path });
    const asked = counting(page, row.asks);
    const act = (await openDialog(page, row)).getByRole("button", { name: row.act, exact: true });
    await until("the act can be done", async () => ((await act.isEnabled()) ? true : undefined));
    await clickTwice(act);
    await until("it is asked for", async () => (asked() > 0 ? true : undefined));
    await settled(page);
    // A second request could still come when the page is drawn after the first.
    await setTimeout(300);
    expect(asked()).toBe(1);
  });

  it.each([90, 150, 250])("does it once where the second click comes %d ms later, after the answer", async (apart) => {
    const name = `Apart ${apart}`;
    const page = await enter({ path: "/campaigns" });
    const dialog = await openDialog(page, { ...(ROWS["a campaign"] as Row), fields: { Name: name } });
    await clickTwice(dialog.getByRole("button", { name: "Create", exact: true }), apart);
    await page.waitForURL("**/campaigns/cmp_*");
    await settled(page);
    expect(await campaignsNamed(name)).toHaveLength(1);
  });

  it.each([80, 150, 250])("on what opens a dialog leaves it open: %d ms", async (apart) => {
    const page = await enter({ path: "/campaigns" });
    await clickTwice(page.getByRole("main").getByRole("button", { name: "New campaign" }), apart);
    const dialog = page.getByRole("dialog", { name: "New campaign" });
    await dialog.getByLabel("Name").waitFor();
    await setTimeout(600);
    expect(await dialog.isVisible()).toBe(true);
    await page.mouse.click(5, 600);
    await dialog.waitFor({ state: "detached" });
  });
});

const loseNext = async (page: Page, path: RegExp): Promise<void> => {
  let isOver = false;
  await page.route(
    (url) => path.test(url.pathname),
    async (route) => {
      const request = route.request();
      if (isOver || request.method() === "GET" || /"dryRun":true/.test(request.postData() ?? ""))
        return route.fallback();
      isOver = true;
      await route.fetch();
      return route.abort("connectionreset");
    },
  );
};

const UNKNOWN = "No answer, so this may or may not be done";

describe("an act whose answer was lost", () => {
  it("is not done twice by another try: a campaign", async () => {
    const page = await enter({ path: "/campaigns", mayFail: true });
    await loseNext(page, /\/v1\/campaigns$/);
    const dialog = await openDialog(page, { ...(ROWS["a campaign"] as Row), fields: { Name: "Lost" } });
    const create = dialog.getByRole("button", { name: "Create", exact: true });
    await create.click();
    const told = dialog.getByRole("alert");
    await told.getByText(UNKNOWN).waitFor();
    await told.getByText("Try again with the same fields: it is not done twice.").waitFor();
    expect(await told.getByText("This was refused").count()).toBe(0);
    await page.getByRole("link", { name: "Lost", includeHidden: true }).first().waitFor({ state: "attached" });
    expect(await violationsOf(page)).toEqual([]);
    // The person has looked, so the second click is meant.
    await setTimeout(600);
    await create.click();
    await told.getByText("Done. The first try had worked.").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await settled(page);
    expect(await campaignsNamed("Lost")).toHaveLength(1);
  });

  it("without a key says where to look: an API key", async () => {
    const page = await enter({ path: "/settings/keys", mayFail: true });
    await loseNext(page, /\/keys$/);
    const dialog = await openDialog(page, { ...(ROWS["an API key"] as Row), fields: { Name: "lost" } });
    const asked = counting(page, /\/keys$/);
    await clickTwice(dialog.getByRole("button", { name: "Create", exact: true }), 60);
    await dialog.getByText(UNKNOWN).waitFor();
    await dialog.getByText("Look at the page, or at its list, before you try again").waitFor();
    await page.getByText("lost", { exact: true }).first().waitFor({ state: "attached" });
    expect(asked()).toBe(1);
  });

  it("says so: a preview mail", async () => {
    const id = await addCampaign(mailspan(), "Previewed");
    const { emailMessageId } = await asOperator<{ emailMessageId: string }>(`${team()}/v1/campaigns/${id}`);
    const page = await enter({ path: `/messages/${emailMessageId}`, mayFail: true });
    await page.getByRole("button", { name: "Send a preview" }).click();
    const dialog = page.getByRole("dialog", { name: "Send a preview" });
    await dialog.getByLabel("To").fill("ada@twice.example");
    const asked = counting(page, /\/preview$/);
    await loseNext(page, /\/preview$/);
    await clickTwice(dialog.getByRole("button", { name: "Send", exact: true }));
    await dialog.getByText(UNKNOWN).waitFor();
    expect(asked()).toBe(1);
    // The person has looked, so the second click is meant.
    await setTimeout(600);
    await clickTwice(dialog.getByRole("button", { name: "Send", exact: true }));
    await page.getByText("The preview is on its way to ada@twice.example.").waitFor();
    await dialog.waitFor({ state: "detached" });
    expect(asked()).toBe(2);
  });

  it("shows what it did: sending, with its Undo", async () => {
    const id = await addCampaign(mailspan(), "Launched");
    const page = await enter({ path: `/campaigns/${id}`, mayFail: true });
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Send Launched?" });
    const confirm = dialog.getByLabel(/^Type "\d+" to confirm$/);
    const label = (await dialog.getByText(/^Type "\d+" to confirm$/).textContent()) ?? "";
    await confirm.fill(/\d+/.exec(label)?.[0] ?? "");
    await loseNext(page, /\/send$/);
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("It is about to be sent", { exact: true }).waitFor();
    await page.getByRole("button", { name: /Undo/ }).click();
    await page.getByText("Launched is a draft again. Nothing was sent.").waitFor();
  });
});

it("a dialog stays while its act runs, also for Escape", async () => {
  const page = await enter({ path: "/campaigns" });
  const dialog = await openDialog(page, { ...(ROWS["a campaign"] as Row), fields: { Name: "Slow" } });
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route(/\/v1\/campaigns$/, async (route) => {
    await held;
    return route.continue();
  });
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await dialog.locator("button[data-loading]").waitFor();
  await page.keyboard.press("Escape");
  await setTimeout(300);
  expect(await dialog.isVisible()).toBe(true);
  goOn();
  await page.waitForURL("**/campaigns/cmp_*");
});
