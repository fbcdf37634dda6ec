import type { Worker } from "../config.ts";
import type { Io } from "../io.ts";
import type { Deployed } from "../state.ts";
import { deployedSecrets, deployedVars } from "../wrangler.ts";

/** Looks what there is of a Worker on Cloudflare, and says it. */
export const look = async (
  { run, print }: Pick<Io, "run" | "print">,
  worker: Worker,
  env: Record<string, string>,
): Promise<Deployed> => {
  const secrets = await deployedSecrets(run, worker, env);
  if (!secrets) {
    print(`${worker.name} does not exist yet.`);
    return { exists: false, secrets: new Set(), vars: undefined };
  }
  print(`${worker.name} exists. Its secrets: ${[...secrets].sort().join(", ") || "none"}; each is kept.`);
  return { exists: true, secrets, vars: await deployedVars(run, worker, env) };
};
