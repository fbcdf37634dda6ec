import { localSettings } from "./dev-vars.ts";
import { print } from "./lib/cli.ts";
import { runCommand } from "./lib/command.ts";
import { WHY } from "./why/usage.ts";
import { why } from "./why/why.ts";

await runCommand(WHY, async ({ values, args: [person = ""] }) => print(await why(person, values, localSettings())));
