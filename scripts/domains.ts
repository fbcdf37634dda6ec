import { localSettings } from "./dev-vars.ts";
import { adminOf } from "./domains/api.ts";
import { HELP } from "./domains/help.ts";
import { OPTIONS, run } from "./domains/run.ts";
import { print, runCommand } from "./lib/cli.ts";

await runCommand({
  name: "domains",
  help: HELP,
  options: OPTIONS,
  arguments: 2,
  main: (values, args) =>
    run(args, values, {
      admin: adminOf(values, localSettings()),
      print,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }),
});
