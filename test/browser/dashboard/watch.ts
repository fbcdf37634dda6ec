import type { Page, Request } from "playwright-core";
import { until } from "../../system/mailspan.ts";

/** The requests of a page that have no answer yet. */
const asked = new WeakMap<Page, Set<Request>>();

/** How many answers a page that `watch` knows waits for. */
export const requestsOf = (page: Page): number => asked.get(page)?.size ?? 0;

/** Asks the page in its second frame from now: what came with an answer is drawn then. */
const LOADS = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
  done(document.querySelector(".mantine-Skeleton-root") !== null))))`;

/** Whether a page waits for an answer, or shows where one is missing. */
const waits = async (page: Page): Promise<boolean> => requestsOf(page) > 0 || page.evaluate<boolean>(LOADS);

/**
 * Waits until a page that `watch` knows has all that it asked for, and has drawn it: seen twice, because an answer can make it ask
 * again. Playwright's "networkidle" takes half a second more.
 */
export const settled = (page: Page): Promise<true> =>
  until("the page has all that it asked for", async () => {
    if (await waits(page)) return undefined;
    return (await waits(page)) ? undefined : true;
  });

/**
 * Complains of what no page of the dashboard may do: break the policy, throw, write an error, ask another host. To be called before the
 * first page is opened.
 *
 * @param origin of the dashboard
 * @param mayFail answers of 500 and above, and requests without an answer, are what the test is about
 */
export const watch = async (
  page: Page,
  origin: string,
  complain: (what: string) => void,
  mayFail = false,
): Promise<void> => {
  page.on("pageerror", (error) => complain(`error: ${error}`));
  page.on("console", (message) => {
    // Chromium writes a line for each refusal; the page shows these itself.
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
