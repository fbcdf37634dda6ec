import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listWithFiles } from "./providers/list.ts";
import { withTable } from "./providers/table.ts";

// `npm run providers`: writes the table of providers into the README from the handlers in src/handlers.
const path = join(import.meta.dirname, "..", "README.md");
const handlers = await listWithFiles();
writeFileSync(path, withTable(readFileSync(path, "utf8"), handlers));
console.log(`README.md: ${Object.keys(handlers).length} providers.`);
