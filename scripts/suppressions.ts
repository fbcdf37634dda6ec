import { localSettings } from "./dev-vars.ts";
import { print } from "./lib/cli.ts";
import { runCommand } from "./lib/command.ts";
import { teamServiceOf } from "./lib/team-service.ts";
import { run } from "./suppressions/run.ts";
import { SUPPRESSIONS } from "./suppressions/usage.ts";

await runCommand(SUPPRESSIONS, async (line) =>
  print(await run(line, teamServiceOf("", line.values, localSettings()).admin)),
);
