import { audit } from "./audit/audit.ts";
import { AUDIT } from "./audit/usage.ts";
import { localSettings } from "./dev-vars.ts";
import { print } from "./lib/cli.ts";
import { runCommand } from "./lib/command.ts";

await runCommand(AUDIT, async ({ values }) => print(await audit(values, localSettings())));
