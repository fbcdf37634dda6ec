import { join } from "node:path";
import { bundle } from "../../scripts/bundle.ts";
import { startOnDisk } from "../start.ts";

export const SECRETS = {
  STRIPE_WEBHOOK_SECRET: "whsec_bench",
  SUPABASE_HOOK_SECRET: "v1,whsec_9/aEo92he/COTHQ/t9CEQy0rC9jDAj5gqNUsJEJI3EE=",
};

let script: string | undefined;

export type Bench = Awaited<ReturnType<typeof start>>;

/** Starts the Worker of worker.ts. */
export const start = async (hostUrl: string) => {
  script ??= await bundle(join(import.meta.dirname, "worker.ts"));
  const { url, cpu, stop } = await startOnDisk({
    script,
    vars: {
      ...SECRETS,
      EMAIL_API_URL: hostUrl,
      EMAIL_API_KEY: "ms_bench",
      TEMPLATES: { receipt: "tpl_receipt", "magic-link": "tpl_magic_link" },
    },
    objects: { OUTBOX: "Outbox", ONE_BY_ONE: "OneByOne", COUNTING: "Counting" },
  });
  return {
    port: Number(new URL(url).port),
    /** Calls the counting object of that name. */
    object: async (name: string, query = "") => {
      const response = await fetch(`${url}/do/${name}/x${query}`);
      if (!response.ok) throw new Error(`${name}${query}: ${response.status} ${await response.text()}`);
      return (await response.json()) as { sql: number; alarms: number; left: number; waiting: number };
    },
    /** Pauses delivery of the object in a path. */
    pause: async (path: string) => {
      const response = await fetch(`${url}${path}/pause`);
      if (!response.ok) throw new Error(`pause ${path}: ${response.status} ${await response.text()}`);
    },
    cpu,
    stop,
  };
};
