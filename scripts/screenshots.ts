import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { define, runCommand } from "./lib/command.ts";
import { runTests } from "./lib/run-tests.ts";

const SCREENSHOTS = define({
  name: "screenshots",
  about: `Shows the sample mails and one with every tag in Chromium, in light and dark mode, at 600 and 375 px, and checks their
layout. Then takes the pictures of the dashboard in docs/images, from the samples of npm start in a copy of this folder.`,
  examples: [
    ["", "writes pictures of mails and a contact sheet to .test-build/mails"],
    ["--to /tmp/mails"],
    ["--dashboard", "those of the dashboard only"],
    ["--pages --to /tmp/pages", "each page of the dashboard at 1440 and 390 px, light and dark, which are checked too"],
  ],
  options: {
    to: { value: "folder", default: ".test-build/mails", about: "where the pictures of mails, or of --pages, go" },
    dashboard: { about: "no pictures of mails" },
    pages: { about: "every page of the dashboard, and nothing else" },
  },
  notes: "CHROMIUM in the environment: the path of Chromium, where it is not on the PATH.",
});

await runCommand(SCREENSHOTS, ({ values: { to, dashboard, pages } }) => {
  const test = (file: string) => ["--config", "test/browser/vitest.config.ts", `test/browser/${file}.test.ts`];
  if (pages) return runTests(test("dashboard/looks"), { PICTURES: resolve(to) });
  const mails = dashboard || runTests(test("mail-layout"), { SCREENSHOTS: resolve(to) });
  if (!dashboard) console.log(`The contact sheet: ${pathToFileURL(resolve(to, "index.html")).href}`);
  const images = resolve(import.meta.dirname, "../docs/images");
  return runTests(test("dashboard/tour"), { PICTURES: images }) && mails;
});
