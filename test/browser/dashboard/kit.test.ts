import { expect, it } from "vitest";
import { dashboardBench, fits, violationsOf } from "./bench.ts";

const { enter } = dashboardBench({}, {}, undefined, { LOGIN_CODE: "1.kit" });

const LOOKS = (["light", "dark"] as const).flatMap((scheme) =>
  [1440, 390, 320].map((width) => [scheme, width] as const),
);

it.each(LOOKS)("every part is shown without a violation: %s, %d px", async (scheme, width) => {
  const page = await enter({ path: "/kit", scheme, width });
  await page.getByRole("heading", { level: 1, name: "Kit" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(await fits(page)).toBe(true);
});

it("a chart is read by keys, has its numbers as a table, and takes a time by drag", async () => {
  const page = await enter({ path: "/kit" });
  const chart = page.getByRole("region", { name: "Webhooks by hour" });
  const plot = chart.getByRole("slider");
  await plot.press("Home");
  expect(await plot.getAttribute("aria-valuetext")).toMatch(/^Nov 27, 23:00 – 00:00: 96 handled, 24 nothing to do, 0 /);
  await plot.press("ArrowRight");
  expect(await plot.getAttribute("aria-valuetext")).toMatch(/^Nov 28, 00:00 – 01:00: 88 handled/);
  // Said by a screen reader before a person asks for it.
  const row = chart.getByRole("row", { name: /Nov 27, 23:00 – 00:00 96 24 0/ });
  expect(await row.count()).toBe(1);
  await chart.getByRole("button", { name: "Show as table" }).click();
  await plot.waitFor({ state: "detached" });
  await row.scrollIntoViewIfNeeded();
  await chart.getByRole("button", { name: "Show as chart" }).click();
  const box = await plot.boundingBox();
  if (!box) throw new Error("The chart is not shown.");
  await page.mouse.move(box.x + 2, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 20, { steps: 3 });
  await page.mouse.up();
  await page.waitForURL(/since=2026-11-27T23%3A00.*until=/);
});

it("chips filter by name in the address, and are cleared; a search marks its matches", async () => {
  const page = await enter({ path: "/kit" });
  const rows = page.getByRole("table", { name: "people" }).getByRole("link");
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  await page.getByRole("option", { name: "Team" }).click();
  await page.waitForURL(/plan=Team/);
  expect(await rows.allTextContents()).toEqual(["Grace Murray Holt"]);
  await page.reload();
  await page.getByRole("button", { name: "Plan: Team" }).waitFor();
  await page.getByRole("button", { name: "Clear Plan" }).click();
  await page.getByRole("searchbox", { name: "Search people" }).fill("hanna");
  await page.waitForURL(/q=hanna/);
  await page.locator("mark").first().waitFor();
  expect(await rows.allTextContents()).toEqual(["Hanna Gracey"]);
  await page.getByRole("searchbox", { name: "Search people" }).fill("graze");
  await page.getByRole("heading", { name: "No person matches “graze”" }).first().waitFor();
});

it("the first j goes to the first row of a list, and x selects it", async () => {
  const page = await enter({ path: "/kit" });
  await page.getByRole("table", { name: "people" }).waitFor();
  await page.keyboard.press("j");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Grace Hopper");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("x");
  await page.getByText("2 selected").waitFor();
});

it("a form keeps its text, says what to write, and is locked while it saves", async () => {
  const page = await enter({ path: "/kit" });
  const open = () => page.getByRole("button", { name: "Add a person" }).click();
  await open();
  const dialog = page.getByRole("dialog", { name: "Add a person" });
  const [name, address] = [dialog.getByLabel("Name"), dialog.getByLabel("Address")];
  await name.fill("Ada");
  await address.fill("ada@example");
  await name.focus();
  await dialog.getByText("Add the ending of the domain, such as .com").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  expect(await dialog.isVisible()).toBe(true);
  await page.reload();
  await open();
  expect([await name.inputValue(), await address.inputValue()]).toEqual(["Ada", "ada@example"]);
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.getByText("Add the ending of the domain, such as .com").waitFor();
  await address.fill("ada@example.com");
  await dialog.getByText("Add the ending of the domain, such as .com").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Add" }).click();
  expect(await name.isDisabled()).toBe(true);
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Ada is added.").waitFor();
  await open();
  expect(await name.inputValue()).toBe("");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

it("a message with Undo is pressed by keys", async () => {
  const page = await enter({ path: "/kit" });
  await page.getByRole("button", { name: "Say what can be undone" }).click();
  await page.getByRole("button", { name: "Undo", exact: true }).press("Enter");
  await page.getByText("Stopped.").waitFor();
});
