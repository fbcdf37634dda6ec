import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { dashboardBench, toFit, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";

const { enter, mailspan } = dashboardBench();

type Workflow = { id: string; name: string; nodes: Record<string, { typeName: string; subject?: string }> };

const named = async (name: string): Promise<Workflow[]> => {
  const v1 = `${mailspan().emailUrl}/admin/teams/demo/v1/workflows`;
  const { data } = await asOperator<{ data: { id: string; name: string }[] }>(`${v1}?perPage=50`);
  return Promise.all(data.filter((one) => one.name === name).map(({ id }) => asOperator<Workflow>(`${v1}/${id}`)));
};
const typesOf = ({ nodes }: Workflow) => Object.values(nodes).map(({ typeName }) => typeName);

const choose = async (page: Page, template: string, name: string) => {
  await page.getByRole("radio", { name: template }).check();
  await page.getByLabel("Name", { exact: true }).fill(name);
};

it("a new workflow is made from a template with its mails, and starts as it is: a new team has all that it needs", async () => {
  const page = await enter({ path: "/workflows" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("n");
  await choose(page, "When a trial starts", "From a template");
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 800 });
  await toFit(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.reload();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("From a template");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText("From a template is created.").waitFor();
  const [made, ...others] = await named("From a template");
  expect(others).toEqual([]);
  expect(made && typesOf(made)).toEqual([
    "EventTrigger",
    "SendEmailAction",
    "TimerAction",
    "AudienceFilter",
    "SendEmailAction",
    "TimerAction",
    "SendEmailAction",
    "ExitAction",
  ]);
  const start = `${mailspan().emailUrl}/admin/teams/demo/workflows/${made?.id}/start`;
  const { problems } = await asOperator<{ problems: { code: string; message: string }[] }>(start, "POST", {
    dryRun: true,
  });
  expect(problems).toEqual([]);
});

it("a new workflow that fails half-way is there, says what it lacks, and goes on without anything twice", async () => {
  const page = await enter({ path: "/workflows/new", mayFail: true });
  await choose(page, "When someone signs up", "Half-way");
  // The second request for a node succeeds, but its answer is lost once.
  let requests = 0;
  await page.route(/\/workflows\/[^/]+\/nodes$/, async (route) => {
    requests += 1;
    if (requests !== 2) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const lacks = page.getByRole("alert").filter({ hasText: "lacks parts of its template" });
  await lacks.getByText('the mail "How is it going?"').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.reload();
  await lacks.getByRole("button", { name: "Add what is missing" }).click();
  await page.getByText("The workflow has all parts of its template.").waitFor();
  await lacks.waitFor({ state: "detached" });
  const all = await named("Half-way");
  expect(all.map(typesOf)).toEqual([
    ["SignupTrigger", "SendEmailAction", "TimerAction", "SendEmailAction", "ExitAction"],
  ]);
  const subjects = Object.values(all[0]?.nodes ?? {}).flatMap(({ subject }) => subject ?? []);
  expect(subjects).toEqual(["Welcome, {contact.firstName}", "How is it going?"]);
});
