import { beforeAll, expect, it } from "vitest";
import { dashboardBench, toFit, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";
import { addWorkflow, enterWorkflow, type Made } from "./workflow-data.ts";

const { enter, mailspan } = dashboardBench();

let made: Made;
beforeAll(async () => {
  made = await addWorkflow(mailspan(), "Tried");
  await enterWorkflow(mailspan(), made, ["ada@trial.example", "bo@trial.example"]);
});

const sends = async (): Promise<unknown[]> => {
  const { data } = await asOperator<{ data: unknown[] }>(`${mailspan().emailUrl}/admin/teams/demo/sends?perPage=50`);
  return data;
};

it("a simulation tells day by day what a person would go through, assumes changes, and sends nothing", async () => {
  const page = await enter({ path: `/workflows/${made.id}` });
  const before = await sends();
  await page.getByRole("button", { name: "Simulate", exact: true }).click();
  const trial = page.getByRole("region", { name: "The trial" });
  await trial.getByText("Nothing is sent, and nothing is stored.").waitFor();
  await trial.getByLabel("Person", { exact: true }).fill("ada@trial.example");
  await trial.getByRole("button", { name: "Simulate", exact: true }).click();
  const outcome = trial.getByRole("status", { name: "Outcome of the simulation" });
  await outcome.getByText('Day 0: "Tried, the first mail"').waitFor();
  expect(await outcome.getByText("Tried, the last mail").count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);

  await trial.getByRole("button", { name: "Assume a change on a later day" }).click();
  await trial.getByRole("combobox", { name: "Assumption 1: property" }).click();
  await page.getByRole("option", { name: "User Group" }).click();
  await trial.getByLabel("Assumption 1: after days").fill("0.5");
  await trial.getByLabel("Assumption 1: value").fill("vip");
  await trial.getByRole("button", { name: "Simulate", exact: true }).click();
  await outcome.getByText('Day 1: "Tried, the last mail"').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 800 });
  await toFit(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.reload();
  expect(await trial.getByLabel("Person", { exact: true }).inputValue()).toBe("ada@trial.example");
  await trial.getByLabel("Days to play").fill("731");
  await trial.getByText("at most 730").waitFor();
  expect(await trial.getByRole("button", { name: "Simulate", exact: true }).isEnabled()).toBe(false);
  expect(await sends()).toEqual(before);
});

it("a dry run over past events counts who would have entered, and their mails", async () => {
  const page = await enter({ path: `/workflows/${made.id}?trial=events` });
  const trial = page.getByRole("region", { name: "The trial" });
  await trial.getByRole("button", { name: "Play the events" }).click();
  const outcome = trial.getByRole("status", { name: "Outcome of the dry run" });
  await outcome.getByText(/^2 events since .*: 2 entered$/).waitFor();
  const row = outcome.getByRole("row").filter({ hasText: "Tried, the first mail" });
  expect(await row.getByRole("cell").allTextContents()).toEqual(["Tried, the first mail", "2", "0"]);
  await outcome.getByText("2 at the timer of 1 day").waitFor();
  await outcome.getByRole("link", { name: "bo@trial.example" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await trial.getByRole("button", { name: "End the trial" }).click();
  await trial.waitFor({ state: "detached" });
});
