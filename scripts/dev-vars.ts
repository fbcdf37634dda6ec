import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the local secrets are: wrangler reads the same file. */
export const DEV_VARS = fileURLToPath(new URL("../.dev.vars", import.meta.url).href);

/** Reads lines of `NAME=value`, as dotenv does: quotes are taken off, `#` starts a comment line, `export` is allowed. */
export const parseDevVars = (text: string): Record<string, string> => {
  const vars: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const [, name, raw = ""] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined) continue;
    const quoted = /^(["'`])(.*)\1$/.exec(raw);
    vars[name] = quoted?.[2] ?? raw.replace(/\s+#.*$/, "");
  }
  return vars;
};

/** The local secrets; none where there is no file yet. */
export const readDevVars = (path: string = DEV_VARS): Record<string, string> => {
  try {
    return parseDevVars(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
};
