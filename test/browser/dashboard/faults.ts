import type { Page, Route } from "playwright-core";
import { until } from "../../system/mailspan.ts";
import { fits, violationsOf } from "./bench.ts";

const drawn = (page: Page): Promise<unknown> =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");

/** Sets light or dark, and waits one frame more: the first frame has colors of both. */
export const useScheme = async (page: Page, colorScheme: "light" | "dark"): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  await drawn(page);
};

/** Faults of a page or a part, in both schemes and at 200 % zoom of 1280 px. */
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

export const MESSAGE = "Something went wrong here.";

const answer = {
  status: 500,
  contentType: "application/json",
  body: JSON.stringify({ success: false, code: "internal_error", message: MESSAGE }),
};

const ASKED = /\/api\/(bridge|email|sessions|audit|people|passkeys|recovery-codes)\b/;

/** Lets the requests of pages fail. `passes`: requests with their usual answer. */
export const failing = async (page: Page, passes: (route: Route) => boolean = () => false): Promise<void> => {
  const fail = (route: Route) => (passes(route) ? route.fallback() : route.fulfill(answer));
  await page.route(ASKED, fail);
};

/** Lets the bridge and the email service give no answer. */
export const unreachable = async (page: Page): Promise<void> => {
  await page.route(ASKED, (route) => route.abort());
};
