import { join } from "node:path";
import { bundle } from "../scripts/bundle.ts";
import { ADMIN_TOKEN, ask, createTeam } from "./ask.ts";
import { atLeast, atMost, type Figure, sleep, withoutBound } from "./outbox/report.ts";
import { runSized } from "./sized.ts";
import { startOnDisk } from "./start.ts";

const ABOUT = `Imports contacts from a CSV file with ten columns, then changes each of them by another file, and calls the API ten times a
second meanwhile.`;

/** Rows per second; ms for 99 of 100 calls. */
const LIMITS = { rows: 5_000, p99: 100 };
const PROPERTIES = {
  plan: "string",
  seats: "number",
  trial: "boolean",
  since: "date",
  country: "string",
  company: "string",
};

const fileOf = (rows: number, more: number): string => {
  const line = (i: number) =>
    `person${i}@example.com,user_${i},First${i},"Last ${i}, Jr.",plan${i % 5},${(i % 90) + more},${i % 2 === 0},2026-01-31,GB,"Company ""${i}"""\n`;
  const head = "email,userId,firstName,lastName,plan,seats,trial,since,country,company\n";
  return head + Array.from({ length: rows }, (_, i) => line(i)).join("");
};

const timesOfCalls = async (call: () => Promise<unknown>, isOver: () => boolean): Promise<number[]> => {
  const times: Promise<number>[] = [];
  while (!isOver()) {
    const began = performance.now();
    times.push(call().then(() => performance.now() - began));
    await sleep(100);
  }
  return Promise.all(times);
};

type Worker = Awaited<ReturnType<typeof startOnDisk>>;
type Progress = Record<"created" | "updated", number> & { state: string };

const importFile = async (
  worker: Worker,
  call: () => Promise<unknown>,
  ...[body, rows, outcome]: [string, number, "created" | "updated"]
): Promise<Figure[]> => {
  const base = `${worker.url}/admin/teams/acme/imports`;
  const began = performance.now();
  const response = await fetch(base, {
    method: "POST",
    body,
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
  let answer: Progress = { state: "running", created: 0, updated: 0 };
  const calls = timesOfCalls(call, () => answer.state !== "running");
  while (answer.state === "running") {
    await sleep(100);
    answer = await ask("GET", `${base}/${id}`, ADMIN_TOKEN);
  }
  const seconds = (performance.now() - uploaded) / 1_000;
  const used = worker.cpu() - cpu;
  if (answer[outcome] !== rows) throw new Error(`${answer[outcome]} of ${rows} rows ${outcome} a contact.`);
  const times = (await calls).toSorted((one, two) => one - two);
  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
  return [
    withoutBound(
      atMost(`upload and parsing of ${(body.length / 1e6).toFixed(1)} MB`, (uploaded - began) / 1_000, 0, 1, " s"),
    ),
    atLeast(`${rows} contacts ${outcome}: rows per second`, rows / seconds, LIMITS.rows, 0),
    withoutBound(atMost("CPU time of 1 000 rows", (used * 1_000_000) / rows, 0, 0, " ms")),
    withoutBound(atMost("a call of the API meanwhile, median", times[times.length >> 1] ?? Number.NaN, 0, 0, " ms")),
    atMost("a call of the API meanwhile, 99 of 100", p99, LIMITS.p99, 0, " ms"),
  ];
};

const measure = async (rows: number): Promise<Figure[]> => {
  const worker = await startOnDisk({
    script: await bundle(join(import.meta.dirname, "worker.ts")),
    vars: { ADMIN_TOKEN, API_KEY_SECRET: "bench-key-secret" },
    objects: { WORKSPACE: "Workspace", INBOX_STORE: "Inbox", DIRECTORY: "Directory" },
  });
  try {
    const team = await createTeam(worker.url, "acme");
    await team("POST", "/contacts/create", { email: "first@example.com" });
    const call = () => team("GET", "/contacts/find?email=first@example.com");
    return [
      ...(await importFile(worker, call, fileOf(rows, 0), rows, "created")),
      ...(await importFile(worker, call, fileOf(rows, 1), rows, "updated")),
    ];
  } finally {
    await worker.stop();
  }
};

await runSized({
  name: "imports",
  about: ABOUT,
  option: "rows",
  size: { usual: 100_000, min: 1_000, max: 1_000_000 },
  measure,
});
