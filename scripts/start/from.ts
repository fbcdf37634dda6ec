import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { WorkerVars } from "../workers.ts";

const secretsIn = (path: string): Record<string, string> => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
  } catch (error) {
    throw new Error(`${path} cannot be read as JSON: ${(error as Error).message}`);
  }
};

/** Reads the output of `npm run deploy -- --dry-run --out`. */
export const deploymentIn = (
  folder: string,
  publicUrl: string,
): WorkerVars & {
  configs: { bridge: string; email: string; dashboard: string };
  dashboardVars: Record<string, string>;
  state: string;
} => {
  const at = (file: string) => resolve(folder, file);
  const configs = { bridge: at("bridge.json"), email: at("email.json"), dashboard: at("dashboard.json") };
  for (const path of Object.values(configs))
    if (!existsSync(path))
      throw new Error(`There is no ${path}. Write it: npm run deploy -- --dry-run --out ${folder}`);
  return {
    configs,
    state: join(resolve(folder), "state"),
    dashboardVars: secretsIn(at("dashboard.secrets.json")),
    bridgeVars: secretsIn(at("bridge.secrets.json")),
    emailVars: { ...secretsIn(at("email.secrets.json")), PUBLIC_URL: publicUrl },
  };
};
