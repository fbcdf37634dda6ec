import type { Page } from "playwright-core";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { secrets, until } from "../../system/mailspan.ts";
import { clerkWebhook, type Signed } from "../../system/signed.ts";
import { dashboardBench, violationsOf } from "./bench.ts";
import { refusingService } from "./service.ts";

const service = await refusingService();
const { enter, mailspan } = dashboardBench({ EMAIL_API_URL: service.url, EMAIL_API_KEY: "key of the email service" });
afterAll(() => service.stop());

const mails = () => service.accepted.filter(({ path }) => path === "/v1/transactional");
const post = async (source: string, { payload, headers }: Signed): Promise<string> =>
  ((await (await mailspan().post(source, payload, headers)).json()) as { id: string }).id;

const signUp = (name: string): Promise<string> =>
  post(
    "clerk",
    clerkWebhook((event) => {
      event.data.id = `user_${name}`;
      event.data.email_addresses[0].email_address = `${name}@example.com`;
    }),
  );

const admin = async (path: string, method = "GET", body?: object) => {
  const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "Content-Type": "application/json" };
  const answer = await fetch(`${mailspan().url}/admin${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return answer.json() as Promise<{ data: { id: string; state: string }[] }>;
};

const attention = async () => (await admin("/deliveries?state=attention&limit=100")).data;
const settled = (ids: readonly string[]) => Promise.all(ids.map((id) => mailspan().settled(id, 60_000)));
const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name });

beforeEach(async () => {
  delete service.mood.refuses;
  delete service.mood.refusesKey;
  for (const { id } of await attention()) await admin(`/deliveries/${id}/discard`, "POST", {});
  service.accepted.length = 0;
});

describe("a delivery that the email service refuses", () => {
  it("needs a person, is understood, retried after the template is fixed, and sends one mail", async () => {
    service.mood.refuses = "Variable name is missing";
    await settled([await signUp("ada")]);
    const page = await enter();
    const link = page.getByRole("link", { name: "Show how to fix" }).first();
    const needed = (await attention()).length;
    const inNavigation = (deliveries: number) =>
      page.getByRole("link", {
        name: deliveries === 0 ? "Deliveries" : `Deliveries ${deliveries} ${deliveries === 1 ? "needs" : "need"} you`,
        exact: true,
      });
    await inNavigation(needed).waitFor();
    await link.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Deliveries", level: 1 }).waitFor();
    const cause = page.getByRole("article", { name: /Variable name is missing/ }).filter({ hasText: "1 mail" });
    const delivery = cause.getByRole("row", { name: /ada@example.com/ });
    await delivery.waitFor();
    expect(await violationsOf(page)).toEqual([]);

    delete service.mood.refuses;
    await delivery.getByRole("link").focus();
    await page.keyboard.press("d");
    await dialogOf(page, "Discard 1 delivery?").getByRole("button", { name: "Cancel" }).click();
    await dialogOf(page, "Discard 1 delivery?").waitFor({ state: "detached" });
    await delivery.getByRole("link").focus();
    await page.keyboard.press("r");
    const dialog = dialogOf(page, "Retry 1 delivery?");
    await dialog.getByText("Mailspan tries 1 delivery once more.").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Retry 1 delivery" }).click();
    await dialog.getByText("1 of 1 sent").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await cause.waitFor({ state: "detached" });
    await inNavigation(needed - 1).waitFor();
    await until("the mail", async () => (mails().length > 0 ? true : undefined));
    expect(mails()).toHaveLength(1);
  });

  it("is one of many with the same cause: all are retried, and a run stops", async () => {
    service.mood.refuses = "There is no template 17";
    await settled(await Promise.all(Array.from({ length: 40 }, (_, n) => signUp(`many${n}`))));
    const page = await enter({ path: "/deliveries" });
    const cause = page
      .getByRole("article", { name: /^40 deliveries: There is no template/ })
      .filter({ hasText: "40 mails" });
    delete service.mood.refuses;
    await cause.getByRole("button", { name: "Retry 40" }).click();
    const dialog = dialogOf(page, "Retry 40 deliveries?");
    await dialog.getByText("Mailspan tries 40 deliveries once more.").waitFor();
    expect(mails()).toHaveLength(0);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Retry 40 deliveries" }).click();
    await dialog.getByText("40 of 40 retried").waitFor();
    await dialog.getByText("20 of the first 20 sent").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await cause.waitFor({ state: "detached" });
    await until("40 mails", async () => (mails().length >= 40 ? true : undefined), 30_000);
    expect(new Set(mails().map(({ key }) => key)).size).toBe(40);

    const events = page.getByRole("article", { name: /^40 deliveries/ }).filter({ hasText: "40 events" });
    let discards = 0;
    await page.route("**/api/bridge/deliveries/*/discard", async (route) => {
      discards += 1;
      await new Promise((resolve) => setTimeout(resolve, 150));
      await route.continue();
    });
    await events.getByRole("button", { name: "Discard 40" }).click();
    const discarding = dialogOf(page, "Discard 40 deliveries?");
    const run = discarding.getByRole("button", { name: "Discard 40 deliveries" });
    await discarding.getByText("Mailspan never sends 40 deliveries.").waitFor();
    await run.click();
    await discarding.getByText(/^[1-9]\d* of 40 discarded/).waitFor();
    await discarding.getByRole("button", { name: "Stop" }).click();
    await discarding.getByText(/Stopped: \d+ were not touched/).waitFor();
    expect(discards).toBeLessThan(40);
  });
});

describe("a replay", () => {
  it("says what it would make, and with mail makes exactly one", async () => {
    service.mood.refuses = "Not now";
    const id = await signUp("replayed");
    await settled([id]);
    delete service.mood.refuses;
    const page = await enter({ path: `/webhooks/${id}` });
    await page.getByRole("button", { name: "Replay" }).click();
    const dialog = dialogOf(page, "Replay this webhook");
    await dialog.getByText("1 delivery would be made, from 1 webhook.").waitFor();
    await dialog.getByLabel("Mails").check();
    await dialog.getByText("2 deliveries would be made, from 1 webhook.").waitFor();
    expect(mails()).toHaveLength(0);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Replay" }).click();
    await page.getByText("Replayed: 2 deliveries made.").waitFor();
    await mailspan().settled(id);
    expect(mails()).toHaveLength(1);
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("r");
    await dialog.getByLabel("Mails").check();
    await dialog.getByText("sent already").waitFor();
  });

  it("of many webhooks counts first, and makes nothing", async () => {
    const page = await enter({ path: "/webhooks/replays/new?source=clerk&since=1h" });
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText(/\d+ deliver(?:y|ies) would be made, from [1-9]\d* webhooks?\./).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(mails()).toHaveLength(0);
  });
});

describe("health", () => {
  it("pauses all deliveries and resumes it", async () => {
    const page = await enter({ path: "/deliveries/throughput" });
    await page
      .getByRole("table", { name: "Latency" })
      .getByRole("row", { name: /clerk .* ms|clerk .* s/ })
      .waitFor();
    await page.getByRole("button", { name: "Pause delivery" }).click();
    const dialog = dialogOf(page, "Pause delivery?");
    await dialog.getByText("nothing is lost").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Pause" }).click();
    await page.getByText("A person paused delivery").waitFor();
    const id = await signUp("paused");
    await page
      .getByRole("table", { name: "Sources" })
      .getByRole("row", { name: /clerk [1-9]/ })
      .waitFor();
    expect(service.accepted).toHaveLength(0);
    const webhook = await enter({ path: `/webhooks/${id}` });
    const deliveries = webhook.getByRole("region", { name: "What it did" }).getByRole("listitem");
    await deliveries.first().getByText("Waiting", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Resume delivery" }).click();
    await dialogOf(page, "Resume delivery?").getByRole("button", { name: "Resume" }).click();
    await page.getByText("A person paused delivery").waitFor({ state: "detached" });
    await mailspan().settled(id);
    expect(mails()).toHaveLength(1);
    const isDone = deliveries.first().getByText("Done", { exact: true });
    await isDone.waitFor({ timeout: 6_000 });
  });

  it("shows within 4 s that the email service refuses the key", async () => {
    const page = await enter({ path: "/deliveries/throughput" });
    service.mood.refusesKey = "Invalid API key";
    await signUp("revoked");
    await until("delivery is blocked", async () => {
      const { dispatch } = (await admin("/status")) as unknown as { dispatch: string };
      return dispatch === "blocked" ? true : undefined;
    });
    await page.getByText("The email service refuses the API key.").waitFor({ timeout: 4_000 });
    expect(await violationsOf(page)).toEqual([]);
  });
});
