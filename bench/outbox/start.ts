import { join } from "node:path";
import { bundle } from "../../scripts/bundle.ts";
import { startOnDisk } from "../start.ts";
import type { Counting } from "./worker.ts";

export const SECRETS = {
  STRIPE_WEBHOOK_SECRET: "whsec_bench",
  SUPABASE_HOOK_SECRET: "v1,whsec_9/aEo92he/COTHQ/t9CEQy0rC9jDAj5gqNUsJEJI3EE=",
};

let script: string | undefined;

export type Bench = Awaited<ReturnType<typeof start>>;

/** Starts the Worker of worker.ts. `vars` add to or replace its variables. */
export const start = async (serviceUrl: string, vars: Record<string, unknown> = {}) => {
  script ??= await bundle(join(import.meta.dirname, "worker.ts"));
  const { url, cpu, stop } = await startOnDisk({
    script,
    vars: {
      ...SECRETS,
      EMAIL_API_URL: serviceUrl,
      EMAIL_API_KEY: "ms_bench",
      TEMPLATES: { receipt: "tpl_receipt", "magic-link": "tpl_magic_link" },
      ...vars,
    },
    objects: { OUTBOX: "Outbox", ONE_BY_ONE: "OneByOne", COUNTING: "Counting" },
  });
  const ask = async <T>(name: string, query: string): Promise<T> => {
    const response = await fetch(`${url}/do/${name}/x${query}`);
    if (!response.ok) throw new Error(`${name}${query}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    port: Number(new URL(url).port),
    object: (name: string, query = "") =>
      ask<{ sql: number; alarms: number; left: number; waiting: number }>(name, query),
    bytes: async (name: string) => (await ask<{ bytes: number }>(name, "?bytes")).bytes,
    journal: (name: string) => ask<Awaited<ReturnType<Counting["journal"]>>>(name, "?journal"),
    /** `pause` stops delivery of an object, `end` resets it. */
    act: async (path: string, act: "pause" | "end") => {
      const response = await fetch(`${url}${path}/${act}`);
      if (!response.ok) throw new Error(`${act} ${path}: ${response.status} ${await response.text()}`);
    },
    cpu,
    stop,
  };
};
