import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { until } from "../../../system/mailspan.ts";
import { waitForStill } from "../../browser.ts";

const SCRIPT = readFileSync(join(import.meta.dirname, "focus.page.js"), "utf8");
const MOST_STOPS = 150;

/** An act with the keyboard, and the wait for its result. */
export type Step = (page: Page) => Promise<void>;

type Name = string | RegExp;
type Focus = { name: string; isBehind: boolean; fault?: string };

export const watchFocus: Step = async (page) => {
  await page.context().grantPermissions(["clipboard-write"]);
  await page.evaluate(SCRIPT);
};

const focusNow = async (page: Page): Promise<Focus> => {
  const focus: Focus = await page.evaluate("focusNow()");
  if (focus.fault === undefined) return focus;
  // With reduced motion, the focus ring still has a transition of one frame.
  await waitForStill(page);
  return page.evaluate("focusNow()");
};

const matches = ({ name }: Focus, wanted: Name): boolean =>
  typeof wanted === "string" ? name === wanted : wanted.test(name);

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)} …` : text);

const reach = async (page: Page, wanted: Name, key = "Tab"): Promise<void> => {
  // A dialog takes the focus a moment after it is shown.
  await until("the focus is in the dialog", async () => ((await focusNow(page)).isBehind ? undefined : true));
  const passed: string[] = [];
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    const focus = await focusNow(page);
    if (focus.isBehind) throw new Error(`${key} leaves the dialog. It passes: ${passed.join(" | ")}`);
    if (focus.fault !== undefined) throw new Error(`"${focus.name}" has the focus, but ${focus.fault}.`);
    if (matches(focus, wanted)) return;
    passed.push(shorten(focus.name));
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${wanted}. It passes: ${passed.join(" | ")}`);
};

export const see =
  (text: Name): Step =>
  (page) =>
    page.getByText(text).filter({ visible: true }).first().waitFor();

export const press =
  (keys: string, then: Name): Step =>
  async (page) => {
    for (const key of keys.split(" ")) await page.keyboard.press(key);
    await see(then)(page);
  };

/** Goes with Tab to a control, presses a key on it, and waits for a text. */
export const use =
  (name: Name, key: string, then: Name): Step =>
  async (page) => {
    await reach(page, name);
    await press(key, then)(page);
  };

export const useBackwards =
  (name: Name, key: string, then: Name): Step =>
  async (page) => {
    await reach(page, name, "Shift+Tab");
    await press(key, then)(page);
  };

export const write =
  (name: Name, text: string | (() => string)): Step =>
  async (page) => {
    await reach(page, name);
    await page.keyboard.type(typeof text === "string" ? text : text());
  };

/** Waits until the focus is in an opened menu, or back at the opener, without a key. */
export const isAt =
  (name: string): Step =>
  async (page) => {
    await until(`the focus is at ${name}`, async () => (matches(await focusNow(page), name) ? true : undefined));
  };

export const openPalette: Step = async (page) => {
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("dialog").waitFor();
};

export const skip: Step = async (page) => {
  await reach(page, "Skip to the content");
  await page.keyboard.press("Enter");
};
