import type { Page, Route } from "playwright-core";
import { until } from "../../system/mailspan.ts";
import { fits, violationsOf } from "./bench.ts";

/** Waits until the page is drawn after a change. */
const drawn = (page: Page): Promise<unknown> =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");

/** Shows the page in light or dark, and waits for the frame after the change: the one before it has colours of both. */
export const useScheme = async (page: Page, colorScheme: "light" | "dark"): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  await drawn(page);
};

/** What is wrong with a page as it is, or with a part of it: in both schemes, and at 200 % zoom of a window of 1280 px. */
export const faultsOf = async (page: Page, part?: string): Promise<string[]> => {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await useScheme(page, colorScheme);
    found.push(...(await violationsOf(page, part)).map((one) => `${colorScheme}: ${one}`));
  }
  const before = page.viewportSize() ?? { width: 1280, height: 900 };
  await page.setViewportSize({ width: 640, height: 450 });
  // A menu finds its new place a few frames later.
  const inVain = () => found.push("wider than the window at 200 % zoom");
  await until("the page fits", async () => ((await fits(page)) ? true : undefined), 2_000).catch(inVain);
  await page.setViewportSize(before);
  return found;
};

/** The message of the answer that `failing` gives. */
export const MESSAGE = "Something went wrong here.";

const answer = {
  status: 500,
  contentType: "application/json",
  body: JSON.stringify({ success: false, code: "internal_error", message: MESSAGE }),
};

/** What pages ask. Without the facts about the deployment and the login, no page is shown at all. */
const ASKED = /\/api\/(bridge|email|sessions|audit|people|passkeys|recovery-codes)\b/;

/** Lets what pages ask fail. `passes`: requests that are answered as always. */
export const failing = async (page: Page, passes: (route: Route) => boolean = () => false): Promise<void> => {
  const fail = (route: Route) => (passes(route) ? route.fallback() : route.fulfill(answer));
  await page.route(ASKED, fail);
};

/** Lets the halves give no answer at all. */
export const unreachable = async (page: Page): Promise<void> => {
  await page.route(ASKED, (route) => route.abort());
};
