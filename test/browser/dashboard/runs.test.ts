import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { until } from "../../system/mailspan.ts";
import { clerkWebhook } from "../../system/signed.ts";
import { dashboardBench } from "./bench.ts";
import { filterBy } from "./chips.ts";
import { asOperator, signUpInVain } from "./data.ts";

const { enter, mailspan } = dashboardBench();
const NAMES = ["one", "two", "three"];

beforeAll(async () => {
  await signUpInVain(mailspan(), NAMES);
  await mailspan().client.createContact({ email: "run@example.com" });
});

const gateAt = async (page: Page, path: string, isHeld: (request: Request) => boolean = () => true) => {
  const gate = { asked: 0, open: () => {} };
  const opened = new Promise<void>((resolve) => {
    gate.open = resolve;
  });
  await page.route(path, async (route) => {
    if (isHeld(route.request())) {
      gate.asked += 1;
      await opened;
    }
    await route.continue();
  });
  return gate;
};

const asked = (gate: { asked: number }) => until("a request", async () => (gate.asked > 0 ? true : undefined));

describe("a run over many things", () => {
  it("of deliveries keeps its dialog open until it is stopped, and then does no more", async () => {
    const page = await enter({ path: "/deliveries" });
    const gate = await gateAt(page, "**/api/bridge/deliveries/*/discard");
    await page.getByRole("button", { name: "Discard 3" }).click();
    const dialog = page.getByRole("dialog", { name: "Discard 3 deliveries?" });
    await dialog.getByRole("button", { name: "Discard 3 deliveries" }).click();
    await asked(gate);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    expect(await dialog.getByRole("button", { name: "Close" }).isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Stop" }).click();
    gate.open();
    await dialog.getByText("1 of 3 discarded. Stopped: 2 were not touched.").waitFor();
    expect(gate.asked).toBe(1);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("of deliveries stops when its page is left", async () => {
    const page = await enter({ path: "/deliveries/throughput" });
    await page
      .getByRole("link", { name: /^Deliveries/ })
      .first()
      .click();
    const gate = await gateAt(page, "**/api/bridge/deliveries/*/retry");
    await page.getByRole("button", { name: "Retry 2" }).click();
    const dialog = page.getByRole("dialog", { name: "Retry 2 deliveries?" });
    await dialog.getByRole("button", { name: "Retry 2 deliveries" }).click();
    await asked(gate);
    await page.goBack();
    await page.getByRole("heading", { name: "Throughput", level: 1 }).waitFor();
    const answered = page.waitForResponse(/\/retry$/);
    gate.open();
    await answered;
    await page
      .getByRole("link", { name: /^Deliveries/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Retry 1" }).waitFor();
    expect(gate.asked).toBe(1);
  });

  it("of contacts keeps its dialog open while it runs", async () => {
    const page = await enter({ path: "/people?q=run@" });
    const isReal = (request: Request) => !(request.postDataJSON() as { dryRun: boolean }).dryRun;
    const gate = await gateAt(page, "**/api/email/**/contacts/bulk", isReal);
    await page.getByLabel("Select run@example.com").check();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete: 1 contact" });
    await dialog.getByLabel('Type "delete" to confirm').fill("delete");
    await dialog.getByRole("button", { name: "Delete 1 contact" }).click();
    await asked(gate);
    await page.keyboard.press("Escape");
    expect(await dialog.getByRole("button", { name: "Close" }).isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Stop" }).waitFor();
    gate.open();
    await dialog.getByText("1 of 1 deleted").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });
});

describe("an act", () => {
  it("that resumes a source says how many of its deliveries wait now", async () => {
    await asOperator(`${mailspan().url}/admin/pause`, "POST", { source: "clerk" });
    const page = await enter({ path: "/sources/clerk" });
    await page.getByRole("button", { name: "Resume clerk" }).waitFor();
    const { payload, headers } = clerkWebhook((event) => {
      event.data.id = "user_waits";
      event.data.email_addresses[0].email_address = "waits@example.com";
    });
    await mailspan().post("clerk", payload, headers);
    await page.getByRole("button", { name: "Resume clerk" }).click();
    const dialog = page.getByRole("dialog", { name: "Resume the deliveries of clerk?" });
    await dialog.getByText(/^[1-9] deliver(y waits|ies wait), and will be sent\.$/).waitFor();
    await dialog.getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByRole("button", { name: "Pause clerk" }).waitFor();
  });

  it("that erases a person keeps its dialog open until it has ended", async () => {
    const page = await enter({ path: "/people/two@example.com" });
    const isReal = (request: Request) => (request.postDataJSON() as { dryRun: boolean }).dryRun === false;
    const gate = await gateAt(page, "**/api/bridge/erase", isReal);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Erase the person" }).click();
    const dialog = page.getByRole("dialog", { name: "Erase two@example.com?" });
    await dialog.getByText("This cannot be undone").waitFor();
    await dialog.getByLabel('Type "erase" to confirm').fill("erase");
    await dialog.getByRole("button", { name: "Erase", exact: true }).click();
    await asked(gate);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    for (const name of ["Close", "Cancel"])
      expect([name, await dialog.getByRole("button", { name }).isDisabled()]).toEqual([name, true]);
    gate.open();
    await dialog.waitFor({ state: "detached" });
    await page.waitForURL((url) => url.pathname === "/people");
  });

  it("that was asked for without a connection says so, and its dialog can be closed", async () => {
    const page = await enter({ path: "/deliveries/throughput", mayFail: true, alone: true });
    await page.getByRole("button", { name: "Pause delivery" }).click();
    const dialog = page.getByRole("dialog", { name: "Pause delivery?" });
    await dialog.getByText("nothing is lost").waitFor();
    await page.context().setOffline(true);
    await dialog.getByRole("button", { name: "Pause" }).click();
    await dialog.getByText("The dashboard gave no answer. Check your connection.").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.context().setOffline(false);
    await page.reload();
    await page.getByRole("button", { name: "Pause delivery" }).waitFor();
  });
});

describe("a replay of many webhooks", () => {
  it("runs only what was counted: another choice is counted anew", async () => {
    const page = await enter({ path: "/webhooks/replays/new?actions=contact,event,transactional" });
    const make = page.getByRole("button", { name: /^Make \d+ deliver(?:y|ies)$/ });
    const preview = page.getByRole("button", { name: "Preview" });
    await preview.click();
    await make.waitFor();
    await filterBy(page, "Event", "nothing.like.this");
    await page.keyboard.press("Enter");
    await make.waitFor({ state: "detached" });
    expect(await page.getByText(/deliver(?:y|ies) would be made/).count()).toBe(0);
    await page.getByRole("button", { name: "Clear Event" }).click();
    await page.getByRole("button", { name: "Event", exact: true }).waitFor();
    await preview.click();
    const counted = /\d+/.exec((await make.textContent()) ?? "")?.[0];
    await make.click();
    await page.getByText(new RegExp(`^${counted} deliveries? (was|were) made, from`)).waitFor();
  });
});
