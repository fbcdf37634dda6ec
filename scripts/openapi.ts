import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiOf } from "../src/lib/contract/openapi.ts";
import { v1 } from "../src/lib/contract/v1.ts";

const root = join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

export const openApi = (): string =>
  `${JSON.stringify(openApiOf(v1, "/v1", { title: "Mailspan v1 API", version }), null, 2)}\n`;

if (import.meta.main) {
  writeFileSync(join(root, "openapi.json"), openApi());
  console.log("Wrote openapi.json.");
}
