import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "../scripts/bundle.ts";
import { ADMIN_TOKEN, ask, createTeam } from "./ask.ts";
import { atLeast, atMost, type Figure, show, sleep, withoutBound } from "./outbox/report.ts";
import { startOnDisk } from "./start.ts";

const HELP = `Imports contacts from a CSV file with ten columns, and calls the API ten times a second meanwhile.

  npm run bench:imports
  npm run bench:imports -- --rows 20000`;

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    help: { type: "boolean", short: "h", default: false },
  },
});

/** Rows in a second, from the start of the import to its end; ms that 99 of 100 calls need meanwhile. */
const LIMITS = { rows: 5_000, p99: 100 };
const PROPERTIES = {
  plan: "string",
  seats: "number",
  trial: "boolean",
  since: "date",
  country: "string",
  company: "string",
};

const fileOf = (rows: number): string => {
  const line = (i: number) =>
    `person${i}@example.com,user_${i},First${i},"Last ${i}, Jr.",plan${i % 5},${i % 90},${i % 2 === 0},2026-01-31,GB,"Company ""${i}"""\n`;
  const head = "email,userId,firstName,lastName,plan,seats,trial,since,country,company\n";
  return head + Array.from({ length: rows }, (_, i) => line(i)).join("");
};

/** Milliseconds of calls, ten a second, until `isOver`. */
const timesOfCalls = async (call: () => Promise<unknown>, isOver: () => boolean): Promise<number[]> => {
  const times: Promise<number>[] = [];
  while (!isOver()) {
    const began = performance.now();
    times.push(call().then(() => performance.now() - began));
    await sleep(100);
  }
  return Promise.all(times);
};

const measure = async (rows: number): Promise<Figure[]> => {
  const worker = await startOnDisk({
    script: await bundle(join(import.meta.dirname, "worker.ts")),
    vars: { ADMIN_TOKEN, API_KEY_SECRET: "bench-key-secret" },
    objects: { WORKSPACE: "Workspace", INBOX_STORE: "Inbox", DIRECTORY: "Directory" },
  });
  try {
    const call = await createTeam(worker.url, "acme");
    await call("POST", "/contacts/create", { email: "first@example.com" });
    const base = `${worker.url}/admin/teams/acme/imports`;
    const body = fileOf(rows);
    const began = performance.now();
    const response = await fetch(base, {
      ...{ method: "POST", body },
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, "Content-Type": "text/csv" },
    });
    const { id, mapping } = (await response.json()) as { id: string; mapping: Record<string, string | null> };
    if (response.status !== 201) throw new Error(`The upload was refused with ${response.status}.`);
    const uploaded = performance.now();
    const settings = {
      mapping: { ...mapping, ...Object.fromEntries(Object.keys(PROPERTIES).map((name) => [name, name])) },
      createProperties: PROPERTIES,
    };
    const cpu = worker.cpu();
    await ask("POST", `${base}/${id}/start`, ADMIN_TOKEN, settings);
    let answer = { state: "running", created: 0, refused: 0 };
    const calls = timesOfCalls(
      () => call("GET", "/contacts/find?email=first@example.com"),
      () => answer.state !== "running",
    );
    while (answer.state === "running") {
      await sleep(100);
      answer = await ask("GET", `${base}/${id}`, ADMIN_TOKEN);
    }
    const seconds = (performance.now() - uploaded) / 1_000;
    if (answer.created !== rows) throw new Error(`${answer.created} of ${rows} rows made a contact.`);
    const times = (await calls).toSorted((one, two) => one - two);
    const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
    return [
      withoutBound(
        atMost(`upload and parsing of ${(body.length / 1e6).toFixed(1)} MB`, (uploaded - began) / 1_000, 0, 1, " s"),
      ),
      atLeast(`${rows} new contacts: rows per second`, rows / seconds, LIMITS.rows, 0),
      withoutBound(atMost("CPU time of 1 000 rows", ((worker.cpu() - cpu) * 1_000_000) / rows, 0, 0, " ms")),
      withoutBound(atMost("a call of the API meanwhile, median", times[times.length >> 1] ?? Number.NaN, 0, 0, " ms")),
      atMost("a call of the API meanwhile, 99 of 100", p99, LIMITS.p99, 0, " ms"),
    ];
  } finally {
    await worker.stop();
  }
};

const main = async (): Promise<boolean> => {
  const rows = Number(values.rows);
  if (!(rows >= 1_000 && rows <= 1_000_000)) throw new Error(HELP);
  const figures = await measure(rows);
  for (const figure of figures) console.log(show(figure));
  const isWithin = figures.every(({ good }) => good !== false);
  console.log(isWithin ? "\nWithin all bounds." : "\nMore than a bound.");
  return isWithin;
};

if (values.help) console.log(HELP);
else process.exitCode = (await main()) ? 0 : 1;
