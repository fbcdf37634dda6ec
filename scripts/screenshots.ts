import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runCommand } from "./lib/cli.ts";
import { runTests } from "./lib/run-tests.ts";

await runCommand({
  name: "screenshots",
  help: `Shows the sample mails and one with every tag in Chromium, in light and dark mode, at 600 and 375 px, and checks their layout.

  npm run screenshots                    writes pictures and a contact sheet to .test-build/mails
  npm run screenshots -- --to /tmp/mails

Options
  --to folder   where the pictures go (default: .test-build/mails)
  --help        this text

Environment
  CHROMIUM      the path of Chromium, where it is not on the PATH`,
  options: { to: { type: "string", default: ".test-build/mails" } },
  main: ({ to }) => {
    const layout = ["--config", "test/browser/vitest.config.ts", "test/browser/mail-layout.test.ts"];
    const passed = runTests(layout, { SCREENSHOTS: resolve(to) });
    console.log(`The contact sheet: ${pathToFileURL(resolve(to, "index.html")).href}`);
    return passed;
  },
});
