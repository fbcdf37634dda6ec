import type { Page } from "playwright-core";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { secrets, until } from "../../system/mailspan.ts";
import { clerkWebhook, type Signed } from "../../system/signed.ts";
import { dashboardBench, violationsOf } from "./bench.ts";
import { refusingHost } from "./host.ts";

const host = await refusingHost();
const { enter, mailspan } = dashboardBench({ EMAIL_API_URL: host.url, EMAIL_API_KEY: "key of the host" });
afterAll(() => host.stop());

const mails = () => host.accepted.filter(({ path }) => path === "/v1/transactional");
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

const attention = async () => (await admin("/calls?state=attention&limit=100")).data;
const settled = (ids: readonly string[]) => Promise.all(ids.map((id) => mailspan().settled(id, 60_000)));
const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name });

beforeEach(async () => {
  delete host.mood.refuses;
  delete host.mood.refusesKey;
  for (const { id } of await attention()) await admin(`/calls/${id}/discard`, "POST", {});
  host.accepted.length = 0;
});

describe("a call that the host refuses", () => {
  it("needs a person, is understood, retried after the template is mended, and sends one mail", async () => {
    host.mood.refuses = "Variable name is missing";
    await settled([await signUp("ada")]);
    const page = await enter();
    const link = page.getByRole("link", { name: /calls? needs? you/ });
    const needed = Number.parseInt(await link.innerText(), 10);
    const inNavigation = (calls: number) =>
      page.getByRole("link", {
        name: calls === 0 ? "Calls" : `Calls ${calls} ${calls === 1 ? "needs" : "need"} you`,
        exact: true,
      });
    await inNavigation(needed).waitFor();
    await link.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Calls", level: 1 }).waitFor();
    const cause = page
      .getByRole("region", { name: /Variable name is missing/ })
      .filter({ hasText: "Mails by the rule" });
    await cause.getByRole("button", { name: /Show/ }).click();
    const call = cause.getByRole("article");
    await call.getByRole("cell", { name: "Variable name is missing" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    delete host.mood.refuses;
    await call.getByRole("button", { name: "Retry" }).focus();
    await page.keyboard.press("d");
    await dialogOf(page, "Discard this call?").getByRole("button", { name: "Cancel" }).click();
    await dialogOf(page, "Discard this call?").waitFor({ state: "detached" });
    await call.getByRole("button", { name: "Retry" }).focus();
    await page.keyboard.press("r");
    const dialog = dialogOf(page, "Retry this call?");
    await dialog.getByText("ada@example.com").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Retry" }).click();
    await page.getByText("The call is retried.").waitFor();
    await cause.waitFor({ state: "detached" });
    await inNavigation(needed - 1).waitFor();
    await until("the mail", async () => (mails().length > 0 ? true : undefined));
    expect(mails()).toHaveLength(1);
  });

  it("is one of many with the same cause: all are retried, and a run stops", async () => {
    host.mood.refuses = "There is no template 17";
    await settled(await Promise.all(Array.from({ length: 40 }, (_, n) => signUp(`many${n}`))));
    const page = await enter({ path: "/calls" });
    const cause = page.getByRole("region", { name: /^40 calls: There is no template/ }).filter({ hasText: "Mails" });
    delete host.mood.refuses;
    await cause.getByRole("button", { name: "Retry all" }).click();
    const dialog = dialogOf(page, "Retry all calls of this cause");
    await dialog.getByText("40 calls would be attempted once more").waitFor();
    expect(mails()).toHaveLength(0);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Retry 40 calls" }).click();
    await dialog.getByText("40 of 40 retried").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await cause.waitFor({ state: "detached" });
    await until("40 mails", async () => (mails().length >= 40 ? true : undefined), 30_000);
    expect(new Set(mails().map(({ key }) => key)).size).toBe(40);

    const events = page.getByRole("region", { name: /^40 calls/ }).filter({ hasText: "Events" });
    let discards = 0;
    await page.route("**/api/bridge/calls/*/discard", async (route) => {
      discards += 1;
      await new Promise((resolve) => setTimeout(resolve, 150));
      await route.continue();
    });
    await events.getByRole("button", { name: "Discard all" }).click();
    const discarding = dialogOf(page, "Discard all calls of this cause");
    const run = discarding.getByRole("button", { name: "Discard 40 calls" });
    await discarding.getByText("40 calls would never be made.").waitFor();
    expect(await run.isDisabled()).toBe(true);
    await discarding.getByLabel('Type "discard" to confirm').fill("discard");
    await run.click();
    await discarding.getByText(/^[1-9]\d* of 40 discarded/).waitFor();
    await discarding.getByRole("button", { name: "Stop" }).click();
    await discarding.getByText(/Stopped: \d+ were not touched/).waitFor();
    expect(discards).toBeLessThan(40);
  });
});

describe("a replay", () => {
  it("says what it would make, and with mail makes exactly one", async () => {
    host.mood.refuses = "Not now";
    const id = await signUp("replayed");
    await settled([id]);
    delete host.mood.refuses;
    const page = await enter({ path: `/webhooks/${id}` });
    await page.getByRole("button", { name: "Replay" }).click();
    const dialog = dialogOf(page, "Replay this webhook");
    await dialog.getByText("1 call would be made, from 1 webhook.").waitFor();
    await dialog.getByLabel("Mails").check();
    await dialog.getByText("2 calls would be made, from 1 webhook.").waitFor();
    expect(mails()).toHaveLength(0);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Replay" }).click();
    await page.getByText("Replayed: 2 calls made.").waitFor();
    await mailspan().settled(id);
    expect(mails()).toHaveLength(1);
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("r");
    await dialog.getByLabel("Mails").check();
    await dialog.getByText("sent already").waitFor();
  });

  it("of many webhooks counts first, and makes nothing", async () => {
    const page = await enter({ path: "/replay?source=clerk&since=1h" });
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText(/\d+ calls? would be made, from [1-9]\d* webhooks?\./).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(mails()).toHaveLength(0);
  });
});

describe("health", () => {
  it("pauses all delivery and resumes it", async () => {
    const page = await enter({ path: "/health" });
    await page
      .getByRole("table", { name: "Latency" })
      .getByRole("row", { name: /clerk .* ms|clerk .* s/ })
      .waitFor();
    await page.getByRole("button", { name: "Pause all" }).click();
    const dialog = dialogOf(page, "Pause all delivery?");
    await dialog.getByText("nothing is lost").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Pause" }).click();
    await page.getByText("A person paused all delivery").waitFor();
    const id = await signUp("paused");
    await page
      .getByRole("table", { name: "Sources" })
      .getByRole("row", { name: /clerk [1-9]/ })
      .waitFor();
    expect(host.accepted).toHaveLength(0);
    const webhook = await enter({ path: `/webhooks/${id}` });
    const calls = webhook.getByRole("article");
    await calls.first().getByText("waiting", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Resume all" }).click();
    await dialogOf(page, "Resume delivery?").getByRole("button", { name: "Resume" }).click();
    await page.getByText("A person paused all delivery").waitFor({ state: "detached" });
    await mailspan().settled(id);
    expect(mails()).toHaveLength(1);
    const isDone = calls.first().getByText("done", { exact: true });
    await isDone.waitFor({ timeout: 6_000 });
  });

  it("shows within 4 s that the host refuses the key", async () => {
    const page = await enter({ path: "/health" });
    host.mood.refusesKey = "Invalid API key";
    await signUp("revoked");
    await until("delivery is blocked", async () => {
      const { delivery } = (await admin("/status")) as unknown as { delivery: string };
      return delivery === "blocked" ? true : undefined;
    });
    await page.getByText("Delivery waits: blocked").waitFor({ timeout: 4_000 });
    expect(await violationsOf(page)).toEqual([]);
  });
});
