import { act, OPTIONS } from "./act/act.ts";
import { HELP } from "./act/help.ts";
import { readDevVars } from "./dev-vars.ts";
import { runCommand } from "./lib/cli.ts";

await runCommand({
  name: "act",
  help: HELP,
  options: OPTIONS,
  arguments: 2,
  main: async (values, args) => console.log(await act(args, values, { ...readDevVars(), ...process.env })),
});
