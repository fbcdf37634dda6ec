import { sources } from "../../src/sources.ts";
import { signedSample } from "../samples/samples.ts";
import type { Workers } from "../workers.ts";

const SAMPLES = [
  { source: "stripe", type: "checkout.session.completed" },
  { source: "clerk", type: "user.created" },
  { source: "supabase", type: "send-email" },
] as const;

type Call = { action: "contact" | "event" | "transactional"; state: string; result?: string; message?: string };

/** Sends three signed webhooks through the real door, waits for their calls and prints what became of each. */
export const sendSamples = async (workers: Workers, vars: Record<string, string>): Promise<void> => {
  const rows: Record<string, string>[] = [];
  for (const { source, type } of SAMPLES) {
    const name = sources[source]?.secret ?? "";
    const secret = vars[name]?.split(/[\s|]+/).find(Boolean);
    const row = { webhook: `${source} ${type}`, contact: "", event: "", mail: "" };
    if (!secret) {
      rows.push({ ...row, contact: `not sent: ${name} is not in .dev.vars` });
      continue;
    }
    const sample = await signedSample(source, type, { secret, now: Date.now() });
    const response = await fetch(`${workers.url}/hooks/${source}`, {
      method: "POST",
      headers: sample.headers,
      body: sample.raw,
    });
    const answer = (await response.json()) as { id?: string; error?: { message: string } };
    if (!answer.id) {
      rows.push({ ...row, contact: `refused: ${answer.error?.message}` });
      continue;
    }
    const calls = await settled(workers.url, vars.ADMIN_TOKEN ?? "", answer.id);
    rows.push({
      ...row,
      contact: told(calls, "contact"),
      event: told(calls, "event"),
      mail: told(calls, "transactional"),
    });
  }
  print(rows);
};

/** The calls of a webhook once all are decided, or as they are after 15 s. */
const settled = async (url: string, token: string, id: string): Promise<Call[]> => {
  for (const end = Date.now() + 15_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const response = await fetch(`${url}/admin/webhooks/${id}`, { headers: { Authorization: `Bearer ${token}` } });
    const { calls } = (await response.json()) as { calls: Call[] };
    if (Date.now() > end || calls.every(({ state }) => state !== "waiting" && state !== "sending")) return calls;
  }
};

const told = (calls: Call[], action: Call["action"]): string =>
  calls
    .filter((call) => call.action === action)
    .map(({ state, result, message }) => (state === "done" ? (result ?? "done") : `${state}: ${message ?? ""}`))
    .join(", ") || "-";

const print = (rows: Record<string, string>[]): void => {
  const columns = ["webhook", "contact", "event", "mail"];
  const width = (column: string) => Math.max(column.length, ...rows.map((row) => row[column]?.length ?? 0));
  const line = (cells: string[]) => console.log(cells.join("  ").trimEnd());
  line(columns.map((column) => column.padEnd(width(column))));
  line(columns.map((column) => "─".repeat(width(column))));
  for (const row of rows) line(columns.map((column) => (row[column] ?? "").padEnd(width(column))));
  console.log("");
};
