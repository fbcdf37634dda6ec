import { beforeAll, describe, expect, it } from "vitest";
import { sampleBody } from "../../../scripts/samples/samples.ts";
import { clerkWebhook } from "../../system/signed.ts";
import { dashboardBench, violationsOf } from "./bench.ts";

const { enter, mailspan } = dashboardBench();
let webhook = "";

beforeAll(async () => {
  const { payload, headers } = clerkWebhook();
  webhook = ((await (await mailspan().post("clerk", payload, headers)).json()) as { id: string }).id;
  await mailspan().settled(webhook);
});

describe("the rules", () => {
  it("are listed, and one shows what it says and did", async () => {
    const page = await enter({ path: "/sources/rules" });
    const row = page.getByRole("row", { name: /sends the mail "welcome"/i }).first();
    expect(await violationsOf(page)).toEqual([]);
    await row.getByRole("link").first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Latest deliveries" }).waitFor();
    await page.getByText('It sends the mail "welcome".').waitFor();
    await page.getByText(/^src\/mappings\/.+\.ts, line \d+$/).waitFor();
    await page.getByText(/^Published\s+"Welcome" \(\S+\)\. This rule/).waitFor();
    await page.getByRole("link", { name: /mail "welcome" for / }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it("are tried on a changed body: a false condition is marked, and nothing is stored or sent", async () => {
    const page = await enter({ path: "/sources/rules?source=clerk" });
    await page.getByRole("link", { name: "signed up", exact: true }).click();
    const before = [await mailspan().webhooks(), await mailspan().inbox()];
    const body = sampleBody("clerk", "user.created");
    const tryBody = async (data: object) => {
      await page.getByLabel("Body").fill(JSON.stringify({ ...body, data }));
      await page.keyboard.press("Control+Enter");
    };
    const user = body.data as object;
    await tryBody({ ...user, email_addresses: [], primary_email_address_id: null });
    const outcomes = page.getByRole("table", { name: "Outcomes" });
    await outcomes
      .getByRole("row", { name: /signed up Not matched/ })
      .locator("mark")
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await tryBody(user);
    await outcomes.getByRole("row", { name: /signed up Matched/ }).waitFor();
    await page.getByRole("article").first().waitFor();
    expect([await mailspan().webhooks(), await mailspan().inbox()]).toEqual(before);
    await page.reload();
    await page.getByLabel("Body").waitFor();
    expect(await page.getByLabel("Body").inputValue()).toContain("user.created");
    await page.getByLabel("Body").fill("{");
    await page.getByRole("button", { name: "Try" }).click();
    await page.getByRole("alert").getByText("This is not JSON").waitFor();
  });

  it("of today are compared with those of the time of a webhook", async () => {
    const page = await enter({ path: `/webhooks/${webhook}` });
    await page.getByRole("tab", { name: "With today's rules" }).click();
    await page.getByRole("heading", { name: "Deliveries of then, and of today's rules" }).waitFor();
    await page.getByText("the same").first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});
