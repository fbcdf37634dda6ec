import type { Page } from "playwright-core";
import { settled } from "./watch.ts";

const OF_A_KIND = 2;

const kindOf = (path: string): string => {
  const { pathname, searchParams } = new URL(path, "http://page");
  const of = pathname
    .replace(/\/(wh_|whk_|wfl_|dom_|snd_|con_|cmp_|imp_|seg_|tpl_|thm_|evp_|msg_|[^/]*(@|%40))[^/]*/g, "/…")
    .replace(/^\/(rules|sources)\/.*/, "/$1/…");
  return of.includes("…") ? of : `${of}?${[...new Set(searchParams.keys())].sort().join("&")}`;
};

const ERRORS = /could not be (read|counted)|no answer/i;

const UNKNOWN_TO_BRIDGE = "404 /api/bridge/people";

export type Crawled = { path: string; heading: string; fault?: string };

/** Opens a path, waits until its data is there, and returns its faults. */
export const visit = async (page: Page, origin: string, path: string): Promise<Crawled & { links: string[] }> => {
  const refused: string[] = [];
  const notice = (response: { status(): number; url(): string }) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`);
  };
  page.on("response", notice);
  await page.goto(origin + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await settled(page);
  page.off("response", notice);
  const heading = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
  const alerts = await page.getByRole("alert").allTextContents();
  const links = await page.locator("a[href]").evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  const faults = [
    ...(heading === "This page does not exist" ? ["no such page"] : []),
    ...alerts.filter((text) => ERRORS.test(text)),
    ...refused.filter((one) => one !== UNKNOWN_TO_BRIDGE),
  ];
  return { path, heading, links, ...(faults.length > 0 ? { fault: faults.join("; ") } : {}) };
};

/** Follows every link from the first pages. A link below /api is a file to save. */
export const crawl = async (page: Page, origin: string, from: readonly string[]): Promise<Crawled[]> => {
  const found: Crawled[] = [];
  const seen = new Set<string>();
  const kinds = new Map<string, number>();
  const open = [...from];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const kind = kindOf(path);
    const opened = kinds.get(kind) ?? 0;
    if (seen.has(path) || opened >= OF_A_KIND) continue;
    seen.add(path);
    kinds.set(kind, opened + 1);
    const { links, ...crawled } = await visit(page, origin, path);
    found.push(crawled);
    const own = links.filter((link) => /^\/(?!api\/)/.test(link)).map((link) => link.replace(/#.*/, ""));
    open.push(...own.filter((link) => link !== ""));
  }
  return found;
};
