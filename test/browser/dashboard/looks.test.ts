import { beforeAll, describe, expect, it } from "vitest";
import { dashboardBench, fits } from "./bench.ts";
import { seed } from "./data.ts";
import { useScheme } from "./faults.ts";
import { looksOf } from "./looks.ts";

const { enter, mailspan } = dashboardBench();
let ids = { webhook: "", send: "" };

beforeAll(async () => {
  ids = await seed(mailspan(), "looks");
});

const WIDTHS = [375, 768, 1280];
const SCHEMES = ["light", "dark"] as const;

/** Every page with something on it. */
const PAGES: readonly string[] = [
  ...["/", "/people", "/people/ada@looks.example", "/people/looks@example.com", "/mail", "/mail/:send"],
  ...["/webhooks", "/webhooks/:webhook", "/calls", "/calls?view=all", "/rules", "/rules/clerk/signed%20up"],
  ...["/sources", "/sources/stripe", "/replay", "/health", "/lists", "/properties", "/suppressions"],
  ...["/settings", "/settings/audit", "/settings/keys", "/settings/team", "/nowhere"],
];

describe("the looks of a page", () => {
  it.each(PAGES)(
    "have no control that is covered and no text that is cut, at each width, light and dark: %s",
    async (path) => {
      const page = await enter({ path: path.replace(":send", ids.send).replace(":webhook", ids.webhook) });
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      const wrong: string[] = [];
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        for (const scheme of SCHEMES) {
          await useScheme(page, scheme);
          const { found, controls, texts } = await looksOf(page);
          expect(controls).toBeGreaterThan(2);
          expect(texts).toBeGreaterThan(2);
          wrong.push(...found.map((one) => `${width} px, ${scheme}: ${one}`));
        }
        if (!(await fits(page))) wrong.push(`${width} px: wider than the window`);
      }
      expect(wrong).toEqual([]);
    },
  );

  it("are seen by the test: a covered button, and a text that is cut with and without its title", async () => {
    const page = await enter({ path: "/nowhere" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.evaluate(`document.querySelector("main").insertAdjacentHTML("beforeend", [
      '<div id="below"><button>Below</button></div>',
      '<p class="short">A text that is too long for its line</p>',
      '<p class="short" title="whole">Another text that is too long for its line</p>',
    ].join(""));
    const above = document.createElement("div");
    Object.assign(above.style, { position: "absolute", inset: "0" });
    Object.assign(document.getElementById("below").style, { position: "relative", height: "40px" });
    document.getElementById("below").append(above);
    for (const part of document.querySelectorAll(".short"))
      Object.assign(part.style, { width: "60px", overflow: "hidden", whiteSpace: "nowrap" });`);
    const { found } = await looksOf(page);
    expect(found).toEqual([expect.stringContaining("covered: Below"), "cut: A text that is too long for its line"]);
  });
});
