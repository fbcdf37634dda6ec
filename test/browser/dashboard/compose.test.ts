import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { secrets, until } from "../../system/mailspan.ts";
import { dashboardBench, toFit, violationsOf } from "./bench.ts";
import { addCampaign, asOperator, sendCampaign } from "./data.ts";
import { faultsOf } from "./faults.ts";

const { enter, mailspan } = dashboardBench();

const team = () => `${mailspan().emailUrl}/admin/teams/demo`;
const CONTACTS = 12_000;

beforeAll(async () => {
  const rows = [...Array(CONTACTS).keys()].map((n) => `p${n}@compose.example,${n % 10 === 0 ? "false" : "true"}`);
  const response = await fetch(`${team()}/imports?name=people.csv`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "Content-Type": "text/csv" },
    body: ["email,subscribed", ...rows].join("\n"),
  });
  const { id, mapping } = (await response.json()) as { id: string; mapping: object };
  await asOperator(`${team()}/imports/${id}/start`, "POST", { mapping });
  await until(
    "the contacts are imported",
    async () => (await asOperator<{ state: string }>(`${team()}/imports/${id}`)).state === "done" || undefined,
    60_000,
  );
}, 120_000);

type Stored = { name: string; status: string; scheduling: { method: string; timestamp: string | null } };
const stored = (id: string) => asOperator<Stored>(`${team()}/v1/campaigns/${id}`);
const count = (page: Page) => page.getByRole("status", { name: "Count" });
const name = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });
const saved = (page: Page) => page.getByText("All of it is saved.").waitFor();
const save = async (page: Page) => {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The campaign is saved.").first().waitFor();
  await saved(page);
};
const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};
const open = async (title: string, fields: object = {}): Promise<{ id: string; page: Page }> => {
  const id = await addCampaign(mailspan(), title, fields);
  const page = await enter({ path: `/campaigns/${id}`, alone: true });
  page.on("dialog", (asked) => void asked.accept());
  await saved(page);
  return { id, page };
};

describe("the audience of a draft", () => {
  it("of a large team is estimated at once, and counted on demand", async () => {
    const { page } = await open("To many");
    await count(page)
      .getByText(
        /^About [\d,]+ contacts would get it \(between [\d,]+ and [\d,]+\), of about 12,000 contacts in the team\.$/,
      )
      .waitFor();
    // The page gets a first count of a part only, and the second request waits.
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const part = { recipients: 9_000, exact: false, low: 4_500, high: 10_500, next: "part" };
    await page.route("**/campaigns/*/estimate", async (route) => {
      const { cursor, ...asked } = route.request().postDataJSON() as { exact?: boolean; cursor?: string };
      if (cursor === part.next) await released;
      const body = { ...asked, ...(cursor === part.next ? {} : { cursor }) };
      const response = await route.fetch({ postData: JSON.stringify(body) });
      const isPart = asked.exact === true && cursor === undefined;
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...(isPart ? part : {}) } });
    });
    await page.getByRole("button", { name: "Count all of them" }).click();
    await count(page).getByText("Counting … 6,000 contacts left to look at").waitFor();
    await count(page).getByText("between 4,500 and 10,500").waitFor();
    release();
    await count(page).getByText("10,800 contacts would get it, of 12,000 contacts in the team.").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.getByText("1,200 not: unsubscribed from everything").waitFor();
    expect(await page.getByRole("button", { name: "Count all of them" }).count()).toBe(0);
    await page.getByRole("button", { name: "Add conditions of its own" }).click();
    await page.getByLabel("Condition 1: value").fill("@compose.example");
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    await toFit(page);
  });

  it("that has no recipient names what keeps all of them out, and is not sent", async () => {
    const conditions = [{ type: "property", key: "email", operator: "equals", value: "none@compose.example" }];
    const { id: audienceSegmentId } = await asOperator<{ id: string }>(`${team()}/v1/audience-segments`, "POST", {
      name: "Empty",
      filter: { match: "all", conditions },
    });
    const { page } = await open("To nobody", { audienceSegmentId });
    await count(page)
      .getByText(/^About 0 contacts would get it \(between 0 and \d+\)/)
      .waitFor();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Send To nobody?" });
    await dialog.getByText("Nobody would get it: no contact meets its segment and filter.").waitFor();
    await dialog
      .getByText(/^Condition 1 of the segment: without this condition, .* more contacts would match\./)
      .waitFor();
    expect(await dialog.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
  });
});

describe("the time of a draft", () => {
  it("is one of the person's zone, in the future, and is sent as a schedule", async () => {
    const { id, page } = await open("Later");
    await page.getByText("Schedule", { exact: true }).click();
    await page.getByText("Time zone of the team: UTC, UTC+00:00").waitFor();
    await page.getByLabel("Begins", { exact: true }).fill("2020-01-31T09:30");
    await page.getByRole("list", { name: "Checks" }).getByText("This time has passed. Give another one.").waitFor();
    expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
    const tomorrow = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 11)}09:30`;
    await page.getByLabel("Begins", { exact: true }).fill(tomorrow);
    await save(page);
    expect((await stored(id)).scheduling).toEqual({ method: "schedule", timestamp: `${tomorrow}:00.000Z` });
    await page.getByRole("main").getByRole("button", { name: "Schedule", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Send Later?" });
    await dialog
      .getByText(/It begins on \w+ \d+, \d{4}, 09:30 \(UTC, UTC\+00:00\): (in \d+ hours|tomorrow)\./)
      .waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Send now", { exact: true }).click();
    await save(page);
    expect((await stored(id)).scheduling).toEqual({ method: "now", timestamp: null });
  });
});

describe("what is typed of a draft", () => {
  it("survives an expired login, and is saved after it", async () => {
    const { id, page } = await open("Typed");
    await name(page).fill("Typed before the login ended");
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("Admin token").fill(secrets.ADMIN_TOKEN);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await name(page).inputValue()).toBe("Typed before the login ended");
    await page.getByText("This was refused").waitFor({ state: "detached" });
    await save(page);
    expect((await stored(id)).name).toBe("Typed before the login ended");
  });

  it("stands beside what another person saved meanwhile, until one of both is taken", async () => {
    const { id, page } = await open("Ours");
    await name(page).fill("Mine");
    await asOperator(`${team()}/v1/campaigns/${id}`, "POST", { name: "Theirs" });
    await page.reload();
    await page.getByText("Another person has saved this meanwhile").waitFor();
    await page.getByText("They changed the name. A save puts yours in its place.").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await name(page).inputValue()).toBe("Mine");
    await page.getByRole("button", { name: "Take theirs" }).click();
    expect(await name(page).inputValue()).toBe("Theirs");
    await saved(page);
  });

  it("takes nothing from another person who saved between load and save", async () => {
    const { id, page } = await open("Loaded");
    const { id: theirs } = await asOperator<{ id: string }>(`${team()}/v1/audience-segments`, "POST", {
      name: "Chosen by them",
      filter: {
        match: "all",
        conditions: [{ type: "property", key: "email", operator: "contains", value: "compose" }],
      },
    });
    // A page in the background does not poll: the second writer is always between its load and its save.
    await page.evaluate('void Object.defineProperty(document, "visibilityState", { value: "hidden" })');
    await name(page).fill("Mine");
    await page.getByRole("button", { name: "Add conditions of its own" }).click();
    await page.getByLabel("Condition 1: value").fill("@compose.example");
    await asOperator(`${team()}/v1/campaigns/${id}`, "POST", { name: "Theirs", audienceSegmentId: theirs });
    const press = () => page.getByRole("button", { name: "Save", exact: true }).click();
    await press();
    await page.getByText("They changed the name, the segment, the conditions.", { exact: false }).waitFor();
    type Whole = Stored & { audienceSegmentId: string | null };
    const now = () => asOperator<Whole>(`${team()}/v1/campaigns/${id}`);
    expect(await now()).toMatchObject({ name: "Theirs", audienceSegmentId: theirs });
    expect(await name(page).inputValue()).toBe("Mine");
    await press();
    await until("it is saved", async () => ((await now()).name === "Mine" ? true : undefined));
    expect(await now()).toMatchObject({ audienceSegmentId: null, audienceFilter: { match: "all" } });
  });

  it("is refused at its field, and says where the campaign is sent meanwhile", async () => {
    const { id: list } = await asOperator<{ id: string }>(`${team()}/lists`, "POST", { name: "Short-lived" });
    const { id, page } = await open("Refused");
    await choose(page, "Mailing list", "Short-lived");
    await asOperator(`${team()}/lists/${list}`, "POST", { isArchived: true });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page
      .getByText(/is archived\. Choose another one\.$/)
      .first()
      .waitFor();
    expect(await page.getByRole("combobox", { name: "Mailing list" }).getAttribute("aria-invalid")).toBe("true");
    await choose(page, "Mailing list", "Any contact");
    await saved(page);
    await name(page).fill("Too late");
    await choose(page, "Segment", "Empty");
    await sendCampaign(mailspan(), id, 300);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/the campaign is scheduled\. Unschedule it first/).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("Not saved yet. What is typed stays in this tab.").waitFor();
    expect(await name(page).inputValue()).toBe("Too late");
  });
});

it("a campaign is duplicated, and a draft is deleted after a typed word, unless it was sent meanwhile", async () => {
  const { id, page } = await open("Model");
  await page.getByRole("button", { name: "Duplicate", exact: true }).click();
  await page.getByRole("dialog", { name: "Duplicate Model?" }).getByRole("button", { name: "Duplicate" }).click();
  await page.getByText("Model (copy) is a draft.").waitFor();
  await until("the copy is shown", async () => ((await name(page).inputValue()) === "Model (copy)" ? true : undefined));
  const copy = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(copy).not.toBe(id);

  await sendCampaign(mailspan(), copy, 300);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Delete the campaign Model (copy)?" });
  await dialog.getByLabel('Type "delete" to confirm').fill("delete");
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await dialog.getByText(/The campaign is scheduled: unschedule it first\./).waitFor();
  await asOperator(`${team()}/campaigns/${copy}/unschedule`, "POST");
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("Model (copy) is deleted.").waitFor();
  await page.getByRole("heading", { name: "Campaigns" }).waitFor();
  await page.getByRole("link", { name: "Model", exact: true }).waitFor();
  expect(await page.getByRole("link", { name: "Model (copy)" }).count()).toBe(0);
});

it("sending is counted down by the service's clock, and an undo after the start says that it came too late", async () => {
  const id = await addCampaign(mailspan(), "Five minutes ahead", {
    audienceFilter: {
      match: "all",
      conditions: [{ type: "property", key: "email", operator: "equals", value: "p1@compose.example" }],
    },
  });
  const act = (name: string, fields?: object) => asOperator(`${team()}/campaigns/${id}/${name}`, "POST", fields);
  await sendCampaign(mailspan(), id, 290);
  const prepare = (page: Page) =>
    page.addInitScript("{ const now = Date.now; Date.now = () => now() + 300_000; }") as Promise<unknown>;
  const page = await enter({ path: `/campaigns/${id}`, alone: true, prepare });
  await page
    .getByRole("timer")
    .getByText(/^Begins in [12]\d\d s$/)
    .waitFor();
  await page.evaluate('void Object.defineProperty(document, "visibilityState", { value: "hidden" })');
  await act("unschedule");
  await act("send", { expected: 1, delaySeconds: 0 });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("Undo came too late, and changed nothing").waitFor();
  await page.getByText(/^The campaign .+ A mail that has left cannot be taken back\.$/).waitFor();
});

it("sending from a dialog that was open for longer than its count is good counts again, and is made", async () => {
  const { id, page } = await open("Thought about");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Send Thought about?" });
  await dialog.getByLabel(/^Type "/).fill("10800");
  const answers: string[] = [];
  page.on("response", (response) => {
    const [, act] = new URL(response.url()).pathname.split(`${id}/`);
    const asked = (response.request().postDataJSON() ?? {}) as { exact?: boolean; dryRun?: boolean };
    if ((act === "send" && !asked.dryRun) || (act === "estimate" && asked.exact))
      answers.push(`${act} ${response.status()}`);
  });
  const conditions = [{ type: "property", key: "email", operator: "contains", value: "@compose.example" }];
  await asOperator(`${team()}/v1/campaigns/${id}`, "POST", { audienceFilter: { match: "all", conditions } });
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("Thought about is being sent. It can be undone for 30 seconds.").waitFor();
  expect(answers.filter((answer, n) => answer !== answers[n - 1])).toEqual(["send 409", "estimate 200", "send 200"]);
  expect(answers.filter((answer) => answer.startsWith("send"))).toHaveLength(2);
  await asOperator(`${team()}/campaigns/${id}/unschedule`, "POST");
});

it("after sending, the page asks no more what sending lacks, however late it is told that sending was made", async () => {
  const { id, page } = await open("Told late");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Send Told late?" });
  await dialog.getByLabel(/^Type "/).fill("10800");
  const sends: Record<string, unknown>[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(`${id}/send`)) sends.push(request.postDataJSON());
  });
  await page.route(/\/status$/, async (route) => {
    await setTimeout(500);
    await route.continue();
  });
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("Told late is being sent. It can be undone for 30 seconds.").waitFor();
  await page.getByRole("button", { name: "Undo", exact: true }).waitFor();
  const made = sends.findIndex(({ expected }) => expected === 10_800);
  expect(sends.slice(made)).toEqual([{ expected: 10_800, delaySeconds: 30 }]);
  await page.unrouteAll({ behavior: "wait" });
  await asOperator(`${team()}/campaigns/${id}/unschedule`, "POST");
});
