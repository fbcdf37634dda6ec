import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { until } from "../../system/mailspan.ts";
import { dashboardBench } from "./bench.ts";
import { seed } from "./data.ts";

const { enter, mailspan } = dashboardBench();

beforeAll(async () => {
  await seed(mailspan(), "rows");
});

const MOST = 200;
const ANSWER = 50;

type Answer = { data: Record<string, unknown>[]; next: string | null };

const withoutEnd = async (
  page: Page,
  path: RegExp,
  renamed: (row: object, n: string) => object,
  count: (n: number) => number,
) => {
  const seen = { answers: 0 };
  let rows: readonly object[] | undefined;
  await page.route(path, async (route) => {
    rows ??= ((await (await route.fetch()).json()) as Answer).data;
    const real = rows;
    seen.answers += 1;
    const asked = Number(new URL(route.request().url()).searchParams.get("limit") ?? ANSWER);
    const data = Array.from({ length: count(Math.min(asked, ANSWER)) }, (_, n) =>
      renamed(real[n % real.length] ?? {}, `${seen.answers}-${n}`),
    );
    const searchedTo = new Date(Date.now() - seen.answers * 3_600_000).toISOString();
    await route.fulfill({ json: { data, next: `cursor-${seen.answers}`, searchedTo } });
  });
  return seen;
};

const rowsIn = (page: Page): Promise<number> =>
  page.evaluate<number>(
    "document.querySelectorAll('main tbody tr:not(.chart tr), main article, main section, main .row').length",
  );

const mostRows = async (page: Page, seen: { answers: number }): Promise<number> => {
  let most = 0;
  for (let n = 0; n < 10; n += 1) {
    const more = page.getByRole("button", { name: /^(Keep looking|Older)$/ }).first();
    await more.waitFor();
    most = Math.max(most, await rowsIn(page));
    const { answers } = seen;
    await more.click();
    await until("another answer", async () => (seen.answers > answers ? true : undefined));
  }
  return Math.max(most, await rowsIn(page));
};

describe("the longest lists", () => {
  it.each([
    ["all at once", (asked: number) => asked],
    ["some in each answer", () => 30],
  ] as const)("have at most 200 rows on a page, however long a person looks: webhooks, %s", async (_, count) => {
    const page = await enter({ path: "/theme.js" });
    const seen = await withoutEnd(page, /\/api\/bridge\/webhooks\?/, (row, n) => ({ ...row, id: `wh_${n}` }), count);
    await page.goto(`${mailspan().dashboardUrl}/webhooks?source=clerk`);
    await page.getByRole("table", { name: "webhooks", exact: true }).waitFor();
    const most = await mostRows(page, seen);
    expect(most).toBeGreaterThanOrEqual(ANSWER);
    expect(most).toBeLessThanOrEqual(MOST);
  });

  it("have at most 200 rows on a page: the causes, of which the other ones are counted", async () => {
    const page = await enter({ path: "/theme.js" });
    const renamed = (row: object, n: string) => ({ ...row, cause: `cause ${n}`, message: `Cause ${n}` });
    const causes = Array.from({ length: 300 }, (_, n) => String(n));
    await page.route(/\/api\/bridge\/(deliveries\/causes|attention)/, async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as Answer;
      const cause = data.find((row) => "kind" in row && row.kind === "delivery") ?? {};
      await route.fulfill({ response, json: { data: causes.map((n) => renamed(cause, n)), next: null } });
    });
    await page.goto(`${mailspan().dashboardUrl}/deliveries`);
    await page.getByText(/for 300 reasons/).waitFor();
    await page.getByText(/^250 other reasons have fewer deliveries/).waitFor();
    expect(await rowsIn(page)).toBeLessThanOrEqual(MOST);
  });

  it("have at most 200 rows on a page: the events of a person, which go on page by page", async () => {
    const page = await enter({ path: "/people/rows@example.com" });
    const seen = await withoutEnd(
      ...([page, /\/timeline\?.*kind=event/] as const),
      (_, n) => ({ at: new Date().toISOString(), kind: "event", text: `Event ${n}`, ids: {}, why: null }),
      (asked) => asked,
    );
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByText("Event 1-0", { exact: true }).waitFor();
    const shown = () => page.getByText(/^Event \d+-\d+$/).count();
    for (const answer of [2, 3, 4, 5]) {
      await page.getByRole("button", { name: "Older" }).click();
      await page.getByText(`Event ${answer}-0`, { exact: true }).waitFor();
      expect(await shown()).toBeLessThanOrEqual(MOST);
    }
    expect(seen.answers).toBe(5);
    await page.getByRole("button", { name: "Newest" }).click();
    await until("the newest page", async () => ((await shown()) > 0 ? true : undefined));
    expect(await page.getByRole("button", { name: "Newest" }).count()).toBe(0);
  });
});
