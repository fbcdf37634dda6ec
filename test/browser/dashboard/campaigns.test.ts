import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { secrets, until } from "../../system/mailspan.ts";
import { dashboardBench, violationsOf } from "./bench.ts";
import { addCampaign, asOperator } from "./data.ts";

const { enter, mailspan } = dashboardBench();

const team = () => `${mailspan().emailUrl}/admin/teams/demo`;
const limit = (sendPerSecond: number | null) => asOperator(team(), "POST", { sendPerSecond });

const GETS_IT = 500;

const importPeople = async (names: readonly string[], lists: readonly string[]): Promise<void> => {
  const response = await fetch(`${team()}/imports?name=people.csv`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "Content-Type": "text/csv" },
    body: [
      "email,plan",
      ...names.map((name) => `${name}@campaign.example,${name.startsWith("free") ? "free" : "pro"}`),
    ].join("\n"),
  });
  const { id, mapping } = (await response.json()) as { id: string; mapping: object };
  await asOperator(`${team()}/imports/${id}/start`, "POST", { mapping, mailingLists: lists });
  await until(
    "the contacts are imported",
    async () => (await asOperator<{ state: string }>(`${team()}/imports/${id}`)).state === "done" || undefined,
    60_000,
  );
};

const numbered = (name: string, count: number) => [...Array(count).keys()].map((n) => `${name}${n + 1}`);

const addPeople = async (): Promise<void> => {
  await asOperator(`${team()}/v1/contacts/properties`, "POST", { name: "plan", type: "string" });
  const { id: list } = await asOperator<{ id: string }>(`${team()}/lists`, "POST", { name: "News" });
  await importPeople(
    [...numbered("p", GETS_IT), "left1", "left2", "left3", "gone1", "gone2", ...numbered("free", 8)],
    [list],
  );
  await importPeople(numbered("other", 7), []);
  for (const name of ["left1", "left2", "left3"])
    await asOperator(`${team()}/v1/contacts/update`, "PUT", { email: `${name}@campaign.example`, subscribed: false });
  for (const name of ["gone1", "gone2"])
    await asOperator(`${team()}/suppressions`, "POST", { email: `${name}@campaign.example` });
  const filter = { match: "all", conditions: [{ type: "property", key: "plan", operator: "equals", value: "pro" }] };
  await asOperator(`${team()}/v1/audience-segments`, "POST", { name: "Pros", filter });
};

let id = "";
beforeAll(addPeople, 120_000);

const mailsIn = async (): Promise<number> => (await mailspan().inbox()).total;
const badge = (page: Page, word: string) => page.getByRole("main").getByText(word, { exact: true }).first().waitFor();
const results = (page: Page) => page.getByRole("region", { name: "Results" });

const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};

const ask = async (page: Page, act: string, title: string) => {
  await page.getByRole("button", { name: act, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.waitFor();
  return dialog;
};

describe("a campaign", () => {
  it("to 500 is composed in the page, undone within 30 seconds, sent again, paused and resumed, and says who did not get it and why", async () => {
    const page = await enter();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByText("No campaigns yet").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "New campaign" });
    await dialog.getByLabel("Name").fill("Spring sale");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.waitForURL("**/campaigns/cmp_*");
    id = new URL(page.url()).pathname.split("/").at(-1) ?? "";

    const lacking = page.getByRole("list", { name: "Checks" });
    await lacking.getByText("The mail has no subject. Give it one.").waitFor();
    await page.getByText(/^Fix \d things first\.$/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await lacking.getByRole("link", { name: "Edit the mail" }).first().click();
    await page.getByRole("textbox", { name: "LMX of the message" }).click();
    await page.keyboard.insertText('<Paragraph><Link href="https://shop.example.com/">Shop</Link></Paragraph>');
    await page.getByLabel("Subject", { exact: true }).fill("Spring is here");
    await page.getByLabel("Sender's name").fill("Acme");
    await page.getByLabel("Sender's address").fill("news");
    await page.getByLabel("Sender's address").press("ControlOrMeta+s");
    await page.getByText("The message is saved.").waitFor();
    await page.getByRole("link", { name: "Spring sale" }).click();
    await page.getByRole("definition").getByText("Spring is here", { exact: true }).waitFor();
    await page.getByText("Acme <news@…>").waitFor();
    await page.getByRole("region", { name: "Line of an inbox" }).getByText("Spring is here").waitFor();
    await page.getByText("The mail has no problems").waitFor();
    await lacking.getByText(/no list, no segment and no filter/).waitFor();

    const count = page.getByRole("status", { name: "Count" });
    await count.getByText("515 contacts would get it, of 520 contacts in the team.").waitFor();
    await choose(page, "Mailing list", "News");
    await lacking.getByText("Its audience has people").waitFor();
    expect(await lacking.getByText(/no list, no segment and no filter/).count()).toBe(0);
    await count.getByText("7 not: not on the mailing list").waitFor();
    await choose(page, "Segment", "Pros");
    await count.getByText("500 contacts would get it, of 512 contacts that meet its segment and filter.").waitFor();
    await page.getByRole("button", { name: "Add conditions of its own" }).click();
    await page.getByText("Who gets it is counted when each condition is whole.").waitFor();
    await page.getByLabel("Condition 1: value").fill("@campaign.nowhere");
    await count
      .getByText("Nobody would get it: no contact meets its segment and filter. The team has 520 contacts.")
      .waitFor();
    await lacking.getByText("Nobody would get it now.").waitFor();
    await page
      .getByRole("list", { name: "What keeps everybody out" })
      .getByText('"email" must contain "@campaign.nowhere": without this condition, 512 more contacts would match.')
      .waitFor();
    await page.getByLabel("Condition 1: value").fill("@campaign.example");
    await count.getByText("500 contacts would get it").waitFor();
    await lacking.getByText("Nobody would get it now.").waitFor({ state: "detached" });
    expect(await page.getByRole("list", { name: "Excluded" }).getByRole("listitem").allTextContents()).toEqual([
      "8 not: not in its segment and filter",
      "7 not: not on the mailing list",
      "3 not: unsubscribed from everything",
      "2 not: the address is suppressed",
    ]);
    expect(await violationsOf(page)).toEqual([]);
    page.on("dialog", (asked) => void asked.accept());
    await page.reload();
    await count.getByText("500 contacts would get it").waitFor();
    const sendButton = page.getByRole("button", { name: "Send", exact: true });
    expect(await sendButton.isDisabled()).toBe(true);
    await page.keyboard.press("ControlOrMeta+s");
    await page.getByText("The campaign is saved.").waitFor();
    await page.getByText("Ready to send.").waitFor();

    const sendIt = async () => {
      const question = await ask(page, "Send", "Send Spring sale?");
      await question
        .getByText("500 contacts would get it, of 512 contacts that meet its segment and filter.")
        .waitFor();
      await question.getByText("3 not: unsubscribed from everything").waitFor();
      const start = question.getByRole("button", { name: "Send", exact: true });
      expect(await start.isDisabled()).toBe(true);
      await question.getByLabel('Type "500" to confirm').fill("512");
      expect(await start.isDisabled()).toBe(true);
      expect(await violationsOf(page)).toEqual([]);
      await question.getByLabel('Type "500" to confirm').fill("500");
      await start.click();
      const said = (await page.getByRole("timer").textContent()) ?? "";
      expect(Number(/^Begins in (\d+) s$/.exec(said)?.[1])).toBeLessThanOrEqual(30);
    };
    await sendIt();
    expect(await violationsOf(page)).toEqual([]);
    await page.reload();
    await page.getByRole("timer").waitFor();
    const other = await enter({ path: `/campaigns/${id}` });
    const left = Number(/\d+/.exec((await other.getByRole("timer").textContent()) ?? "")?.[0]);
    const { scheduledFor } = await asOperator<{ scheduledFor: string }>(`${team()}/campaigns/${id}/status`);
    expect(Math.abs(Date.parse(scheduledFor) - Date.now() - 1_000 * left)).toBeLessThan(3_000);
    await other.getByRole("button", { name: "Undo", exact: true }).click();
    await other.getByText("Spring sale is a draft again. Nothing was sent.").waitFor();
    await badge(page, "Draft");
    await page.getByText("Ready to send.").waitFor();

    await limit(20);
    await sendIt();
    await page.getByText(/^\d+ of 505: sent \d+/).waitFor({ timeout: 60_000 });
    await until("the first mail left", async () => ((await mailsIn()) > 0 ? true : undefined));

    const pause = await ask(page, "Pause", "Pause Spring sale?");
    await pause.getByRole("button", { name: "Pause", exact: true }).click();
    await badge(page, "Paused");
    await page.getByText("It is paused. It goes on when it is resumed.").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await mailsIn()).toBeLessThan(GETS_IT);
    await limit(null);

    const resume = await ask(page, "Resume", "Resume Spring sale?");
    await resume.getByText(/^It goes on: \d+ recipients? waits? for a mail\.$/).waitFor();
    await resume.getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByText("Spring sale goes on.").waitFor();
    await results(page).getByText("500 sent").waitFor({ timeout: 90_000 });
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor({ state: "detached" });
    await badge(page, "Sent");
    expect(await mailsIn()).toBe(GETS_IT);
    expect(await results(page).getByRole("listitem").allTextContents()).toEqual([
      "500 sent20 did not get it",
      "100.0 %",
      "500 deliveredto the local inbox only",
      "0.0 %",
      "0 openedby people, not programs",
      "",
      "0 clicked0.0 % of delivered",
    ]);
    const missed = page.getByRole("region", { name: "20 did not get it" });
    expect(await missed.getByRole("term").allTextContents()).toEqual([
      "Not in the segment or filter",
      "Not on the list",
      "Unsubscribed from everything",
      "The address is suppressed",
    ]);
    await missed.getByRole("link", { name: "Unsubscribed from everything" }).click();
    const recipients = page.getByRole("table", { name: "recipients" });
    await recipients.getByRole("link", { name: "left3@campaign.example" }).waitFor();
    expect(await recipients.getByRole("link", { name: /^\w+@campaign\.example$/ }).allTextContents()).toEqual([
      "left1@campaign.example",
      "left2@campaign.example",
      "left3@campaign.example",
    ]);
    expect(await violationsOf(page)).toEqual([]);
  }, 400_000);

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

  it("says why people left, of those who gave a reason", async () => {
    const { mails } = await mailspan().inbox();
    const { headers } = await mailspan().mail(mails.find(({ subject }) => subject === "Spring is here")?.id ?? "");
    const [, link = ""] = /<(https:[^>]+)>/.exec(headers["List-Unsubscribe"] ?? "") ?? [];
    const path = mailspan().emailUrl + new URL(link).pathname;
    for (const body of ["do=leave", "why=never_signed_up"])
      expect((await fetch(path, { method: "POST", body: new URLSearchParams(body) })).ok).toBe(true);
    const page = await enter({ path: `/campaigns/${id}` });
    const why = page.getByRole("region", { name: "Why people unsubscribed" });
    await why.getByText("1 of 1 said why").waitFor();
    expect(await why.getByRole("term").allTextContents()).toEqual(["Never signed up"]);
    expect(await violationsOf(page)).toEqual([]);
  });

  it("that is scheduled says what happens if its audience grows, is unscheduled, and cancelled for good after a typed word", async () => {
    const timestamp = new Date(Date.now() + 86_400_000).toISOString();
    const later = await addCampaign(mailspan(), "Summer sale", { scheduling: { method: "schedule", timestamp } });
    const page = await enter({ path: `/campaigns/${later}` });
    const choice = page.getByRole("combobox", { name: "If more people match then" });
    await page.getByText("Above 567 people it is held, and asks you.").waitFor();
    const schedule = async () => {
      await choice.click();
      await page.getByRole("option", { name: "Hold it above 25 % more" }).click();
      const question = await ask(page, "Schedule", "Send Summer sale?");
      await question.getByText("Above 644 people it is held and asks you.").waitFor();
      await question.getByText("Nobody gets a mail then: no address for notices is set.").waitFor();
      await question.getByLabel('Type "515" to confirm').fill("515");
      await question.getByRole("button", { name: "Schedule" }).click();
      await badge(page, "Scheduled");
      await page.getByText("Above 644 people it is held, and asks you.").waitFor();
    };
    await schedule();
    const unschedule = await ask(page, "Stop the schedule", "Stop the schedule of Summer sale?");
    await unschedule.getByRole("button", { name: "Stop the schedule" }).click();
    await badge(page, "Draft");
    await schedule();
    const cancel = await ask(page, "Cancel the campaign", "Cancel Summer sale for good?");
    await cancel.getByText("It has not started, and nobody gets it then.").waitFor();
    await cancel.getByLabel('Type "cancel" to confirm').fill("cancel");
    await cancel.getByRole("button", { name: "Cancel the campaign" }).click();
    await badge(page, "Cancelled");
    for (const name of ["Send", "Resume", "Stop the schedule"])
      expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
  });

  it("that lacks something says all of it, and cannot be sent", async () => {
    const { id: empty } = await asOperator<{ id: string }>(`${team()}/v1/campaigns`, "POST", { name: "Empty" });
    const page = await enter({ path: `/campaigns/${empty}` });
    const question = await ask(page, "Send", "Send Empty?");
    await question.getByText("It cannot be sent yet").waitFor();
    await question.getByText("The mail has no subject. Give it one.").waitFor();
    expect(await question.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
  });
});
