import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listWithFiles } from "./providers/list.ts";
import { PAGE, withTable } from "./providers/table.ts";

// `npm run providers`: writes the table of providers from the handlers in src/handlers.
const path = join(import.meta.dirname, "..", PAGE);
const handlers = await listWithFiles();
writeFileSync(path, withTable(readFileSync(path, "utf8"), handlers));
console.log(`${PAGE}: ${handlers.length} providers.`);
