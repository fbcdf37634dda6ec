import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { dashboardBench, fits, violationsOf } from "./bench.ts";
import { actOn, addWorkflow, enterWorkflow, type Made, waitAt } from "./workflow-data.ts";

const { enter, mailspan } = dashboardBench();

let made: Made;
beforeAll(async () => {
  made = await addWorkflow(mailspan(), "Trial");
  await actOn(mailspan(), made.id, "start");
  await enterWorkflow(mailspan(), made, ["ada@flow.example", "bo@flow.example", "cy@flow.example"]);
  await waitAt(mailspan(), made.id, made.timer, 3);
});

const graph = (page: Page) => page.getByRole("region", { name: "Graph of the workflow" });
const list = (page: Page) => page.getByRole("region", { name: "Steps of the workflow" });

it("looks", async () => {
  const page = await enter({ path: `/workflows/${made.id}?node=${made.timer}` });
  await graph(page).waitFor();
  await page.getByText("ada@flow.example").waitFor();
  await page.screenshot({ path: "/tmp/wf1.png", fullPage: true });
  console.log(await violationsOf(page), await fits(page));
  await page.goto(`${mailspan().dashboardUrl}/workflows/${made.id}?view=list&person=ada@flow.example`);
  await list(page).waitFor();
  await page.getByText("Passage 1").waitFor();
  await page.screenshot({ path: "/tmp/wf2.png", fullPage: true });
  console.log(await violationsOf(page));
  const dark = await enter({ path: `/workflows/${made.id}?view=graph`, scheme: "dark", width: 375 });
  await graph(dark).waitFor();
  await dark.waitForTimeout(500);
  await dark.screenshot({ path: "/tmp/wf3.png", fullPage: true });
  console.log(await violationsOf(dark), await fits(dark));
});
