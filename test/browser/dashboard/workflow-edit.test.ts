import { beforeAll, expect, it } from "vitest";
import { until } from "../../system/mailspan.ts";
import { dashboardBench, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";
import { actOn, addWorkflow, enterWorkflow, type Made, waitAt } from "./workflow-data.ts";

const { enter, mailspan } = dashboardBench();

let made: Made;
const v1 = () => `${mailspan().emailUrl}/admin/teams/demo/v1`;
const one = <T>(path = "") => asOperator<T>(`${v1()}/workflows/${made.id}${path}`);

beforeAll(async () => {
  made = await addWorkflow(mailspan(), "Edited");
  await asOperator(`${mailspan().emailUrl}/admin/teams/demo/lists`, "POST", { name: "News" });
});

const changeTimer = async (amount: number): Promise<void> => {
  const { workflowRevisionId: expectedRevisionId } = await one<{ workflowRevisionId: string }>();
  const body = { expectedRevisionId, payload: { amount, unit: "d" } };
  await asOperator(`${v1()}/workflows/${made.id}/nodes/${made.timer}`, "POST", body);
};
const amount = async (): Promise<number> => (await one<{ amount: number }>(`/nodes/${made.timer}`)).amount;

it("what is typed survives a reload, and a change by another person is shown beside it, not lost and not overwritten unseen", async () => {
  const page = await enter({ path: `/workflows/${made.id}?node=${made.timer}` });
  const field = page.getByLabel("Wait", { exact: true });
  await field.fill("soon");
  await page.getByText("Give a number of at least 0").waitFor();
  await field.fill("3");
  await page.reload();
  expect(await field.inputValue()).toBe("3");

  // A draft is read every 15 seconds: the page does not know the change when the person saves.
  await changeTimer(5);
  await page.getByRole("button", { name: "Save the step", exact: true }).click();
  await page.getByText("Somebody else has changed this workflow meanwhile").waitFor();
  expect(await amount()).toBe(5);
  await page.getByText("Somebody else has changed this step since you began").waitFor();
  expect(await field.inputValue()).toBe("3");
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Keep mine" }).click();
  await page.getByRole("button", { name: "Save the step", exact: true }).click();
  await page.getByText("The step is saved.").waitFor();
  expect(await amount()).toBe(3);
  await field.fill("4");
  await page.getByRole("button", { name: "Undo the changes" }).click();
  expect(await field.inputValue()).toBe("3");
});

const meanwhile = "Somebody else has changed this workflow meanwhile";
const since = "Somebody else has changed this step since you began";

it("the fields of a step that another person has saved are taken without a reload", async () => {
  const page = await enter({ path: `/workflows/${made.id}?node=${made.timer}` });
  const field = page.getByLabel("Wait", { exact: true });
  const own = (await amount()) + 7;
  await field.fill(String(own));
  await changeTimer(own + 1);
  await page.keyboard.press("Control+s");
  await page.getByText(since).waitFor();
  expect(await page.getByRole("button", { name: "Save the step", exact: true }).isEnabled()).toBe(false);
  await page.getByRole("button", { name: "Take theirs" }).click();
  await page.getByText(since).waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe(String(own + 1));
  expect(await amount()).toBe(own + 1);
});

it("the subject of a mail that another person has saved is not overwritten, and is kept or taken without a reload", async () => {
  const { emailMessageId } = await one<{ emailMessageId: string }>(`/nodes/${made.mail}`);
  const mailUrl = `${v1()}/email-messages/${emailMessageId}`;
  const stored = async () => (await asOperator<{ subject: string }>(mailUrl)).subject;
  const page = await enter({ path: `/workflows/${made.id}?node=${made.mail}` });
  const field = page.getByLabel("Subject", { exact: true });
  const save = page.getByRole("button", { name: "Save the step", exact: true });

  await field.fill("Mine");
  await asOperator(mailUrl, "POST", { subject: "Theirs" });
  await page.keyboard.press("Control+s");
  await page.getByText(meanwhile).waitFor();
  await page.getByText(since).waitFor();
  await page.keyboard.press("Control+s");
  await field.press("Enter");
  expect(await save.isEnabled()).toBe(false);
  expect(await stored()).toBe("Theirs");
  expect(await field.inputValue()).toBe("Mine");
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole("button", { name: "Keep mine" }).click();
  await page.keyboard.press("Control+s");
  await page.getByText("The subject is saved.").waitFor();
  expect(await stored()).toBe("Mine");

  await field.fill("Mine again");
  await asOperator(mailUrl, "POST", { subject: "Theirs again" });
  await save.click();
  await page.getByText(since).waitFor();
  await page.getByRole("button", { name: "Take theirs" }).click();
  expect(await field.inputValue()).toBe("Theirs again");
  expect(await stored()).toBe("Theirs again");
});

it("edits that are not saved are undone and redone across steps, by keys and buttons, also after a reload, until they are saved", async () => {
  const page = await enter({ path: `/workflows/${made.id}?node=${made.timer}` });
  const wait = page.getByLabel("Wait", { exact: true });
  const subject = page.getByLabel("Subject", { exact: true });
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  const redo = page.getByRole("button", { name: "Redo", exact: true });
  const before = await wait.inputValue();
  expect([await undo.isEnabled(), await redo.isEnabled()]).toEqual([false, false]);
  await wait.pressSequentially("00");
  const typed = await wait.inputValue();
  expect(typed).toHaveLength(before.length + 2);
  await page.locator(`a[data-node="${made.mail}"]`).click();
  await subject.fill("Changed");
  await page.locator(`a[data-node="${made.mail}"]`).getByText("Not saved yet").waitFor();

  await page.keyboard.press("Control+z");
  await until("the subject is back", async () => (await subject.inputValue()) !== "Changed" || undefined);
  await undo.click();
  await wait.waitFor();
  await until("the time is back", async () => (await wait.inputValue()) === before || undefined);
  await page.reload();
  await wait.waitFor();
  await page.keyboard.press("Control+Shift+z");
  await until("the time is there again", async () => (await wait.inputValue()) === typed || undefined);
  await redo.click();
  await subject.waitFor();
  expect(await subject.inputValue()).toBe("Changed");
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press("Control+s");
  await page.getByText("The subject is saved.").waitFor();

  await page.keyboard.press("Control+z");
  await wait.waitFor();
  expect(await wait.inputValue()).toBe(before);
  expect(await undo.isEnabled()).toBe(false);
});

it("a step is added by the + of an edge, and the drawing shows it", async () => {
  const page = await enter({ path: `/workflows/${made.id}?view=graph` });
  const graph = page.getByRole("region", { name: "Graph of the workflow" });
  await graph.getByRole("button", { name: /^Add a step between Event .* and / }).click();
  await page.getByRole("menuitem", { name: "Wait", exact: true }).click();
  await page.getByText("Added: Wait.").waitFor();
  await page.getByRole("region", { name: "The step" }).getByRole("heading", { name: "Wait 1 day" }).waitFor();
  const added = new URL(page.url()).searchParams.get("node") ?? "";
  const { nodes, rootNodeId } = await one<{ nodes: Record<string, { nextNodeIds: string[] }>; rootNodeId: string }>();
  expect([nodes[rootNodeId]?.nextNodeIds, nodes[added]?.nextNodeIds]).toEqual([[added], [made.mail]]);
  await page.getByRole("button", { name: "Delete this step" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("The step is deleted.").waitFor();
});

it("another mailing list counts first who would leave, and their number has to be typed", async () => {
  await actOn(mailspan(), made.id, "start");
  await enterWorkflow(mailspan(), made, ["ada@edit.example", "bo@edit.example"]);
  await waitAt(mailspan(), made.id, made.timer, 2);
  await actOn(mailspan(), made.id, "pause");
  const page = await enter({ path: `/workflows/${made.id}` });
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Change the list" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the mailing list" });
  await dialog.getByRole("combobox", { name: "Mailing list" }).click();
  await page.getByRole("option", { name: "News" }).click();
  await dialog.getByText("2 people wait in the workflow without being on this list.").waitFor();
  const change = dialog.getByRole("button", { name: "Change", exact: true });
  expect(await change.isEnabled()).toBe(false);
  await dialog.getByLabel('Type "2" to let them come out').fill("2");
  await change.click();
  await page.getByText("The mailing list is changed.").waitFor();
  await page.getByText("for people on the list News").waitFor();
  await until("both have left", async () => {
    const url = `${mailspan().emailUrl}/admin/teams/demo/workflows/${made.id}/status`;
    const { active, ended } = await asOperator<{ active: number; ended: Record<string, number> }>(url);
    return (active === 0 && ended.list_changed === 2) || undefined;
  });
});
