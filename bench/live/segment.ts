import type { Browser, Page } from "playwright-core";
import type { Figure } from "../outbox/report.ts";
import { figuresOf } from "./figures.ts";
import { openTab } from "./tab.ts";
import type { Team } from "./team.ts";

const choose = async (page: Page, label: string, option: string): Promise<void> => {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};

export const segment = async (team: Team, browser: Browser, contacts: number): Promise<Figure[]> => {
  await team.post("/v1/contacts/properties", { name: "seats", type: "number" });
  await team.post("/v1/contacts/properties", { name: "company", type: "string" });
  const tab = await openTab(browser, team.scale, "/segments/new?team=demo");
  const { page } = tab;
  await page.getByLabel("Name").fill("Many seats");
  const counted = (): Promise<void> =>
    page
      .getByRole("status", { name: "Count" })
      .getByText(new RegExp(`^[\\d,]+ of ${contacts.toLocaleString("en")} contacts$`))
      .waitFor({ timeout: 60_000 + contacts / 10 });
  await choose(page, "Condition 1: about", "Seats");
  await choose(page, "Condition 1: compares", "must be greater than");
  await page.getByLabel("Condition 1: value").fill("25");
  await counted();
  let most = await tab.heap();
  await page.getByRole("button", { name: "Add a condition" }).click();
  await choose(page, "Condition 2: about", "Company");
  await choose(page, "Condition 2: compares", "must contain");
  await page.getByLabel("Condition 2: value").fill("77");
  await counted();
  most = Math.max(most, await tab.heap());
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText("Many seats is created.").waitFor();
  most = Math.max(most, await tab.heap());
  const figures = figuresOf(`a segment over ${contacts}`, tab, most);
  await tab.close();
  return figures;
};
