import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { aptInstall } from "../mail/debian.ts";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

const findChromium = (): string | undefined =>
  process.env.CHROMIUM ??
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));

/** Installs Chromium with apt, only in CI: the package is large. */
const installChromium = (): string | undefined => {
  if (process.env.CI) aptInstall(["chromium"]);
  return findChromium();
};

/** Starts Chromium, which reaches this machine only. Throws if there is no Chromium. */
export const launchBrowser = (): Promise<Browser> => {
  const executablePath = findChromium() ?? installChromium();
  if (executablePath === undefined) throw new Error("There is no chromium on the PATH, and none is named by CHROMIUM.");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    ],
  });
};

/** Waits until no finite animation or transition runs: axe-core would measure a color in between. */
export const waitForStill = (page: Page): Promise<void> =>
  page.evaluate(`(async () => {
    const moving = () => document.getAnimations().filter((one) =>
      one.playState === "running" && one.effect.getComputedTiming().endTime !== Infinity);
    while (moving().length > 0) await Promise.allSettled(moving().map(({ finished }) => finished));
  })()`);
