import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runningPorts } from "./start/lock.ts";

/** The file with local secrets, also read by wrangler. */
export const DEV_VARS = fileURLToPath(new URL("../.dev.vars", import.meta.url).href);

/** Parses dotenv lines: quotes are removed, `#` starts a comment, `export` is allowed. */
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

export const readDevVars = (path: string = DEV_VARS): Record<string, string> => {
  try {
    return parseDevVars(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
};

/** Written by `npm start`. */
const RUNNING = fileURLToPath(new URL("../.wrangler/start.json", import.meta.url).href);

/** Merges settings; the environment wins, then the ports of an `npm start` that runs in this folder. */
export const localSettings = (path: string = DEV_VARS, running = RUNNING): Record<string, string | undefined> => ({
  ...readDevVars(path),
  ...runningPorts(running),
  ...process.env,
});

const EXAMPLE = fileURLToPath(new URL("../.dev.vars.example", import.meta.url).href);

const base64 = () => randomBytes(24).toString("base64");

/** Empty for EMAIL_API_KEY, which the email service makes. */
const fresh = (name: string): string => {
  if (name === "EMAIL_API_KEY") return "";
  if (name === "SUPABASE_HOOK_SECRET") return `v1,whsec_${base64()}`;
  if (name.endsWith("_WEBHOOK_SECRET")) return `whsec_${base64()}`;
  return randomBytes(24).toString("hex");
};

/** Creates or completes .dev.vars and makes it private. Returns the names of secrets that a person's file lacked. */
export const ensureDevVars = (path: string = DEV_VARS): string[] => {
  const example = readFileSync(EXAMPLE, "utf8");
  if (!existsSync(path)) {
    const filled = example.replaceAll(/^(\w+)=$/gm, (_, name: string) => `${name}=${fresh(name)}`);
    writeFileSync(path, filled, { mode: 0o600 });
    return [];
  }
  // A file made by a person has the usual mode.
  chmodSync(path, 0o600);
  const vars = readDevVars(path);
  const secrets = Array.from(example.matchAll(/^(\w+)=$/gm), ([, name = ""]) => name);
  const added = secrets.filter((name) => !vars[name] && fresh(name));
  for (const name of added) setDevVar(name, fresh(name), path);
  if (vars.INBOX === undefined) setDevVar("INBOX", "1", path);
  return added;
};

/** Sets one value and keeps the rest of the file. */
export const setDevVar = (name: string, value: string, path: string = DEV_VARS): void => {
  const text = readFileSync(path, "utf8");
  const line = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=.*$`, "m");
  const assignment = `${name}=${value}`;
  const next = line.test(text) ? text.replace(line, () => assignment) : `${text.replace(/\n*$/, "\n")}${assignment}\n`;
  writeFileSync(path, next, { mode: 0o600 });
};
