import { readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { secrets, until } from "../../system/mailspan.ts";
import { dashboardBench, toFit, violationsOf } from "./bench.ts";
import { asOperator } from "./data.ts";

const { enter, mailspan } = dashboardBench();

const team = () => `${mailspan().emailUrl}/admin/teams/demo`;
type Contact = { email: string; firstName: string | null; subscribed: boolean; seats?: number };
const contact = async (email: string): Promise<Contact | undefined> =>
  (await asOperator<Contact[]>(`${team()}/v1/contacts/find?email=${encodeURIComponent(email)}`))[0];

const ROWS = 10_000;
const BAD = new Map([
  [17, "not an address"],
  [2_345, "two@@example.com"],
  [9_999, "last@"],
]);
const file = (() => {
  const lines = [...Array(ROWS).keys()].map((index) => {
    const row = index + 1;
    const of = row % 100 === 0 ? row - 1 : row;
    const email = BAD.get(row) ?? `p${of}@import.example`;
    const name = row === 5 ? '"Ada\r\nde la ""Cour"""' : `Person ${of}`;
    return `${email};${name};${row % 7};yes${["\r\n", "\n", "\r"][row % 3]}`;
  });
  return Buffer.from(`\ufeffE-mail;First name;Seats;Subscribed\r\n${lines.join("")}`);
})();
const upload = { name: "people.csv", mimeType: "text/csv", buffer: file };

beforeAll(async () => {
  const add = (email: string, fields: object = {}) =>
    asOperator(`${team()}/v1/contacts/create`, "POST", { email, ...fields });
  await add("p1@import.example", { firstName: "Person 1" });
  await add("p2@import.example", { subscribed: false });
  await add("p3@import.example");
  await asOperator(`${team()}/suppressions`, "POST", { email: "p3@import.example" });
});

const choose = async (page: Page, given: Parameters<ReturnType<Page["locator"]>["setInputFiles"]>[0] = upload) => {
  await page.locator('input[type="file"]').setInputFiles(given);
};
const state = (page: Page, word: string) => page.getByRole("main").getByText(word, { exact: true }).first().waitFor();

describe("an import", () => {
  it("is mapped, looked at, interrupted by a reload, continued with the same file, and says which rows were refused", async () => {
    const page = await enter({ path: "/people/imports" });
    await page.getByText("No import yet").waitFor();
    await page.getByRole("link", { name: "New import" }).click();
    await choose(page);
    await page.getByText("10,000 rows, 4 columns, UTF-8, delimiter semicolon.").waitFor();

    const becomes = (column: string) => page.getByRole("combobox", { name: `${column} becomes` });
    await becomes("E-mail").waitFor();
    expect(
      await Promise.all(["E-mail", "First name", "Seats", "Subscribed"].map((one) => becomes(one).inputValue())),
    ).toEqual(["Email address", "First name", "Ignore", "Subscribed (yes, no or a state)"]);
    await becomes("Seats").click();
    await page.getByRole("option", { name: "New property …" }).click();
    expect(await page.getByLabel("Name of the property for Seats").inputValue()).toBe("seats");
    expect(await page.getByRole("combobox", { name: "Type of the property for Seats" }).inputValue()).toBe("number");
    await page
      .getByText("Of the first 100 rows: 95 created, 4 changed, 0 unchanged, 1 refused. Nothing is written yet.")
      .waitFor();
    const preview = page.getByRole("table", { name: "preview" });
    await preview.getByText("The contact has unsubscribed, and stays so.").waitFor();
    expect(await page.getByRole("switch", { name: "Start workflows" }).isChecked()).toBe(false);
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole("button", { name: "Import 10,000 rows" }).click();
    const dialog = page.getByRole("dialog", { name: "Import people.csv?" });
    await dialog.getByText(/Nobody is subscribed again/).waitFor();
    await dialog.getByText("No workflow starts.").waitFor();
    let parts = 0;
    await page.route("**/imports/*/rows", (route) => (++parts > 3 ? undefined : route.fallback()));
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText(/^3,000 of 10,000 rows are sent\./).waitFor();
    await page.reload();
    await page.getByText(/^3,000 rows have arrived\./).waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    expect(await violationsOf(page)).toEqual([]);
    await choose(page, { ...upload, buffer: Buffer.concat([file.subarray(0, -2), Buffer.from("x\n")]) });
    await page.getByText("This is another file").waitFor();
    await choose(page);
    await state(page, "Done");

    const outcome = await page.getByRole("region", { name: "Outcome" }).innerText();
    expect(outcome.split(/\n+/)).toEqual(["Created", "9,895", "Changed", "102", "Unchanged", "0", "Refused", "3"]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Refused rows as CSV" }).click(),
    ]);
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\r\n");
    expect(lines[0]).toBe("row,line,outcome,column,reason");
    expect(lines.slice(1).map((line) => line.split(",").slice(0, 4))).toEqual(
      [...BAD.keys()].map((row) => [String(row), String(row + 2), "refused", "E-mail"]),
    );
    for (const line of lines.slice(1)) expect(line.split(",").slice(4).join(",")).toMatch(/address/);
    for (const value of BAD.values()) expect(lines.join()).not.toContain(value);
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    await toFit(page);

    expect(await contact("p2@import.example")).toMatchObject({ subscribed: false, firstName: "Person 2", seats: 2 });
    expect(await contact("p5@import.example")).toMatchObject({ firstName: 'Ada\nde la "Cour"', seats: 5 });
    expect(await contact("p99@import.example")).toMatchObject({ subscribed: true, seats: 100 % 7 });
    const { data } = await asOperator<{ data: { email: string }[] }>(`${team()}/suppressions`);
    expect(data.map(({ email }) => email)).toContain("p3@import.example");
    const left = await asOperator<{ data: { email: string }[] }>(`${team()}/contacts?subscribed=false`);
    expect(left.data.map(({ email }) => email)).toEqual(["p2@import.example"]);
  });

  it("does not start while a column that says who gets no mail would be lost, unless a person ignores it by name", async () => {
    const page = await enter({ path: "/people/imports/new" });
    const text = "email,State,Joined\nn1@no.example,active,01/02/2024\nn2@no.example,cleaned,03/04/2024\n";
    await choose(page, { name: "answers.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await page.getByText("State: 1 cell says no. These people are not subscribed.").waitFor();
    const importing = page.getByRole("button", { name: "Import 2 rows" });
    expect(await importing.isEnabled()).toBe(true);
    const becomes = (column: string) => page.getByRole("combobox", { name: `${column} becomes` });
    const choosing = async (column: string, option: string) => {
      await becomes(column).click();
      await page.getByRole("option", { name: option, exact: true }).click();
    };
    await choosing("State", "Ignore");
    await page.getByText("State says it in 1 cell, and would be lost.").waitFor();
    expect(await importing.isDisabled()).toBe(true);
    await page.getByLabel("Ignore State: its people are subscribed").check();
    expect(await importing.isEnabled()).toBe(true);
    await page.getByLabel("Ignore State: its people are subscribed").uncheck();
    await choosing("State", "Not subscribed (yes, a time or a reason)");
    expect(await importing.isDisabled()).toBe(true);
    await choosing("State", "Subscribed (yes, no or a state)");
    await choosing("Joined", "Created at");
    const order = page.getByRole("combobox", { name: "Dates such as 01/02/2024 in Joined" });
    await order.waitFor();
    expect(await importing.isDisabled()).toBe(true);
    await order.click();
    await page.getByRole("option", { name: "the day first: 1 February" }).click();
    expect(await violationsOf(page)).toEqual([]);
    await importing.click();
    await page.getByRole("dialog").getByRole("button", { name: "Import", exact: true }).click();
    await state(page, "Done");
    expect(await contact("n1@no.example")).toMatchObject({ subscribed: true, createdAt: "2024-02-01T00:00:00.000Z" });
    expect(await contact("n2@no.example")).toMatchObject({ subscribed: false });
  });

  it("proposes a text for codes, and shows what a number would make of them", async () => {
    const page = await enter({ path: "/people/imports/new" });
    const buffer = Buffer.from("email,ref,notes\ncode1@import.example,00123,a\ncode2@import.example,7,b\n");
    await choose(page, { ...upload, name: "codes.csv", buffer });
    await page.getByRole("combobox", { name: "ref becomes" }).click();
    await page.getByRole("option", { name: "New property …" }).click();
    const type = page.getByRole("combobox", { name: "Type of the property for ref" });
    expect(await type.inputValue()).toBe("string");
    const cells = page.getByRole("table", { name: "preview" }).getByRole("row");
    await cells.filter({ hasText: "00123" }).waitFor();
    expect(await cells.filter({ hasText: "→" }).count()).toBe(0);
    await type.click();
    await page.getByRole("option", { name: "number", exact: true }).click();
    await cells.getByText("00123 → 123").waitFor();
    expect(await cells.filter({ hasText: "→" }).count()).toBe(1);
    await page.getByText("After → is what is stored, where a property does not keep a cell as it stands.").waitFor();
    await page.getByText("1 column is not imported: notes.").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await page.getByRole("dialog").getByText("1 column is not imported: notes.").waitFor();
  });

  it("shows every column that is imported, and offers no import where every row would be refused", async () => {
    for (const _ of [1, 2]) await asOperator(`${team()}/lists`, "POST", { name: "Twins" });
    const page = await enter({ path: "/people/imports/new" });
    const names = ["firstName", "lastName", "userId", "userGroup", "source", "subscribed"];
    const buffer = Buffer.from(`email,${names.join(",")}\nwide@import.example,a,b,c,d,e,yes\n`);
    await choose(page, { ...upload, name: "wide.csv", buffer });
    const preview = page.getByRole("table", { name: "preview" });
    await preview.getByText("wide@import.example").waitFor();
    expect(await preview.getByRole("columnheader").allTextContents()).toEqual([
      "Line",
      "Outcome",
      "email",
      ...names,
      "Why",
    ]);
    await page.getByRole("combobox", { name: "source becomes" }).click();
    expect(await page.getByRole("option", { name: /^Twins \(.+\)$/ }).count()).toBe(2);
    await page.keyboard.press("Escape");
    expect(await page.getByRole("button", { name: "Import 1 row" }).isEnabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);

    await choose(page, { ...upload, name: "none.csv", buffer: Buffer.from("email\nnobody@\nno one@\n") });
    await page.getByText("There is nothing to import: every row of the file would be refused.").waitFor();
    expect(await page.getByRole("button", { name: "Import 2 rows" }).isDisabled()).toBe(true);
  });

  it("that needs a new login at its start asks for the token in place, when its rows are there", async () => {
    const page = await enter({ path: "/people/imports/new" });
    await choose(page, {
      ...upload,
      name: "two.csv",
      buffer: Buffer.from("email\nproof1@import.example\nproof2@import.example\n"),
    });
    let asked = 0;
    const refusal = { code: "proof_required", message: "Your login is older than 15 minutes." };
    await page.route("**/imports/*/start", (route) =>
      ++asked === 1 ? route.fulfill({ status: 403, json: refusal }) : route.fallback(),
    );
    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Import", exact: true }).click();
    await page.getByLabel("Admin token").fill(secrets.ADMIN_TOKEN);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Continue" }).click();
    await state(page, "Done");
    expect(await contact("proof2@import.example")).toMatchObject({ email: "proof2@import.example" });
  });

  it("goes on to its outcome where the first answer about it was given just before it was started", async () => {
    const page = await enter({ path: "/people/imports/new" });
    await choose(page, { ...upload, buffer: Buffer.from("email\nslow@import.example\n") });
    await page.getByText(/Of the first 1 row: 1 created/).waitFor();
    const started = page.waitForResponse((answer) => answer.url().endsWith("/start"));
    let isFirst = true;
    await page.route(/\/imports\/imp_\w+$/, async (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      const response = await route.fetch();
      await started;
      await page.waitForTimeout(500);
      const was = { state: "ready", startedAt: null, processed: 0 };
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...was } }).catch(() => {});
    });
    await page.getByRole("button", { name: "Import 1 row" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Import", exact: true }).click();
    await state(page, "Done");
    await page.unrouteAll({ behavior: "wait" });
  });

  it("of 100,000 rows keeps the tab small, its requests short, and the page answering", async () => {
    const page = await enter({ path: "/people/imports/new", alone: true });
    const line = (n: number) => `many${n}@import.example,Person ${n},${n},some text that is longer than a name\n`;
    const many = join(await mkdtemp(join(tmpdir(), "imports-")), "many.csv");
    await writeFile(many, `email,name,seats,notes\n${[...Array(100_000).keys()].map(line).join("")}`);
    const times: number[] = [];
    page.on("requestfinished", (request) => {
      if (/\/imports\/.*(rows|complete|begin|preview)$/.test(request.url())) times.push(request.timing().responseEnd);
    });
    await page.evaluate(`new PerformanceObserver((list) => {
      globalThis.long = Math.max(globalThis.long ?? 0, ...list.getEntries().map(({ duration }) => duration));
    }).observe({ entryTypes: ["longtask"] })`);
    await choose(page, many);
    await page.getByText(/^100,000 rows/).waitFor();
    await page.getByRole("button", { name: "Import 100,000 rows" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Import", exact: true }).click();
    const importId = await until("the import began", async () => /imp_\w+/.exec(page.url())?.[0], 60_000);
    await until(
      "all rows are sent",
      async () =>
        (await asOperator<{ state: string }>(`${team()}/imports/${importId}`)).state !== "uploading" || undefined,
      60_000,
    );
    const heap = await page.evaluate<number>("performance.memory.usedJSHeapSize");
    const long = await page.evaluate<number>("globalThis.long ?? 0");
    console.info(
      JSON.stringify({
        heapMb: Math.round(heap / 1e6),
        longMs: long,
        requests: times.length,
        slowest: Math.max(...times),
      }),
    );
    expect(heap).toBeLessThan(100_000_000);
    // The median: other work of the machine does not count.
    expect(times.length).toBeGreaterThan(100);
    expect(times.toSorted((a, b) => a - b)[times.length >> 1]).toBeLessThanOrEqual(300);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
    await state(page, "Paused");
    await page.getByRole("button", { name: "Cancel the import" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the import" }).click();
    await state(page, "Cancelled");
  });
});
