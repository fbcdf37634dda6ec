import { picture, recorder } from "./record.ts";
import type { Tour } from "./tour.ts";

/** A new user makes a workflow from a template, and starts it. */
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
  await graph.getByRole("link").first().waitFor();
  await record("The workflow as a graph");
  await picture(page, "workflow", { from: graph });
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("dialog").getByText("People enter from now on").waitFor();
  await record("What a start means");
  await page.getByRole("dialog").getByRole("button", { name: "Start", exact: true }).click();
  await page.getByText("Trial is live.").waitFor();
};
