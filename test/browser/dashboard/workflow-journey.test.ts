import { expect, it } from "vitest";
import { until } from "../../system/mailspan.ts";
import { dashboardBench } from "./bench.ts";
import { asOperator } from "./data.ts";
import { isAt, press, see, skip, use, watchFocus, write } from "./keyboard/steps.ts";

const { enter, mailspan } = dashboardBench();

type Status = {
  entered: number;
  ended: Record<string, number>;
  nodes: { nodeId: string; text: string; waiting: number }[];
};

it("a workflow is built by the keyboard alone; a person enters and is seen there; an edit says who waits, pause what happens to new ones, and a resumed workflow takes the next person", async () => {
  const team = `${mailspan().emailUrl}/admin/teams/demo`;
  await asOperator(team, "POST", { fromName: "Acme", fromEmail: "hello" });
  const page = await enter({ path: "/workflows" });
  await page.getByText("No workflows yet").waitFor();
  await watchFocus(page);

  await press("n", "When a trial starts")(page);
  await skip(page);
  await use("When someone signs up", "ArrowDown", "Name of the event")(page);
  await write("Name of the event", "journeyBegan")(page);
  await write("Name", "Journey")(page);
  await press("Enter", "Journey is created.")(page);
  await use(/^Event journeyBegan/, "Enter", "It starts when")(page);
  await press("a", "Experiment")(page);
  await isAt("Wait")(page);
  await press("Enter", "Added: Wait.")(page);
  await write("Wait", "2")(page);
  await use("Unit", "Enter", "minutes")(page);
  await press("ArrowUp Enter", "Not saved yet.")(page);
  await press("Control+s", "The step is saved.")(page);
  const { data } = await asOperator<{ data: { id: string; name: string }[] }>(`${team}/workflows`);
  const id = data.find(({ name }) => name === "Journey")?.id ?? "";
  const status = () => asOperator<Status>(`${team}/workflows/${id}/status`);
  const timer = (await status()).nodes.find(({ text }) => text === "the timer of 2 hours")?.nodeId;
  expect(timer).toBeDefined();
  expect(page.url()).toContain(`node=${timer}`);

  await page.reload();
  await watchFocus(page);
  await use("Start", "Enter", "Start Journey?")(page);
  await use("Start", "Enter", "Journey is live.")(page);
  await asOperator(`${team}/v1/events/send`, "POST", { email: "ada@journey.example", eventName: "journeyBegan" });
  await until("the person waits", async () => {
    const { nodes } = await status();
    return nodes.some(({ nodeId, waiting }) => nodeId === timer && waiting === 1) || undefined;
  });
  await see("Steps cannot be changed while the workflow is live")(page);
  await page.getByRole("tab", { name: "Who is here" }).click();
  await page.getByRole("list", { name: "people here" }).getByText("ada@journey.example").waitFor();

  await page.getByRole("tab", { name: "Settings" }).click();
  await page.reload();
  await watchFocus(page);
  await use("Pause", "Enter", "New people are queued for 24 hours")(page);
  await use("Pause", "Enter", "Journey is paused.")(page);
  await use("Delete this step", "Enter", "1 person waits here. This person comes out of the workflow")(page);
  await write('Type "1" to confirm', "1")(page);
  await press("Enter", "The step is deleted.")(page);
  const after = await status();
  expect(after.nodes.some(({ nodeId }) => nodeId === timer)).toBe(false);
  expect(after.entered).toBe(1);
  expect(after.ended).toEqual({ node_deleted: 1 });

  await page.reload();
  await watchFocus(page);
  await use("Resume", "Enter", "Resume Journey?")(page);
  await use("Resume", "Enter", "Journey is live again.")(page);
  await asOperator(`${team}/v1/events/send`, "POST", { email: "bo@journey.example", eventName: "journeyBegan" });
  await until("another person enters", async () => ((await status()).entered === 2 ? true : undefined));
});
