import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { iconList } from "../../scripts/assets/icons.ts";
import type { Env } from "../../src/email/env.ts";
import { iconRoutes, readIcons } from "../../src/email/http/icons.ts";
import { compile, compileLine, type MessageFields } from "../../src/lib/lmx/compile.ts";
import { fill } from "../../src/lib/lmx/fill.ts";
import { everything, library, publicUrl, values } from "../unit/lib/lmx/documents.ts";
import { sampleMails } from "../unit/lib/lmx/sample-mails.ts";
import { launchBrowser } from "./browser.ts";

/** The folder for pictures and their contact sheet, set by `npm run screenshots`. */
const FOLDER = process.env.SCREENSHOTS;

const preview = compileLine("Preview text of {data.name}", "transactional").parts ?? [];
const drawn = (source: string, fields: MessageFields = {}): string => {
  const { compiled, problems } = compile(source, "transactional", { preview, ...fields }, library);
  if (compiled === undefined) throw new Error(JSON.stringify(problems));
  return fill(compiled.html, { ...values, "data.name": "Ada" }, publicUrl);
};

const rowsOfIcons = [
  ["#000000", 'size="18"'],
  ["#808080", 'size="24" align="center"'],
  ["#ffffff", 'size="48" blockColor="#1e1b4b" paddingTop="16" paddingLeft="16"'],
]
  .map(([color, others]) => {
    const names = ["github", "x-twitter", "youtube", "linkedin", "envelope", "heart", "gear", "the-red-yeti"];
    const icons = names.map((name) => `<Icon name="${name}" href="https://example.com/${name}"/>`);
    return `<Icons color="${color}" ${others}>${icons.join("")}</Icons>`;
  })
  .join("\n");

const mails: readonly (readonly [name: string, html: string])[] = [
  ["every-tag", drawn(everything)],
  ["right-to-left", drawn(everything, { lang: "ar" })],
  ["plain", drawn(everything, { format: "plain" })],
  ["icons", drawn(rowsOfIcons)],
  ...sampleMails,
];

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><rect width="600" height="200" fill="#9ca3af"/></svg>';

let browser: Browser | undefined;
let page: Page | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  if (FOLDER !== undefined) writeSheet(FOLDER);
});

const icons = iconRoutes({ ASSETS: { fetch: async () => new Response(iconList()) } } as unknown as Env);

type Scheme = "light" | "dark";
const reshape = async (page: Page, width: number, colorScheme: Scheme): Promise<void> => {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme });
};

const show = async (html: string, width: number, colorScheme: Scheme): Promise<Page> => {
  page ??= await openPage();
  await reshape(page, width, colorScheme);
  await page.setContent(html);
  return page;
};
const openPage = async (): Promise<Page> => {
  if (browser === undefined) throw new Error("There is no browser.");
  const page = await browser.newPage();
  await page.route("**/*", (route) => route.fulfill({ contentType: "image/svg+xml", body: PICTURE }));
  await page.route(`${publicUrl}/icons/*`, async (route) => {
    const response = await icons.request(new URL(route.request().url()).pathname);
    await route.fulfill({ status: response.status, body: Buffer.from(await response.arrayBuffer()) });
  });
  return page;
};

const SCRIPT = readFileSync(join(import.meta.dirname, "mail-layout.page.js"), "utf8");
const faultsOf = (page: Page, stacked: boolean): Promise<string[]> =>
  page.evaluate(`${SCRIPT}layoutFaults(${stacked})`);
const faintThingsOf = (page: Page): Promise<string[]> => page.evaluate(`${SCRIPT}faintThings()`);

/** axe-core without the checks for web pages: a mail has no landmarks. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const loadAxe = async (page: Page): Promise<void> => {
  // axe-core takes a page without a background for white, also in dark mode.
  await page.addStyleTag({ content: ":where(html) { background: Canvas }" });
  await page.evaluate(axeSource);
};
const violationsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 100))))`);

const fileOf = (name: string, width: number, scheme: string): string => `${name}-${width}-${scheme}.png`;
/** Below 621 px a mail takes its form for small screens. The pictures show both forms. */
const WIDTHS = FOLDER === undefined ? [600, 375] : [900, 600, 375];
const SHAPES = WIDTHS.flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ width, scheme })));

const writeSheet = (folder: string): void => {
  const rows = mails.map(([name]) => {
    const pictures = SHAPES.map(({ width, scheme }) => {
      const file = fileOf(name, width, scheme);
      return `<figure><img src="${file}" width="${width / 2}" alt=""><figcaption>${width} px, ${scheme}</figcaption></figure>`;
    });
    return `<h2>${name}</h2><div>${pictures.join("")}</div>`;
  });
  const style =
    "body{font-family:sans-serif;background:#ddd}div{display:flex;gap:24px;align-items:flex-start}figure{margin:0}";
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mails</title><style>${style}</style></head><body>${rows.join("\n")}</body></html>\n`,
  );
};

describe("in Chromium", () => {
  it.each(mails)("%s fits small and large screens, in light and dark mode", async (name, html) => {
    if (FOLDER !== undefined) mkdirSync(FOLDER, { recursive: true });
    const page = await show(html, 600, "light");
    for (const { width, scheme } of SHAPES) {
      await reshape(page, width, scheme);
      const shape = `${width} px, ${scheme}`;
      expect([shape, await faultsOf(page, width <= 620)]).toEqual([shape, []]);
      expect([shape, await faintThingsOf(page)]).toEqual([shape, []]);
      if (FOLDER !== undefined)
        await page.screenshot({ path: join(FOLDER, fileOf(name, width, scheme)), fullPage: true });
    }
    // After the pictures: axe-core needs a background.
    await loadAxe(page);
    for (const { width, scheme } of SHAPES) {
      await reshape(page, width, scheme);
      const shape = `${width} px, ${scheme}`;
      expect([shape, await violationsOf(page)]).toEqual([shape, []]);
    }
  });

  it("columns stand side by side on a large screen", async () => {
    const page = await show(drawn(everything), 800, "light");
    expect(await faultsOf(page, false)).toEqual([]);
    expect(await page.locator(".column").count()).toBeGreaterThan(4);
  });

  it("an icon is what the browser makes of its path itself", async () => {
    const names = [
      "github",
      "x-twitter",
      "the-red-yeti",
      "gear",
      "envelope",
      "youtube",
      "0",
      "house",
      "accessible-icon",
    ];
    const paths = readIcons(iconList());
    const page = await show("<!doctype html><body></body>", 600, "light");
    for (const name of names) {
      const { size, color, difference } = await page.evaluate<{ size: number; color: number[]; difference: number }>(
        `${SCRIPT}comparisonOf("${publicUrl}/icons/${name}-0a7b83.png", ${JSON.stringify(paths.get(name))})`,
      );
      expect([name, size, color]).toEqual([name, 96, [10, 123, 131]]);
      // Of 255, average of all pixels.
      expect(difference).toBeLessThan(3);
    }
  });

  it("faults of layout and contrast are found", async () => {
    const html = `<!doctype html><body style="margin:0"><p style="width:900px;color:#ccc;background:#fff">wide</p>
      <p style="margin-top:-20px">over</p><img src="https://example.com/a.png"><img alt="GitHub" src="${publicUrl}/icons/github-ffffff.png"><table><tr><td class="column">a</td><td class="column">b</td></tr></table></body>`;
    const page = await show(html, 600, "light");
    const faults = (await faultsOf(page, true)).join("\n");
    for (const fault of ["wider than the screen", "outside the screen", "overlaps", "is not stacked"]) {
      expect(faults).toContain(fault);
    }
    expect(await faintThingsOf(page)).toEqual([
      '"wide" has a contrast of 1.61',
      "the icon github has a contrast of 1.00",
    ]);
    await loadAxe(page);
    const violations = (await violationsOf(page)).join("\n");
    for (const rule of ["color-contrast", "image-alt", "html-has-lang"]) expect(violations).toContain(rule);
  });
});
