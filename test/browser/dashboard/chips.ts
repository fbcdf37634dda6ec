import type { Page } from "playwright-core";

/** Opens the chip of a filter and types into it. */
export const filterBy = async (page: Page, label: string, text: string): Promise<void> => {
  await page.getByRole("button", { name: label, exact: true }).click();
  await page.getByRole("textbox", { name: label, exact: true }).fill(text);
};
