import { runEmail } from "./email/run.ts";
import { EMAIL } from "./email/usage.ts";
import { runCommand } from "./lib/command.ts";

await runCommand(EMAIL, ({ values, args }) => runEmail(args, values, process.env));
