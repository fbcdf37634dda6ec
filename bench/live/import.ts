import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { Figure } from "../outbox/report.ts";
import { until } from "../outbox/report.ts";
import { figuresOf } from "./figures.ts";
import { openTab } from "./tab.ts";
import type { Team } from "./team.ts";

export const importFile = async (team: Team, browser: Browser, rows: number): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), "mailspan-live-"));
  // A path lets the browser read the file itself.
  const file = join(folder, "people.csv");
  const line = (n: number) => `new${n}@import.example,Person ${n},${n % 100},some text that is longer than a name\n`;
  await writeFile(file, `email,First name,places,notes\n${Array.from({ length: rows }, (_, n) => line(n)).join("")}`);
  const tab = await openTab(browser, team.scale, "/people/imports/new?team=demo");
  const { page } = tab;
  const total = rows.toLocaleString("en");
  try {
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.getByText(new RegExp(`^${total} rows`)).waitFor();
    await page.getByRole("combobox", { name: "places becomes" }).click();
    await page.getByRole("option", { name: "New property …" }).click();
    await page.getByRole("table", { name: "preview" }).waitFor();
    await page.getByRole("button", { name: `Import ${total} rows` }).click();
    let most = await tab.heap();
    await page.getByRole("dialog").getByRole("button", { name: "Import", exact: true }).click();
    const outcome = page.getByRole("region", { name: "Outcome" });
    await until(
      "the import is done",
      async () => {
        most = Math.max(most, await tab.heap());
        await page.waitForTimeout(2_000);
        return (await page.getByRole("main").getByText("Done", { exact: true }).count()) > 0;
      },
      120_000 + rows * 10,
    );
    await outcome.getByText(total, { exact: true }).waitFor();
    most = Math.max(most, await tab.heap());
    return figuresOf(`an import of ${rows}`, tab, most);
  } finally {
    await tab.close();
    await rm(folder, { recursive: true, force: true });
  }
};
