import { localSettings } from "./dev-vars.ts";
import { print, runCommand } from "./lib/cli.ts";
import { HELP } from "./why/help.ts";
import { OPTIONS, why } from "./why/why.ts";

await runCommand({
  name: "why",
  help: HELP,
  options: OPTIONS,
  arguments: 1,
  main: async (values, [person]) => print(await why(person, values, localSettings())),
});
