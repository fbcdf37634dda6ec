import { HELP } from "./email/help.ts";
import { OPTIONS, runEmail } from "./email/run.ts";
import { runCommand } from "./lib/cli.ts";

await runCommand({
  name: "email",
  help: HELP,
  options: OPTIONS,
  arguments: Number.POSITIVE_INFINITY,
  main: (values, files) => runEmail(files, values, process.env),
});
