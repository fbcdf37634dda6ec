import { load, type Wire } from "./load.ts";
import { atMost, type Figure, sleep, until } from "./report.ts";
import type { Bench } from "./start.ts";
import { customerUpdate, renewal, several, subscriptionUpdate } from "./webhooks.ts";

/** Dollars per million (2026-11), beyond the plan. */
const PRICE = { workerRequest: 0.3, workerCpuMs: 0.02, objectRequest: 0.15, rowWritten: 1 };
/** An upper bound of the CPU time in `accepting`. */
const CPU_MS = 1;
const DAY = 86_400_000;

const life = async (bench: Bench, name: string, webhooks: Wire[], everyMs: number, times: number) => {
  await until("every earlier delivery is delivered", async () => (await bench.object(name)).waiting === 0, 60_000);
  // Purging an earlier webhook costs one row.
  const { left: before } = await bench.object(name, `?times=${times}`);
  for (let n = 0; n < webhooks.length; n++) {
    await load(bench.port, webhooks.slice(n, n + 1), 1);
    await sleep(everyMs / times);
  }
  await until("every delivery is delivered", async () => (await bench.object(name)).waiting === 0, 120_000);
  await bench.object(name, `?later=${31 * DAY}`);
  const { sql, alarms, left } = await bench.object(name);
  if (left > 0) throw new Error(`${left} webhooks were not purged.`);
  console.log(`  ${name}: ${webhooks.length} webhooks, ${sql - before} rows, ${alarms} alarms`);
  return { rows: (sql + alarms - before) / webhooks.length, alarms: alarms / webhooks.length };
};

/** Counts rows over the life of a webhook, and the cost per million. */
export const rowsWritten = async (bench: Bench, count: number): Promise<Figure[]> => {
  const mails = await several(count, () => renewal("/counting/mails"));
  const people = await several(100, (n) => customerUpdate("/counting/updates", n));
  await load(bench.port, people, 8);
  const updates = await several(100, (n) => subscriptionUpdate("/counting/updates", n));
  const mail = await life(bench, "mails", mails, 10, 4);
  const update = await life(bench, "updates", updates, 1_000, 20);
  const cost = ({ rows, alarms }: typeof mail) =>
    PRICE.workerRequest + PRICE.workerCpuMs * CPU_MS + PRICE.objectRequest * (1 + alarms) + PRICE.rowWritten * rows;
  return [
    atMost("rows over the life of a webhook with one transactional delivery, at 100/s", mail.rows, 6),
    atMost("rows over the life of one with a contact update of a known person, at 1/s", update.rows, 9),
    { what: "a million of the first, at the published prices", value: `$${cost(mail).toFixed(2)}` },
    { what: "a million of the second", value: `$${cost(update).toFixed(2)}` },
  ];
};
