import type { Worker } from "../config.ts";
import type { State } from "../state.ts";
import { deployedSecrets } from "../wrangler.ts";

/** Returns the names of a Worker's secrets; undefined if it does not exist. */
export const look = async ({ io, env }: State, worker: Worker): Promise<ReadonlySet<string> | undefined> => {
  const secrets = await deployedSecrets(io.run, worker, env);
  io.print(
    secrets
      ? `${worker.name} exists, with the secrets: ${[...secrets].sort().join(", ") || "none"}.`
      : `${worker.name} does not exist yet.`,
  );
  return secrets;
};
