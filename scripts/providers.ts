import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { define, runCommand } from "./lib/command.ts";
import { listWithFiles } from "./providers/list.ts";
import { SENDERS_PAGE, senderTable } from "./providers/senders.ts";
import { PAGE, providerTable, withTable } from "./providers/table.ts";

const write = (page: string, name: "providers" | "senders", table: string): void => {
  const path = join(import.meta.dirname, "..", page);
  writeFileSync(path, withTable(readFileSync(path, "utf8"), name, table));
};

const PROVIDERS = define({
  name: "providers",
  about: `Writes the table of providers in ${PAGE} from the handlers in src/handlers, and the table of senders in
${SENDERS_PAGE} from src/email/delivery/senders.`,
  examples: [[""]],
  options: {},
});

await runCommand(PROVIDERS, async () => {
  const handlers = await listWithFiles();
  write(PAGE, "providers", providerTable(handlers));
  write(SENDERS_PAGE, "senders", senderTable());
  console.log(`${PAGE}: ${handlers.length} providers. ${SENDERS_PAGE}: the senders.`);
});
