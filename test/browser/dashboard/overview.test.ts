import type { Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { newLoginCode } from "../../../scripts/start/dashboard.ts";
import { sendSamples } from "../../../scripts/start/samples.ts";
import { secrets } from "../../system/mailspan.ts";
import { dashboardBench, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";
import { failing } from "./faults.ts";

const code = newLoginCode();
const { open, enter, mailspan } = dashboardBench({}, {}, undefined, { LOGIN_CODE: code });

describe("the first run", () => {
  it("begins with the link that has a code: the first steps tick themselves, and the overview shows the samples", async () => {
    const page = await open({ path: `/#code=${code}` });
    await page.getByRole("heading", { name: "Everything is flowing", level: 1 }).waitFor();
    expect(page.url()).not.toContain(code);
    const steps = page.getByRole("region", { name: "First steps" }).getByRole("listitem");
    const step = (text: string) => steps.filter({ hasText: text });
    await step("Receive a webhook").getByText("(open)").waitFor();
    await step("See a mail in the local inbox").getByText("(open)").waitFor();
    await page.getByText("npm run demo").first().waitFor();
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await sendSamples(mailspan(), secrets);
    const latest = page.getByRole("table", { name: "Latest webhooks" });
    for (const type of ["checkout.session.completed", "user.created", "send-email"])
      await latest.getByRole("link", { name: type, exact: true }).waitFor();
    for (const done of ["Receive a webhook", "See a mail in the local inbox"])
      await step(done).getByText("(done)").waitFor();
    await page.getByRole("slider", { name: /Webhooks by the hour: 3 accepted, 0 duplicates, 0 refused/ }).waitFor();
    await page.getByRole("slider", { name: /Mails by the hour: [1-9]\d* sent/ }).waitFor();
    const way = page.getByRole("region", { name: "The way of webhooks and mail" });
    await way.getByText("3 webhooks in 24 h").waitFor();
    await way.getByText("Nothing waits").waitFor();
    await page.getByRole("button", { name: "Hide first steps" }).click();
    await page.getByRole("region", { name: "First steps" }).waitFor({ state: "detached" });
    await page.reload();
    await latest.getByRole("link", { name: "user.created", exact: true }).waitFor();
    expect(await page.getByRole("region", { name: "First steps" }).count()).toBe(0);
    const newest = page.getByRole("region", { name: "Latest" });
    await newest.getByText("Mail", { exact: true }).click();
    await page.getByRole("table", { name: "Latest mails" }).getByRole("link").first().waitFor();
    await newest.getByText("Webhooks", { exact: true }).click();
    await latest.getByRole("link", { name: "user.created", exact: true }).click();
    await page.getByRole("heading", { name: "user.created" }).waitFor();
  });
});

describe("the overview", () => {
  it("leads from a bar to the webhooks of that hour", async () => {
    const page = await enter();
    const bars = page.getByRole("slider", { name: /Webhooks by the hour: 3 accepted/ });
    const box = await bars.boundingBox();
    if (!box) throw new Error("The chart is not shown.");
    await page.mouse.click(box.x + box.width - 2, box.y + box.height / 2);
    await page.waitForURL(/\/webhooks\?since=.*until=/);
  });

  it("has charts in the time zone of the team, not in that of the browser", async () => {
    const timeZone = "Pacific/Kiritimati";
    const team = `${mailspan().emailUrl}/admin/teams/demo`;
    await asOperator(team, "POST", { timeZone });
    try {
      const page = await enter({ alone: true });
      for (const name of ["Webhooks by the hour", "Mails by the hour"]) {
        const chart = page.getByRole("region", { name });
        await chart.getByText(`Times of ${timeZone}`).waitFor();
        await chart.getByRole("slider").press("Home");
        const shown = (await chart.getByRole("slider").getAttribute("aria-valuetext"))?.replace(/ –.*/, "");
        const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
        const day = { timeZone, day: "numeric", month: "short", ...time } as const;
        const hour = 3_600_000;
        // The hour may end between both readings.
        const begins = [0, 1].map((more) => Math.floor((Date.now() - more * hour) / hour) * hour - 24 * hour);
        expect(begins.map((at) => new Date(at).toLocaleString("en-US", day))).toContain(shown);
      }
    } finally {
      await asOperator(team, "POST", { timeZone: "UTC" });
    }
  });

  it("does not say that everything is well while a service gives no answer", async () => {
    const isOfBridge = (route: Route) => route.request().url().includes("/api/bridge/");
    const page = await enter({ mayFail: true, prepare: (failed) => failing(failed, isOfBridge) });
    await page.getByRole("heading", { name: "The email service does not answer", level: 1 }).waitFor();
    expect(await page.getByText("Everything is flowing").count()).toBe(0);
  });

  it("says within 5 s what needs a person, leads there, and ends it", async () => {
    const page = await enter();
    await page.getByRole("heading", { name: "Everything is flowing" }).waitFor();
    await fetch(`${mailspan().url}/admin/pause`, {
      method: "POST",
      headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` },
      body: JSON.stringify({ source: "stripe" }),
    });
    await page.getByRole("heading", { name: "Stripe is paused", level: 1 }).waitFor();
    const needs = page.getByRole("region", { name: "Needs you" });
    await needs.getByRole("heading", { name: "Stripe is paused", level: 3 }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await needs.getByRole("link", { name: "Details" }).click();
    await page.getByRole("heading", { name: "Throughput", level: 1 }).waitFor();
    await page.goBack();
    await needs.getByRole("button", { name: "Resume stripe" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
    await page.getByRole("heading", { name: "Everything is flowing", level: 1 }).waitFor();
    await needs.waitFor({ state: "detached" });
  });
});
