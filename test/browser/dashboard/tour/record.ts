import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { waitForStill } from "../../browser.ts";
import { useScheme } from "../faults.ts";

const FOLDER = process.env.TOUR ?? join(import.meta.dirname, "../../../../.test-build/tour");
/** The folder for pictures of the documentation. Undefined: none are taken. */
const PICTURES = process.env.PICTURES;

/** Records a picture and the words of the page after each step of a journey. */
export const recorder = (page: Page, journey: string) => {
  const folder = join(FOLDER, journey);
  const told: string[] = [];
  return async (what: string): Promise<string> => {
    await page.waitForLoadState("networkidle");
    const words = await page.locator("main, [role=dialog]").last().innerText();
    const name = `${told.length + 1}-${what.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`) });
    told.push(
      `## ${told.length + 1}. ${what}\n\n${new URL(page.url()).pathname}\n\n![${what}](${name}.png)\n\n\`\`\`text\n${words}\n\`\`\`\n`,
    );
    await writeFile(join(folder, "tour.md"), told.join("\n"));
    return words;
  };
};

type Shown = { width?: number; height?: number; from?: Locator };

/** Takes a picture for the documentation in each scheme. `from`: the element at its top. */
export const picture = async (page: Page, name: string, shown: Shown = {}): Promise<void> => {
  const { width = 1100, height = 620, from } = shown;
  if (PICTURES === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  await page.waitForLoadState("networkidle");
  for (const notice of await page.getByRole("alert").getByRole("button").all()) await notice.click();
  await page.setViewportSize({ width, height });
  await from?.evaluate("(part) => part.scrollIntoView()");
  for (const colorScheme of ["light", "dark"] as const) {
    await useScheme(page, colorScheme);
    await waitForStill(page);
    await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 900 });
};
