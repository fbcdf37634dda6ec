import { DEV_VARS, localSettings } from "./dev-vars.ts";
import { print, UsageError } from "./lib/cli.ts";
import { runCommand } from "./lib/command.ts";
import { connect } from "./sources/connect.ts";
import { listSources } from "./sources/list.ts";
import { SOURCES } from "./sources/usage.ts";

await runCommand(SOURCES, async ({ command, args: [source], values }) => {
  if (command === "list") return print(listSources(localSettings()));
  if (source === undefined) throw new UsageError("Which source? npm run sources -- connect --help shows an example.");
  return connect(source, values, { vars: localSettings(), file: DEV_VARS, fetch, print });
});
