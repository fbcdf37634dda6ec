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
type Call = { action: Action; state: string; result?: string; message?: string };

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
  const calls = await settled(`${url}/admin/webhooks/${answer.id}`, vars.ADMIN_TOKEN ?? "");
  return (["contact", "event", "transactional"] as const).map((action) => resultOf(calls, action));
};

/** Waits for at most 15 s. */
const settled = async (address: string, token: string): Promise<Call[]> => {
  for (const end = Date.now() + 15_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const response = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
    const { calls } = (await response.json()) as { calls: Call[] };
    if (Date.now() > end || calls.every(({ state }) => state !== "waiting" && state !== "sending")) return calls;
  }
};

const resultOf = (calls: readonly Call[], action: Action): string =>
  calls
    .filter((call) => call.action === action)
    .map(({ state, result, message }) => (state === "done" ? (result ?? "done") : `${state}: ${message ?? ""}`))
    .join(", ") || "-";
