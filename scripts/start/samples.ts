import { secretsIn } from "../../src/lib/signature/secrets.ts";
import { handlerOf, type Source, sources } from "../../src/sources.ts";
import { table } from "../lib/cli.ts";
import { signedSample } from "../samples/samples.ts";
import type { Workers } from "../workers.ts";

const SAMPLES = [
  { name: "stripe", type: "checkout.session.completed" },
  { name: "clerk", type: "user.created" },
  { name: "supabase", type: "send-email" },
] as const;

type Vars = Readonly<Record<string, string>>;
type Action = "contact" | "event" | "transactional";
type Delivery = { action: Action; state: string; result?: string; message?: string };

export const sendSamples = async (workers: Workers, vars: Vars): Promise<void> => {
  const rows: string[][] = [];
  for (const { name, type } of SAMPLES) {
    const source = sources[name];
    if (source) rows.push([`${name} ${type}`, ...(await sendSample(workers, vars, name, source, type))]);
  }
  console.log(`${table(["webhook", "contact", "event", "mail"], rows)}\n`);
};

const sendSample = async ({ url }: Workers, vars: Vars, name: string, source: Source, type: string) => {
  const [secret] = secretsIn(vars[source.secret] ?? "", handlerOf(source).freeSecret ?? false);
  if (!secret) return [`not sent: ${source.secret} is not in .dev.vars`];
  const { headers, raw } = await signedSample(name, type, { secret, now: Date.now() });
  const response = await fetch(`${url}/hooks/${name}`, { method: "POST", headers, body: raw });
  const answer = (await response.json()) as { id?: string; error?: { message: string } };
  if (!answer.id) return [`refused: ${answer.error?.message}`];
  const deliveries = await settled(`${url}/admin/webhooks/${answer.id}`, vars.ADMIN_TOKEN ?? "");
  return (["contact", "event", "transactional"] as const).map((action) => resultOf(deliveries, action));
};

/** Waits for at most 15 s. */
const settled = async (address: string, token: string): Promise<Delivery[]> => {
  for (const end = Date.now() + 15_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const response = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
    const { deliveries } = (await response.json()) as { deliveries: Delivery[] };
    if (Date.now() > end || deliveries.every(({ state }) => state !== "waiting" && state !== "sending"))
      return deliveries;
  }
};

const resultOf = (deliveries: readonly Delivery[], action: Action): string =>
  deliveries
    .filter((delivery) => delivery.action === action)
    .map(({ state, result, message }) => (state === "done" ? (result ?? "done") : `${state}: ${message ?? ""}`))
    .join(", ") || "-";
