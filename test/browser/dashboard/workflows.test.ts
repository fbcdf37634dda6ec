import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { until } from "../../system/mailspan.ts";
import { dashboardBench, toFit, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";
import { actOn, addWorkflow, enterWorkflow, importContacts, type Made, waitAt } from "./workflow-data.ts";

const { enter, mailspan } = dashboardBench();

const v1 = () => `${mailspan().emailUrl}/admin/teams/demo/v1`;

let made: Made;
beforeAll(async () => {
  made = await addWorkflow(mailspan(), "Trial");
  await actOn(mailspan(), made.id, "start");
  await enterWorkflow(mailspan(), made, ["ada@flow.example", "bo@flow.example", "cy@flow.example"]);
  await waitAt(mailspan(), made.id, made.timer, 3);
});

const graph = (page: Page) => page.getByRole("region", { name: "Graph of the workflow" });
const list = (page: Page) => page.getByRole("region", { name: "Steps of the workflow" });
const panel = (page: Page) => page.getByRole("region", { name: "The step" });
const focused = (page: Page): Promise<string | null> =>
  page.evaluate<string | null>("document.activeElement?.getAttribute('data-node') ?? null");

const saidBy = async (page: Page, nodeId: string): Promise<string> =>
  (await page.locator(`a[data-node="${nodeId}"] span:not(:has(span))`).allTextContents())
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join(", ");

/** Chooses an act in the menu of more actions. */
const more = async (page: Page, act: string) => {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: act, exact: true }).click();
};

const ask = async (page: Page, act: string, title: string) => {
  if (act === "Stop") await more(page, act);
  else await page.getByRole("button", { name: act, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.waitFor();
  return dialog;
};

describe("the page of a workflow", () => {
  it("has the same nodes with the same counts in the graph and in the list", async () => {
    const page = await enter();
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.getByRole("heading", { name: "Workflows" }).waitFor();
    await page.getByRole("link", { name: "Trial", exact: true }).click();
    await graph(page).waitFor();
    const ids = [made.root, made.mail, made.timer, made.branch, ...made.filters, made.last, made.exit];
    await page.locator(`[data-node="${made.exit}"]`).waitFor();
    const inGraph = await Promise.all(ids.map((id) => saidBy(page, id)));
    expect(inGraph[1]).toBe("Trial, the first mail, 3 passed · 3 in 24 h");
    expect(inGraph[2]).toMatch(/^Wait 1 day, Next in 2\d hours, people are here$/);
    expect(inGraph[5]).toBe("Everyone else, 0 took it");
    expect(await graph(page).getByRole("link").count()).toBe(ids.length);
    await page.getByText("List", { exact: true }).click();
    await list(page).waitFor();
    expect(await Promise.all(ids.map((id) => saidBy(page, id)))).toEqual(inGraph);
    expect(page.url()).toContain("view=list");
    await list(page).getByRole("link", { name: "Everyone else 0 took it" }).waitFor();
    expect(await graph(page).count()).toBe(0);
  });

  it("is walked with the arrows: Enter opens a node, Escape closes it and gives the focus back", async () => {
    const page = await enter({ path: `/workflows/${made.id}?view=graph` });
    await page.locator(`[data-node="${made.root}"]`).focus();
    for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    expect(await focused(page)).toBe(made.timer);
    await page.keyboard.press("ArrowUp");
    expect(await focused(page)).toBe(made.mail);
    await page.keyboard.press("End");
    expect(await focused(page)).toBe(made.exit);
    await page.keyboard.press("Home");
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    expect(made.filters).toContain(await focused(page));
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await panel(page).getByRole("heading", { name: "Trial, the first mail" }).waitFor();
    expect(page.url()).toContain(`node=${made.mail}`);
    await until("the panel has the focus", async () =>
      (await page.evaluate("document.activeElement?.ariaLabel")) === "The step" ? true : undefined,
    );
    await page.keyboard.press("Escape");
    await panel(page).waitFor({ state: "detached" });
    expect(await focused(page)).toBe(made.mail);
    expect(await graph(page).locator('[data-node][tabindex="0"]').count()).toBe(1);
  });

  it("shows the list on a phone, and the graph there without a violation", async () => {
    const page = await enter({ path: `/workflows/${made.id}`, width: 375 });
    await list(page).waitFor();
    await toFit(page);
    await page.getByText("Graph", { exact: true }).click();
    await graph(page).waitFor();
    await page.locator(`[data-node="${made.timer}"]`).click();
    await panel(page).getByRole("tab", { name: "Who is here" }).waitFor();
    await toFit(page);
    expect(await violationsOf(page)).toEqual([]);
  });

  it("lists who is here with since, until and why, and takes one out", async () => {
    await enterWorkflow(mailspan(), made, ["out@flow.example"]);
    await waitAt(mailspan(), made.id, made.timer, 4);
    const page = await enter({ path: `/workflows/${made.id}?node=${made.timer}&tab=here` });
    const here = page.getByRole("list", { name: "people here" });
    await here.getByRole("link", { name: "ada@flow.example" }).waitFor();
    const one = here.getByRole("listitem").filter({ hasText: "out@flow.example" });
    await one.getByText(/^Here since .*, next step in .*\.$/).waitFor();
    await one
      .getByText(/^The contact waits at the timer of 1 day\. Its next step is due at .*, \d\d:\d\d\.$/)
      .waitFor();
    await one.getByRole("button", { name: "Take out of the workflow" }).click();
    const dialog = page.getByRole("dialog", { name: "Take out@flow.example out of Trial?" });
    await dialog.getByRole("button", { name: "Take out", exact: true }).click();
    await page.getByText("out@flow.example is out of Trial.").waitFor();
    await one.waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Came out" }).getByText("Taken out by hand").waitFor();
    await here.getByRole("link", { name: "ada@flow.example" }).click();
    await page.getByRole("tab", { name: "Workflows" }).click();
    await page.getByRole("link", { name: "What happened there" }).click();
    await page.getByRole("heading", { name: /^Passage 1/ }).waitFor();
  });

  it("explains a person: what happened, where the person is, and why another one did not enter", async () => {
    await asOperator(`${v1()}/contacts/create`, "POST", { email: "never@flow.example", userId: "user-never" });
    const page = await enter({ path: `/workflows/${made.id}?view=list` });
    const field = page.getByLabel("Address, user id or id");
    await field.fill("ada@flow.example");
    await page.getByRole("button", { name: "Explain" }).click();
    const passage = page.getByRole("list", { name: "Passage 1" });
    await passage.getByText("Entered the workflow.").waitFor();
    await passage.getByRole("button", { name: "Started to wait at the timer of 1 day." }).click();
    await panel(page).getByRole("heading", { name: "Wait 1 day" }).waitFor();
    expect(page.url()).toContain("person=ada");
    await field.fill("user-never");
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByRole("heading", { name: "Why the person did not enter" }).waitFor();
    await page
      .getByText(/trial-paid/)
      .last()
      .waitFor();
    await field.fill("nobody@flow.example");
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByRole("alert").filter({ hasText: "This cannot be loaded" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it("has the mails of a node with a link to their message", async () => {
    const page = await enter({ path: `/workflows/${made.id}?node=${made.mail}` });
    await panel(page).getByRole("tab", { name: "Numbers" }).click();
    const mails = page.getByRole("region", { name: "Its mails" });
    const sent = mails.getByRole("term").filter({ hasText: /^Sent$/ });
    await sent.waitFor();
    const count = await sent.locator("xpath=following-sibling::dd").textContent();
    expect(Number(count)).toBeGreaterThanOrEqual(3);
    await page.getByRole("link", { name: "The message", exact: true }).click();
    await page.waitForURL(/\/messages\/msg_/);
    expect(await page.getByRole("textbox", { name: "Subject", exact: true }).inputValue()).toBe(
      "Trial, the first mail",
    );
  });
});

describe("the acts on a workflow", () => {
  it("name all that a draft lacks, mark it on the graph, and lead to its node", async () => {
    const name = "Empty";
    const { id, rootNodeId } = await asOperator<{ id: string; rootNodeId: string }>(`${v1()}/workflows`, "POST", {
      name,
    });
    const page = await enter({ path: `/workflows/${id}?view=graph` });
    const start = await ask(page, "Start", "Start Empty?");
    await start.getByText("It cannot be started yet").waitFor();
    expect(await start.getByRole("button", { name: "Start", exact: true }).isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await start
      .getByRole("button", { name: /^Show the step/ })
      .first()
      .click();
    await start.waitFor({ state: "detached" });
    await panel(page).getByRole("heading", { name: "Nothing starts it yet" }).waitFor();
    expect(await page.locator(`[data-node="${rootNodeId}"][data-problem]`).count()).toBe(1);
    expect(await saidBy(page, rootNodeId)).toContain("Nothing starts the workflow");
    await page.getByText("List", { exact: true }).click();
    await list(page).getByText("Nothing starts the workflow").waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it("start, pause, resume with what that changes, and stop", async () => {
    const flow = await addWorkflow(mailspan(), "Acts");
    const page = await enter({ path: `/workflows/${flow.id}?view=list` });
    const start = await ask(page, "Start", "Start Acts?");
    await start.getByText("People enter from now on, not for what happened before.").waitFor();
    await start.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText("Acts is live.").waitFor();
    await page.getByRole("main").getByText("Live", { exact: true }).waitFor();
    await enterWorkflow(mailspan(), flow, ["dee@flow.example"]);
    await page.getByText("1 entered, 1 is in it now").waitFor();
    await waitAt(mailspan(), flow.id, flow.timer, 1);

    const pause = await ask(page, "Pause", "Pause Acts?");
    await pause.getByText("New people are queued for 24 hours").waitFor();
    await pause.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByText(/New people are queued until /).waitFor();

    const { workflowRevisionId } = await asOperator<{ workflowRevisionId: string }>(`${v1()}/workflows/${flow.id}`);
    const longer = { expectedRevisionId: workflowRevisionId, payload: { amount: 3 } };
    await asOperator(`${v1()}/workflows/${flow.id}/nodes/${flow.timer}`, "POST", longer);
    const resume = await ask(page, "Resume", "Resume Acts?");
    await resume
      .getByRole("list", { name: "changes" })
      .getByText(/3 days/)
      .waitFor();
    await resume
      .getByRole("list", { name: "people who wait" })
      .getByText(/1 contact|1 goes|1 go/)
      .first()
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await resume.getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByText("Acts is live again.").waitFor();

    const stop = await ask(page, "Stop", "Stop Acts?");
    await stop.getByText("New ones are not queued").waitFor();
    await stop.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByText("Acts is stopped.").waitFor();
    await page.getByText("New ones do not enter.").first().waitFor();
    await page.getByRole("button", { name: "Show the versions" }).click();
    await page.getByRole("list", { name: "changes" }).getByRole("button").first().click();
    await panel(page).waitFor();
  });
});

it("a workflow with 1 000 people who wait shows its counts and who is here, page by page", async () => {
  const large = await addWorkflow(mailspan(), "Large", { typeName: "SignupTrigger" });
  await actOn(mailspan(), large.id, "start");
  await importContacts(mailspan(), "large", 1_000);
  await waitAt(mailspan(), large.id, large.timer, 1_000);
  const page = await enter({ path: `/workflows/${large.id}?node=${large.timer}&tab=here` });
  await panel(page).getByText("1,000 people wait here.").waitFor();
  await page.locator(`[data-node="${large.timer}"]`).waitFor();
  expect(await page.locator(`a[data-node="${large.timer}"]`).textContent()).toContain("1,000 people are here");
  expect(await saidBy(page, large.root)).toContain("1,000 passed");
  const here = page.getByRole("list", { name: "people here" });
  const names = () => here.getByRole("link").allTextContents();
  const first = await names();
  expect(first).toHaveLength(20);
  await panel(page).getByRole("button", { name: "More" }).click();
  await until("the next ones", async () => {
    const next = await names();
    return next.length === 20 && !next.some((one) => first.includes(one)) ? true : undefined;
  });
  await panel(page).getByRole("button", { name: "First", exact: true }).click();
  await until("the first ones", async () => ((await names())[0] === first[0] ? true : undefined));
});

it("a comparison of versions shows what is counted until now, part by part, and asks on to the end", async () => {
  const flow = await addWorkflow(mailspan(), "Compared");
  await actOn(mailspan(), flow.id, "start");
  await actOn(mailspan(), flow.id, "pause");
  const { workflowRevisionId } = await asOperator<{ workflowRevisionId: string }>(`${v1()}/workflows/${flow.id}`);
  const longer = { expectedRevisionId: workflowRevisionId, payload: { amount: 3 } };
  await asOperator(`${v1()}/workflows/${flow.id}/nodes/${flow.timer}`, "POST", longer);
  const page = await enter({ path: `/workflows/${flow.id}?view=list` });
  const { promise: isSeen, resolve: seen } = Promise.withResolvers<void>();
  await page.route("**/api/email/teams/*/workflows/*/diff*", async (route) => {
    const address = new URL(route.request().url());
    const isLast = address.searchParams.get("cursor") === "more";
    if (isLast) await isSeen;
    address.searchParams.delete("cursor");
    const response = await route.fetch({ url: address.href });
    const diff = (await response.json()) as object;
    const some = isLast
      ? { looked: 8_000, text: "All of them.", next: null }
      : { looked: 5_000, text: "A part.", next: "more" };
    await route.fulfill({ response, json: { ...diff, waiting: 8_000, ...some } });
  });
  await page.getByRole("button", { name: "Show the versions" }).click();
  await page.getByText("Counting: 5,000 of 8,000 people are looked at until now.").waitFor();
  await page.getByText("A part. 8,000 people wait in all.").waitFor();
  seen();
  await page.getByText("All of them. 8,000 people wait in all.").waitFor();
  expect(await page.getByText("Counting:").count()).toBe(0);
});
