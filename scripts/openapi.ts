import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { define, runCommand } from "./lib/command.ts";
import { openApi } from "./lib/openapi.ts";

const OPENAPI = define({
  name: "openapi",
  about: "Writes openapi.json from the contract of the v1 API in src/lib/contract.",
  examples: [[""]],
  options: {},
});

await runCommand(OPENAPI, () => {
  writeFileSync(join(import.meta.dirname, "..", "openapi.json"), openApi());
  console.log("Wrote openapi.json.");
});
