import { backfill } from "./backfill/backfill.ts";
import { BACKFILL } from "./backfill/usage.ts";
import { localSettings } from "./dev-vars.ts";
import { print, progress } from "./lib/cli.ts";
import { runCommand } from "./lib/command.ts";

await runCommand(BACKFILL, ({ values, args: [source] }) => {
  process.on("SIGINT", () => {
    console.log(values["dry-run"] ? "\nStopped." : `\nStopped. npm run backfill -- ${source} --resume continues.`);
    process.exit(130);
  });
  return backfill(source, values, localSettings(), (text, replaceable) => {
    progress("");
    if (replaceable && process.stdout.isTTY) progress(text);
    else print(text);
  });
});
