import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../../system/mailspan.ts";
import { dashboardBench, more, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";

const { enter, mailspan } = dashboardBench({}, { WEBHOOKS_ALLOW_PRIVATE: "1" });

type Got = { headers: Record<string, string>; text: string };
const got: Got[] = [];
const mood = { status: 204, body: "" };
let server: Server;
let url = "";
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      got.push({ headers: request.headers as Record<string, string>, text });
      response.writeHead(mood.status).end(mood.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const received = (type: string, times: number) =>
  until(`${times} of ${type} arrived`, async () => {
    const found = got.filter(({ text }) => text.includes(`"${type}"`));
    return found.length >= times ? found : undefined;
  });

it("an outgoing webhook is added with a secret shown once, tested, replays, fails with its cause, and is disabled and deleted", async () => {
  const page = await enter();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Outgoing webhooks" }).click();
  await page.getByText("No outgoing webhooks yet").waitFor();
  await page.getByRole("button", { name: "New webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill(url);
  await dialog.getByLabel("Description").fill("CRM");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("it is not shown again").waitFor();
  const secret = (await dialog.locator("code").textContent()) ?? "";
  await page.getByRole("button", { name: "I have it" }).click();
  await page.getByRole("link", { name: url }).click();
  await page.getByRole("heading", { name: "Notifications" }).waitFor();
  expect((await page.content()).includes(secret)).toBe(false);

  await page.getByRole("button", { name: "Send a test event" }).click();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const [test] = await received("testing.testEvent", 1);
  expect(() => new Webhook(secret).verify(test?.text ?? "", test?.headers ?? {})).not.toThrow();
  const notifications = page.getByRole("table", { name: "events" });
  await notifications.getByRole("row").filter({ hasText: "HTTP 204" }).waitFor();

  const contacts = `${mailspan().emailUrl}/admin/teams/demo/v1/contacts/create`;
  await asOperator(contacts, "POST", { email: "ada@out.example" });
  await received("contact.created", 1);
  await more(page, "Replay");
  await page.getByText("No event would be delivered again.").waitFor();
  await page.getByLabel(/^All of a time/).check();
  await page.getByLabel("From", { exact: true }).fill("2020-01-01T00:00");
  await page.getByRole("button", { name: "Replay 1 event" }).click();
  await page.getByText("1 event is delivered again.").waitFor();
  const [first, again] = await received("contact.created", 2);
  expect(again?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);

  Object.assign(mood, { status: 500, body: "The CRM is full." });
  await asOperator(contacts, "POST", { email: "bo@out.example" });
  await received("contact.created", 3);
  await page.goto(`${page.url().split("?")[0]}?state=waiting`);
  const causes = page.getByRole("table", { name: "Causes" });
  await causes.getByRole("row").filter({ hasText: "HTTP 500" }).filter({ hasText: "The CRM is full." }).waitFor();
  await page.getByRole("button", { name: /^Show 1 of / }).click();
  await page.getByRole("table", { name: "attempts" }).getByText("The CRM is full.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.goto(`${page.url().split("?")[0]}?state=failed`);
  await page.getByText("No event matches these filters").waitFor();

  await more(page, "Replace the secret");
  await page.getByRole("button", { name: "Replace", exact: true }).click();
  await page.getByText("it is not shown again").waitFor();
  await page.getByRole("button", { name: "I have it" }).click();
  await page.getByText("signs too; it ends").waitFor();
  await more(page, "Disable");
  await page.getByRole("dialog").getByRole("button", { name: "Disable", exact: true }).click();
  await page.getByText("The webhook is disabled.").waitFor();
  await more(page, "Delete the webhook");
  await page.getByLabel('Type "delete" to confirm').fill("delete");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("No outgoing webhooks yet").waitFor();
});
