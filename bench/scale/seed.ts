import { signedSample } from "../../scripts/samples/samples.ts";
import { FILL, nameOf } from "../fill.ts";
import { until } from "../outbox/report.ts";
import { addMarketing } from "./marketing.ts";
import { type Scale, SECRETS } from "./start.ts";

/** `waiting`: contacts in a workflow. */
export type Sizes = { contacts: number; webhooks: number; sends: number; waiting: number };

/** One of a hundred copies keeps this address. */
export const BUSY = "ada@example.com";
export const addressOf = (i: number): string => `person${nameOf(i)}@example.com`;

const BATCH = 2_500;

const SAMPLES = [
  ["stripe", "checkout.session.completed", SECRETS.STRIPE_WEBHOOK_SECRET],
  ["clerk", "user.created", SECRETS.CLERK_WEBHOOK_SECRET],
] as const;

/** Copies of real webhooks have every production field. */
const sendSamples = async (scale: Scale): Promise<void> => {
  for (const [source, type, secret] of SAMPLES) {
    const { raw, headers } = await signedSample(source, type, { secret, now: Date.now() });
    const sent = await fetch(`${scale.url}/hooks/${source}`, { method: "POST", headers, body: raw });
    if (!sent.ok) throw new Error(`The sample of ${source} was refused: ${await sent.text()}`);
  }
  const waiting = async () => {
    const { json } = await scale.ask("/bridge/status");
    return (json as { waiting: { total: number } }).waiting.total === 0;
  };
  await until("the deliveries of the samples are done", waiting, 30_000);
  const { json } = await scale.ask("/email/teams/demo/sends");
  const { data } = json as { data: { settledAt: string | null }[] };
  if (data.length === 0) throw new Error("The samples have sent no mail.");
};

type FillOf = Scale["fillBridge"];

/** `key`: the column that names the row, bound last. */
const copying = async (fill: FillOf, table: string, key: string, changes: Record<string, string>) => {
  const found = await fill({ query: `SELECT name FROM pragma_table_info('${table}')`, rows: [[]] });
  const names = found.map(({ name }) => String(name));
  const last = names.map((name) => changes[name] ?? name);
  return `INSERT INTO ${table} (${names.join(", ")}) SELECT ${last.join(", ")} FROM ${table} WHERE ${key}`;
};

const inBatches = async (
  fill: FillOf,
  query: string,
  count: number,
  row: (i: number) => (string | number | null)[],
) => {
  for (let from = 0; from < count; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => row(from + n));
    await fill({ query, rows });
  }
};

const whomOf = (i: number): string => (i % 100 === 0 ? BUSY : addressOf(i));
const idsOf = (rows: Record<string, unknown>[], name: string): number[] => rows.map((row) => Number(row[name]));

const FAILED = "The transactional email has no published version";

const copyWebhooks = async ({ fillBridge }: Scale, count: number): Promise<void> => {
  const from = idsOf(await fillBridge({ query: "SELECT seq FROM webhooks ORDER BY seq", rows: [[]] }), "seq");
  const other = (column: string) => `replace(${column}, '${BUSY}', ?3)`;
  const failed = `json_set(${other("deliveries")}, '$[0].state', 'failed', '$[0].message', '${FAILED}')`;
  const changes = { seq: "?1", event_id: "?2", body: other("body"), outcomes: other("outcomes") };
  const query = await copying(fillBridge, "webhooks", "seq = ?4", {
    ...changes,
    deliveries: `iif(?5 = 1, ${failed}, ${other("deliveries")})`,
    attention: "?5",
  });
  const [oldest = 0] = from;
  // One webhook per 20 s, before the real ones.
  await inBatches(fillBridge, query, count, (i) => [
    oldest - (i + 1) * 20_000_000,
    `evt_copy_${i}`,
    whomOf(i),
    from[i % from.length] ?? 0,
    i % 100 === 7 ? 1 : 0,
  ]);
};

const copySends = async ({ fillEmail }: Scale, count: number): Promise<void> => {
  const from = idsOf(await fillEmail({ query: "SELECT n FROM sends ORDER BY n", rows: [[]] }), "n");
  const [oldest = 0] = idsOf(await fillEmail({ query: "SELECT min(created_at) AS at FROM sends", rows: [[]] }), "at");
  const query = await copying(fillEmail, "sends", "n = ?5", {
    n: "?1",
    id: "?2",
    recipient: "?3",
    recipient_key: "?3",
    created_at: "?4",
    settled_at: "?4",
    contact: "NULL",
    state: "iif(?4 / 10000 % 50 = 0, 'failed', state)",
  });
  // One mail per 10 s. The number of a mail is its time in microseconds.
  await inBatches(fillEmail, query, count, (i) => {
    const at = oldest - (i + 1) * 10_000;
    const n = at * 1_000;
    return [n, `snd_${n.toString(36)}_copy`, whomOf(i), at, from[i % from.length] ?? 0];
  });
};

const fillTeam = async ({ fillEmail }: Scale, { contacts }: Sizes): Promise<void> => {
  // The number of an event is its time in microseconds.
  const [real = 0] = idsOf(await fillEmail({ query: "SELECT max(at) AS at FROM events", rows: [[]] }), "at");
  const event = await copying(fillEmail, "events", "at = ?2", { n: "?1 * 1000", at: "?1" });
  await inBatches(fillEmail, event, 5_000, (i) => [real - (i + 1) * 60_000, real]);
  const list =
    "INSERT INTO mailing_lists (id, name, description, visibility, created_at) VALUES (?, ?, '', 'public', 0)";
  await inBatches(fillEmail, list, 30, (i) => [`lst_${i}`, `List ${i}`]);
  const join = `UPDATE contacts SET data = jsonb_set(data, '$.mailingLists', jsonb_object('lst_0', json('true'), 'lst_1', json('true')))
    WHERE n % 10 = 0 AND n BETWEEN ? AND ?`;
  const slices = Math.ceil(contacts / 50_000);
  for (let n = 0; n < slices; n++) await fillEmail({ query: join, rows: [[n * 50_000, n * 50_000 + 49_999]] });
  const suppressed = "INSERT INTO suppressions (email_key, reason, at) VALUES (?, ?, ?)";
  const reasons = ["bounce", "complaint", "manual"];
  const many = Math.ceil(contacts / 50);
  await inBatches(fillEmail, suppressed, many, (i) => [addressOf(i * 7), reasons[i % 3] ?? "manual", Date.now() - i]);
};

export const seed = async (scale: Scale, sizes: Sizes, say: (line: string) => void): Promise<void> => {
  const step = async (what: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    say(`  ${what.padEnd(40)}${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s`);
  };
  await step("sample webhooks", () => sendSamples(scale));
  await step(`${sizes.contacts} contacts`, async () => {
    for (let from = 1; from <= sizes.contacts; from += 50_000)
      await scale.fillEmail({ query: FILL, rows: [[from, Math.min(sizes.contacts, from + 49_999)]] });
  });
  await step(`${sizes.webhooks} webhooks`, () => copyWebhooks(scale, sizes.webhooks));
  await step(`${sizes.sends} mails`, () => copySends(scale, sizes.sends));
  await step("events, lists and suppressions", () => fillTeam(scale, sizes));
  await step(`a campaign, and a workflow with ${sizes.waiting}`, () => addMarketing(scale, sizes.waiting));
};
