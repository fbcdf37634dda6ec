import { expect } from "vitest";
import { picture, recorder } from "./record.ts";
import type { Tour } from "./tour.ts";

/** A new user makes a workflow from a template, and tries it on a person before it starts. */
export const workflow = async ({ page, link }: Tour): Promise<void> => {
  const record = recorder(page, "workflow");
  await page.goto(link);
  await page.getByRole("region", { name: "The way of webhooks and mail" }).waitFor();
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  await page.getByRole("heading", { name: "Workflows", level: 1 }).waitFor();
  await record("The workflows");
  await page.getByRole("link", { name: "New workflow" }).first().click();
  await page.getByRole("radio", { name: "When a trial starts" }).check();
  await page.getByLabel("Name", { exact: true }).fill("Trial");
  await record("The templates");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText("Trial is created.").waitFor();
  const graph = page.getByRole("region", { name: "Graph of the workflow" });
  await graph.getByRole("button").first().waitFor();
  await record("The workflow as a graph");
  await picture(page, "workflow", { from: graph });
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("dialog").getByText("It cannot be started yet").waitFor();
  const lacking = await record("What it lacks before it can start");
  expect(lacking).toContain('Give it at "Sender\'s name" of the mail, or in the settings of the team.');
  await page.getByRole("dialog").getByRole("link", { name: "Settings of the team" }).first().click();
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
};
