import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { until } from "../../system/mailspan.ts";
import { dashboardBench, violationsOf } from "./bench.ts";
import { addCampaign, asOperator } from "./data.ts";

const { enter, mailspan } = dashboardBench();

const team = () => `${mailspan().emailUrl}/admin/teams/demo`;
/** Mails that may leave in a second; null for no limit. */
const limit = (sendPerSecond: number | null) => asOperator(team(), "POST", { sendPerSecond });

/** 25 people who get marketing mail, three who have left, and two whose address is suppressed. */
const addPeople = async (): Promise<void> => {
  const add = (name: string, fields: object = {}) =>
    asOperator(`${team()}/v1/contacts/create`, "POST", { email: `${name}@campaign.example`, ...fields });
  for (let n = 1; n <= 25; n += 1) await add(`p${n}`);
  for (const name of ["left1", "left2", "left3"]) await add(name, { subscribed: false });
  for (const name of ["gone1", "gone2"]) {
    await add(name);
    await asOperator(`${team()}/suppressions`, "POST", { email: `${name}@campaign.example` });
  }
};

let id = "";
beforeAll(async () => {
  await addPeople();
  id = await addCampaign(mailspan(), "Spring sale");
});

const mailsIn = async (): Promise<number> => (await mailspan().inbox()).total;
const badge = (page: Page, word: string) => page.getByRole("main").getByText(word, { exact: true }).first().waitFor();
/** The number beside a word in the table of results. */
const countOf = async (page: Page, what: string): Promise<string> => {
  const cell = page.getByRole("cell", { name: what, exact: true });
  const row = page.getByRole("table", { name: "Results" }).getByRole("row").filter({ has: cell });
  return (await row.getByRole("cell").nth(1).textContent()) ?? "";
};

/** Opens the dialog of an act, and gives it. */
const ask = async (page: Page, act: string, title: string) => {
  await page.getByRole("button", { name: act, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.waitFor();
  return dialog;
};

describe("a campaign", () => {
  it("is launched for the number that was typed, paused, resumed and done, and says who did not get it and why", async () => {
    // Slow enough to be paused on its way.
    await limit(1);
    const page = await enter();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Campaigns" }).waitFor();
    await page.getByRole("link", { name: "Spring sale" }).click();
    await page.getByText("all contacts that get marketing mail").waitFor();

    const launch = await ask(page, "Launch", "Launch Spring sale?");
    await launch.getByText("25 contacts would get it, of 30 contacts in the team.").waitFor();
    await launch.getByText("3 not: unsubscribed from everything").waitFor();
    await launch.getByText("2 not: the address is suppressed").waitFor();
    const start = launch.getByRole("button", { name: "Launch", exact: true });
    expect(await start.isDisabled()).toBe(true);
    await launch.getByLabel('Type "25" to confirm').fill("30");
    expect(await start.isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    expect(await mailsIn()).toBe(0);
    await launch.getByLabel('Type "25" to confirm').fill("25");
    await start.click();
    await page.getByText("Spring sale is being sent.").waitFor();
    await page.getByText(/^\d+ of 30: sent \d+, skipped 5\./).waitFor();
    await until("the first mail left", async () => ((await mailsIn()) > 0 ? true : undefined));

    const pause = await ask(page, "Pause", "Pause Spring sale?");
    await pause.getByRole("button", { name: "Pause", exact: true }).click();
    await badge(page, "paused");
    await page.getByText("It is paused. It goes on when it is resumed.").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await mailsIn()).toBeLessThan(25);
    await limit(null);

    const resume = await ask(page, "Resume", "Resume Spring sale?");
    await resume.getByText(/^It goes on: \d+ recipients? waits? for a mail\.$/).waitFor();
    await resume.getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByText("Spring sale goes on.").waitFor();
    await until("all are sent", async () => ((await countOf(page, "Sent")) === "25" ? true : undefined), 60_000);
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor({ state: "detached" });
    await badge(page, "sent");
    expect(await mailsIn()).toBe(25);
    expect(
      await Promise.all(["Recipients", "Skipped", "Delivered", "Bounced"].map((what) => countOf(page, what))),
    ).toEqual([...["30", "5", "25", "0"]]);

    const reasons = page.getByRole("table", { name: "Reasons" });
    await reasons.getByRole("row").filter({ hasText: "unsubscribed" }).getByRole("link", { name: "3" }).click();
    const recipients = page.getByRole("table", { name: "recipients" });
    await recipients.getByRole("link", { name: "left3@campaign.example" }).waitFor();
    expect(await recipients.getByRole("link", { name: /^\w+@campaign\.example$/ }).allTextContents()).toEqual([
      ...["left1@campaign.example", "left2@campaign.example", "left3@campaign.example"],
    ]);
    expect(await violationsOf(page)).toEqual([]);
  });

  it("has its recipients page by page, and as a file with the filters of the page", async () => {
    const page = await enter({ path: `/campaigns/${id}?state=skipped` });
    const recipients = page.getByRole("table", { name: "recipients" });
    await recipients.getByRole("link", { name: "gone2@campaign.example" }).waitFor();
    expect(await recipients.getByRole("row").count()).toBe(6);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export as CSV" }).click(),
    ]);
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\r\n");
    expect(lines[0]).toMatch(/^email,userId,state,reason/);
    expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual([
      ...["left1", "left2", "left3", "gone1", "gone2"].map((name) => `${name}@campaign.example`),
    ]);
  });

  it("that is scheduled is unscheduled, and cancelled for good after a typed word", async () => {
    const timestamp = new Date(Date.now() + 86_400_000).toISOString();
    const later = await addCampaign(mailspan(), "Summer sale", { scheduling: { method: "schedule", timestamp } });
    const page = await enter({ path: `/campaigns/${later}` });
    const schedule = async () => {
      const launch = await ask(page, "Launch", "Launch Summer sale?");
      await launch.getByLabel('Type "25" to confirm').fill("25");
      await launch.getByRole("button", { name: "Schedule" }).click();
      await badge(page, "scheduled");
    };
    await schedule();
    const unschedule = await ask(page, "Unschedule", "Unschedule Summer sale?");
    await unschedule.getByRole("button", { name: "Unschedule" }).click();
    await badge(page, "draft");
    await schedule();
    const cancel = await ask(page, "Cancel the campaign", "Cancel Summer sale for good?");
    await cancel.getByText("It has not started, and nobody gets it then.").waitFor();
    await cancel.getByLabel('Type "cancel" to confirm').fill("cancel");
    await cancel.getByRole("button", { name: "Cancel the campaign" }).click();
    await badge(page, "cancelled");
    for (const name of ["Launch", "Resume", "Unschedule"])
      expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
  });

  it("that lacks something says all of it, and cannot be launched", async () => {
    const { id: empty } = await asOperator<{ id: string }>(`${team()}/v1/campaigns`, "POST", { name: "Empty" });
    const page = await enter({ path: `/campaigns/${empty}` });
    const launch = await ask(page, "Launch", "Launch Empty?");
    await launch.getByText("It cannot be launched yet").waitFor();
    await launch.getByText("The mail has no subject. Give it one.").waitFor();
    expect(await launch.getByRole("button", { name: "Launch", exact: true }).isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
  });
});
