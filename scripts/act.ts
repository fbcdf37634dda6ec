import { act, OPTIONS } from "./act/act.ts";
import { HELP } from "./act/help.ts";
import { localSettings } from "./dev-vars.ts";
import { print, runCommand } from "./lib/cli.ts";

await runCommand({
  name: "act",
  help: HELP,
  options: OPTIONS,
  arguments: 2,
  main: async (values, args) => print(await act(args, values, localSettings())),
});
