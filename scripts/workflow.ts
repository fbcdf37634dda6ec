import { writeFileSync } from "node:fs";
import { localSettings } from "./dev-vars.ts";
import { print } from "./lib/cli.ts";
import { runCommand } from "./lib/command.ts";
import { teamServiceOf } from "./lib/team-service.ts";
import { loadText } from "./workflow/load.ts";
import { run } from "./workflow/run.ts";
import { WORKFLOWS } from "./workflow/usage.ts";

await runCommand(WORKFLOWS, (line) =>
  run(line, {
    service: teamServiceOf("workflows", line.values, localSettings(), (line) => console.error(line)),
    print,
    load: loadText,
    save: (path, text) => writeFileSync(path, text),
    clear: () => process.stdout.write(process.stdout.isTTY ? "\u001b[2J\u001b[H" : ""),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }),
);
