import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { until } from "../../../system/mailspan.ts";
import { waitForStill } from "../../browser.ts";

// What a person does without a mouse. The focus is moved by keys alone.

const SCRIPT = readFileSync(join(import.meta.dirname, "focus.page.js"), "utf8");
/** More stops than any page has. */
const MOST_STOPS = 150;

/** Something that a person does with the keyboard, and waits for. */
export type Step = (page: Page) => Promise<void>;

type Name = string | RegExp;
type Focus = { name: string; isBehind: boolean; fault?: string };

/** Makes a page tell what has the focus. */
export const watchFocus: Step = async (page) => {
  await page.context().grantPermissions(["clipboard-write"]);
  await page.evaluate(SCRIPT);
};

const focusNow = async (page: Page): Promise<Focus> => {
  const focus: Focus = await page.evaluate("focusNow()");
  if (focus.fault === undefined) return focus;
  // Where a person wants less motion, the ring comes by a transition all the same: one of a frame.
  await waitForStill(page);
  return page.evaluate("focusNow()");
};

const matches = ({ name }: Focus, wanted: Name): boolean =>
  typeof wanted === "string" ? name === wanted : wanted.test(name);

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)} …` : text);

/** Presses Tab, or Shift+Tab, until something has the focus. All that it passes has to show that it has the focus. */
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

/** Waits for a text, as a person does before the next key. */
export const see =
  (text: Name): Step =>
  (page) =>
    page.getByText(text).first().waitFor();

/** Presses keys, and waits for a text. */
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

/** The same, backwards. */
export const useBackwards =
  (name: Name, key: string, then: Name): Step =>
  async (page) => {
    await reach(page, name, "Shift+Tab");
    await press(key, then)(page);
  };

/** Goes with Tab to a field, and types into it. */
export const write =
  (name: Name, text: string | (() => string)): Step =>
  async (page) => {
    await reach(page, name);
    await page.keyboard.type(typeof text === "string" ? text : text());
  };

/** Waits until the focus is in a menu that has opened, or back at what opened a dialog or a menu. No key is pressed for that. */
export const isAt =
  (name: string): Step =>
  async (page) => {
    await until(`the focus is at ${name}`, async () => (matches(await focusNow(page), name) ? true : undefined));
  };

/** Opens the palette by its key. */
export const openPalette: Step = async (page) => {
  // Its code comes after the page.
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("dialog").waitFor();
};

/** Goes past the navigation. */
export const skip: Step = async (page) => {
  await reach(page, "Skip to the content");
  await page.keyboard.press("Enter");
};
