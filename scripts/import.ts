import { writeFile } from "node:fs/promises";
import { localSettings } from "./dev-vars.ts";
import { checkOutcome, open } from "./import/files.ts";
import { run } from "./import/run.ts";
import { IMPORT } from "./import/usage.ts";
import { print, progress } from "./lib/cli.ts";
import { runCommand } from "./lib/command.ts";
import { teamServiceOf, Unreachable } from "./lib/team-service.ts";

await runCommand(IMPORT, ({ values, args }) => {
  const vars = localSettings();
  const service = teamServiceOf("imports", values, vars, (line) => console.error(line));
  return run(args, values, {
    open,
    checkOutcome,
    ask: service.admin,
    saveOutcome: async (id, path) => {
      const response = await service.open(`/${id}/outcome.csv`);
      const text = await response.text().catch(() => {
        throw new Unreachable("The connection broke while the outcome file was sent.");
      });
      await writeFile(path, text);
    },
    print,
    progress,
    width: process.stdout.columns || 120,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
});
