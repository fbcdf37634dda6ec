import { writeFileSync } from "node:fs";
import { localSettings } from "./dev-vars.ts";
import { print, runCommand } from "./lib/cli.ts";
import { helpOf } from "./lib/subcommands.ts";
import { teamServiceOf } from "./lib/team-service.ts";
import { loadText } from "./workflow/load.ts";
import { run } from "./workflow/run.ts";
import { OPTIONS, WORKFLOWS } from "./workflow/usage.ts";

await runCommand({
  name: "workflow",
  help: (args) => helpOf(WORKFLOWS, args),
  options: OPTIONS,
  arguments: 200,
  main: (values, args) =>
    run(args, values, {
      service: teamServiceOf("workflows", values, localSettings(), (line) => console.error(line)),
      print,
      load: loadText,
      save: (path, text) => writeFileSync(path, text),
      clear: () => process.stdout.write(process.stdout.isTTY ? "\u001b[2J\u001b[H" : ""),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }),
});
