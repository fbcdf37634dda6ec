import { describe, expect, it } from "vitest";
import { secrets } from "../../system/mailspan.ts";
import { clerkWebhook } from "../../system/signed.ts";
import { dashboardBench, violationsOf } from "./bench.ts";

const { enter, mailspan } = dashboardBench({ CLERK_WEBHOOK_SECRET: "", PUBLIC_URL: "https://bridge.example.com" });

const send = async (): Promise<number> => {
  const { payload, headers } = clerkWebhook();
  return (await mailspan().post("clerk", payload, headers)).status;
};

describe("a source", () => {
  it("without a secret refuses with its code, and receives as soon as the secret is set", async () => {
    const page = await enter({ path: "/sources", mayFail: true });
    await page.getByRole("row", { name: /clerk.*not set/i }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("main").getByRole("link", { name: "clerk", exact: true }).click();
    await page.getByText("https://bridge.example.com/hooks/clerk").waitFor();
    await page.getByText("npx wrangler secret put CLERK_WEBHOOK_SECRET").waitFor();
    expect(await send()).toBe(401);
    await page.getByText("source_not_configured").waitFor();
    const setUp = page.getByRole("list", { name: "Set-up" });
    await setUp.getByRole("listitem").filter({ hasText: "Enter the address at Clerk" }).getByText("(done)").waitFor();
    expect(await violationsOf(page)).toEqual([]);

    const { key: EMAIL_API_KEY } = mailspan();
    await mailspan().restart({ bridgeVars: { ...secrets, EMAIL_API_KEY, PUBLIC_URL: "https://bridge.example.com" } });
    await setUp.getByRole("listitem").filter({ hasText: "Set the secret" }).getByText("(done)").waitFor();
    expect(await send()).toBe(202);
    await page.getByText("Webhooks of Clerk are accepted.").waitFor();
    expect(await setUp.count()).toBe(0);
    await page.getByRole("slider", { name: /1 accepted, 0 duplicates, 1 refused/ }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it("is paused and resumed on its page", async () => {
    const page = await enter({ path: "/sources/clerk" });
    await page.getByRole("button", { name: "Pause clerk" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByText("A person paused this source").waitFor();
    await page.getByRole("button", { name: "Resume clerk" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByText("A person paused this source").waitFor({ state: "detached" });
  });

  it("that does not exist says so", async () => {
    const page = await enter({ path: "/sources/strype" });
    await page.getByRole("heading", { name: "This source does not exist" }).waitFor();
    await page.getByText("There is no source strype").waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});

it("a drag over the chart above the webhooks filters them by time, and the address has the times", async () => {
  const page = await enter({ path: "/webhooks" });
  const bars = page.getByRole("slider", { name: /Webhooks of all sources/ });
  const box = await bars.boundingBox();
  if (!box) throw new Error("The chart is not shown.");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 2, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, y, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/since=.*until=/);
  await page.getByText("No webhook matches these filters").waitFor();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await page.getByRole("link", { name: "user.created", exact: true }).waitFor();
  const now = await bars.boundingBox();
  if (!now) throw new Error("The chart is not shown.");
  await page.mouse.click(now.x + now.width - 2, y);
  await page.waitForURL(/since=.*until=/);
  await page.getByRole("link", { name: "user.created", exact: true }).waitFor();
});

it("the keyboard reaches the bars of a chart: arrows go from one to the next, Shift marks several, Enter filters", async () => {
  const page = await enter({ path: "/webhooks" });
  const bars = page.getByRole("slider", { name: /Webhooks of all sources/ });
  await bars.focus();
  expect(await bars.getAttribute("aria-valuetext")).toMatch(/: 1 accepted, /);
  await page.keyboard.press("Home");
  expect(await bars.getAttribute("aria-valuenow")).toBe("0");
  await page.keyboard.press("ArrowLeft");
  expect(await bars.getAttribute("aria-valuetext")).toMatch(/: 0 accepted, /);
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.getByText("No webhook matches these filters").waitFor();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await bars.focus();
  for (const key of ["End", "Shift+ArrowLeft", "Shift+ArrowLeft", "Enter"]) await page.keyboard.press(key);
  await page.waitForURL(/since=.*until=/);
  const { searchParams } = new URL(page.url());
  const [since, until] = [searchParams.get("since") ?? "", searchParams.get("until") ?? ""];
  expect((Date.parse(until) - Date.parse(since)) / 3_600_000).toBe(3);
  await page.getByRole("link", { name: "user.created", exact: true }).waitFor();
});
