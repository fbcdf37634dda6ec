import { buildPage } from "./dashboard/page.ts";
import { runCommand } from "./lib/cli.ts";

await runCommand({
  name: "build:dashboard",
  help: `Builds the page of the dashboard into dist/dashboard, if it has changed.

  npm run build:dashboard

npm start and npm run deploy do this by themselves.`,
  options: {},
  async main() {
    const { built, kilobytes } = await buildPage();
    console.log(`${built ? "Built" : "Up to date"}: dist/dashboard, first load ${kilobytes} kB of JavaScript (gzip).`);
  },
});
