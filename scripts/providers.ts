import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./lib/cli.ts";
import { listWithFiles } from "./providers/list.ts";
import { PAGE, withTable } from "./providers/table.ts";

await runCommand({
  name: "providers",
  help: `Writes the table of providers in ${PAGE} from the handlers in src/handlers.

  npm run providers`,
  options: {},
  async main() {
    const path = join(import.meta.dirname, "..", PAGE);
    const handlers = await listWithFiles();
    writeFileSync(path, withTable(readFileSync(path, "utf8"), handlers));
    console.log(`${PAGE}: ${handlers.length} providers.`);
  },
});
