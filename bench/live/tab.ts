import type { Browser, CDPSession, Page } from "playwright-core";
import type { Scale } from "../scale/start.ts";

/** A request that a page made. `ms`: from the first byte of the request to the first byte of its answer. */
export type Asked = { what: string; ms: number; status: number };

/** A tab that is logged in, and what it has asked of the dashboard Worker. */
export type Tab = { page: Page; asked: Asked[]; heap(): Promise<number>; close(): Promise<void> };

const HEAP_LATER_MS = 500;

/** MB of the page's own memory after a collection of its garbage. */
const heapOf = async (session: CDPSession): Promise<number> => {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1_000_000;
};

/** Ids in a path as `:id`, so that requests to the same operation count together. */
const operationOf = (method: string, url: string): string =>
  `${method} ${new URL(url).pathname.replaceAll(/\/(?:[a-z]{2,4}_[\w-]+|\d+)/g, "/:id")}`;

/** Opens a page of the dashboard. */
export const openTab = async (browser: Browser, { dashboardUrl, cookie }: Scale, path: string): Promise<Tab> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const [name = "", ...value] = cookie.split("=");
  await context.addCookies([{ name, value: value.join("="), url: dashboardUrl, httpOnly: true, sameSite: "Strict" }]);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const asked: Asked[] = [];
  page.on("requestfinished", (request) => {
    if (!request.url().startsWith(`${dashboardUrl}/api/`)) return;
    const { requestStart, responseStart } = request.timing();
    void request.response().then((response) => {
      asked.push({
        ...{ what: operationOf(request.method(), request.url()), status: response?.status() ?? 0 },
        ms: responseStart - requestStart,
      });
    });
  });
  const session = await context.newCDPSession(page);
  await page.goto(dashboardUrl + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return {
    ...{ page, asked },
    heap: async () => {
      await page.waitForTimeout(HEAP_LATER_MS);
      return heapOf(session);
    },
    close: () => context.close(),
  };
};
