import type { Browser, CDPSession, Page } from "playwright-core";
import type { Scale } from "../scale/start.ts";

/** `ms`: from the first request byte to the first answer byte. */
export type Asked = { what: string; ms: number; status: number };

/** `heap`: MB after garbage collection. `largest`: peak MB before collection, and DOM elements. */
export type Tab = {
  page: Page;
  asked: Asked[];
  heap(): Promise<number>;
  largest: { heap: number; elements: number };
  close(): Promise<void>;
};

const HEAP_LATER_MS = 500;

const heapOf = async (session: CDPSession): Promise<number> => {
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1_000_000;
};

const operationOf = (method: string, url: string): string =>
  `${method} ${new URL(url).pathname.replaceAll(/\/(?:[a-z]{2,4}_[\w-]+|\d+)/g, "/:id")}`;

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
        what: operationOf(request.method(), request.url()),
        status: response?.status() ?? 0,
        ms: responseStart - requestStart,
      });
    });
  });
  const session = await context.newCDPSession(page);
  const largest = { heap: 0, elements: 0 };
  await page.goto(dashboardUrl + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return {
    page,
    asked,
    largest,
    heap: async () => {
      largest.heap = Math.max(largest.heap, await heapOf(session));
      largest.elements = Math.max(largest.elements, await page.locator("*").count());
      await page.waitForTimeout(HEAP_LATER_MS);
      await session.send("HeapProfiler.collectGarbage");
      return heapOf(session);
    },
    close: () => context.close(),
  };
};
