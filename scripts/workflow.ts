import { writeFileSync } from "node:fs";
import { readDevVars } from "./dev-vars.ts";
import { printable, runCommand } from "./lib/cli.ts";
import { HELP } from "./workflow/help.ts";
import { loadText } from "./workflow/load.ts";
import { run } from "./workflow/run.ts";
import { serviceOf } from "./workflow/service.ts";
import { OPTIONS } from "./workflow/usage.ts";

const print = (text: string) => console.log(printable(text));

await runCommand({
  name: "workflow",
  help: HELP,
  options: OPTIONS,
  arguments: 200,
  main: (values, args) =>
    run(args, values, {
      service: serviceOf(values, { ...readDevVars(), ...process.env }, (line) => console.error(line)),
      print,
      load: loadText,
      save: (path, text) => writeFileSync(path, text),
      clear: () => process.stdout.write(process.stdout.isTTY ? "\u001b[2J\u001b[H" : ""),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }),
});
