import { existsSync, writeSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** The path of the machine's Chromium: the variable CHROMIUM, or found on the PATH. */
const executablePath =
  process.env.CHROMIUM ??
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
const missing = "no chromium on the PATH and none named by CHROMIUM";

/**
 * True where a browser test can run. Where it cannot, the output says what was not tested; `npm run` of one of the commands
 * that are for the browser fails.
 */
export const hasBrowser = (what: string, ...commands: readonly string[]): boolean => {
  if (executablePath !== undefined) return true;
  if (commands.includes(process.env.npm_lifecycle_event ?? ""))
    throw new Error(`The browser test cannot run: ${missing}.`);
  // Written directly, because vitest hides the output of tests that pass.
  writeSync(2, `\n*** ${what} NOT tested in a browser: ${missing}. ***\n\n`);
  return false;
};

/** Starts Chromium so that it reaches this machine only. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: executablePath ?? "",
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
      ...["--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
    ],
  });
