import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runCommand } from "./lib/cli.ts";
import { runTests } from "./lib/run-tests.ts";

await runCommand({
  name: "screenshots",
  help: `Shows the sample mails and one with every tag in Chromium, in light and dark mode, at 600 and 375 px, and checks their layout. Then
takes the pictures of the dashboard in docs/images, from the samples of npm start in a copy of this folder.

  npm run screenshots                    writes pictures of mails and a contact sheet to .test-build/mails
  npm run screenshots -- --to /tmp/mails
  npm run screenshots -- --dashboard     those of the dashboard only

Options
  --to folder   where the pictures of mails go (default: .test-build/mails)
  --dashboard   no pictures of mails
  --help        this text

Environment
  CHROMIUM      the path of Chromium, where it is not on the PATH`,
  options: { to: { type: "string", default: ".test-build/mails" }, dashboard: { type: "boolean", default: false } },
  main: ({ to, dashboard }) => {
    const test = (file: string) => ["--config", "test/browser/vitest.config.ts", `test/browser/${file}.test.ts`];
    const mails = dashboard || runTests(test("mail-layout"), { SCREENSHOTS: resolve(to) });
    if (!dashboard) console.log(`The contact sheet: ${pathToFileURL(resolve(to, "index.html")).href}`);
    const images = resolve(import.meta.dirname, "../docs/images");
    return runTests(test("dashboard/tour"), { PICTURES: images }) && mails;
  },
});
