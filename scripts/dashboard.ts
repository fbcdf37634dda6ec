import { buildPage } from "./dashboard/page.ts";
import { define, runCommand } from "./lib/command.ts";

const BUILD_DASHBOARD = define({
  name: "build:dashboard",
  about: "Builds the page of the dashboard into dist/dashboard, if it has changed.",
  examples: [[""]],
  options: {},
  notes: "npm start and npm run deploy do this by themselves.",
});

await runCommand(BUILD_DASHBOARD, async () => {
  const { built, kilobytes } = await buildPage();
  console.log(`${built ? "Built" : "Up to date"}: dist/dashboard, first load ${kilobytes} kB of JavaScript (gzip).`);
});
