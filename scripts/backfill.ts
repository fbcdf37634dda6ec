import { backfill } from "./backfill/backfill.ts";
import { HELP } from "./backfill/help.ts";
import { OPTIONS } from "./backfill/settings.ts";
import { localSettings } from "./dev-vars.ts";
import { print, progress, runCommand } from "./lib/cli.ts";

await runCommand({
  name: "backfill",
  help: HELP,
  options: OPTIONS,
  arguments: 1,
  main: (values, [source]) => {
    process.on("SIGINT", () => {
      console.log(values["dry-run"] ? "\nStopped." : `\nStopped. npm run backfill -- ${source} --resume continues.`);
      process.exit(130);
    });
    return backfill(source, values, localSettings(), (text, replaceable) => {
      progress("");
      if (replaceable && process.stdout.isTTY) progress(text);
      else print(text);
    });
  },
});
