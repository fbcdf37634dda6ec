import type { Page, Request } from "playwright-core";
import { until } from "../../system/mailspan.ts";

const asked = new WeakMap<Page, Set<Request>>();

/** The number of unanswered requests of a page that `watch` knows. */
export const requestsOf = (page: Page): number => asked.get(page)?.size ?? 0;

/** Asks in the second frame: the answer's content is drawn then. */
const LOADS = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
  done(document.querySelector(".mantine-Skeleton-root") !== null))))`;

const waits = async (page: Page): Promise<boolean> => requestsOf(page) > 0 || page.evaluate<boolean>(LOADS);

/**
 * Waits until a page known to `watch` has all answers and has drawn them, seen twice. Faster than Playwright's
 * "networkidle" by half a second.
 */
export const settled = (page: Page): Promise<true> =>
  until("the page has all that it asked for", async () => {
    if (await waits(page)) return undefined;
    return (await waits(page)) ? undefined : true;
  });

/**
 * Reports policy violations, exceptions, console errors and requests to other hosts. Call it before the first page is
 * opened.
 *
 * @param origin of the dashboard
 * @param mayFail the test expects answers of 500 and above, and requests without an answer
 */
export const watch = async (
  page: Page,
  origin: string,
  complain: (what: string) => void,
  mayFail = false,
): Promise<void> => {
  page.on("pageerror", (error) => complain(`error: ${error}`));
  page.on("console", (message) => {
    // Chromium logs each refusal. The page shows these itself.
    const expected = mayFail
      ? /Failed to load resource/
      : /Failed to load resource: the server responded with a status of 4\d\d/;
    if (message.type() === "error" && !expected.test(message.text())) complain(`console: ${message.text()}`);
  });
  const open = new Set<Request>();
  asked.set(page, open);
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  page.on("request", (request) => {
    open.add(request);
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) complain(`asked ${url}`);
  });
  await page.exposeFunction("violated", (what: string) => complain(`policy: ${what}`));
  await page.addInitScript(`addEventListener("securitypolicyviolation", (event) =>
    violated([event.violatedDirective, event.blockedURI, event.sample].join(" ")))`);
};
