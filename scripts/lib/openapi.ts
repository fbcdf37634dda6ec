import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ABOUT } from "../../src/lib/contract/openapi/about.ts";
import { openApiOf } from "../../src/lib/contract/openapi.ts";
import { v1 } from "../../src/lib/contract/v1.ts";

const manifest = join(import.meta.dirname, "../../package.json");

/** Returns the text of openapi.json. */
export const openApi = (): string => {
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  return `${JSON.stringify(openApiOf(v1, "/v1", { title: "Mailspan v1 API", version, description: ABOUT }))}\n`;
};
