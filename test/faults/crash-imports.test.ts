import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadWorker, workerOptions } from "../../scripts/workers.ts";
import { secrets, until } from "../system/mailspan.ts";
import { startProcess } from "./torture/processes.ts";

/** Kills while rows are imported, set by `npm run crash`. */
const CRASHES = Number(process.env.CRASHES || 5);
const ROWS = 100_000;
const BACK = 4_995;

const isAgain = (row: number): boolean => row % 10 === 9 && row >= BACK;
const personOf = (row: number): number => (isAgain(row) ? row - BACK : row);
const rows = Array.from({ length: ROWS }, (_, row) => row);
const FILE = `email,userId,firstName,seats\n${rows
  .map((row) => `p${personOf(row)}@example.com,u${personOf(row)},"Row ${row},\nagain",${row}\n`)
  .join("")}`;

let folder: string;
let service: Awaited<ReturnType<typeof startProcess>>;
let restart: () => Promise<void>;
let url: string;

const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const response = await fetch(`${url}/admin/teams${path}`, {
    method,
    headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await response.json()) as T;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mailspan-crash-"));
  const config = await loadWorker("src/email/wrangler.toml");
  const options = async (name: string, port: number): Promise<string> => {
    const vars = { ADMIN_TOKEN: secrets.ADMIN_TOKEN, API_KEY_SECRET: "crash-key-secret" };
    const file = join(folder, name);
    await writeFile(file, JSON.stringify({ worker: workerOptions(config, vars, port), state: join(folder, "state") }));
    return file;
  };
  service = await startProcess(await options("first.json", 0));
  url = service.url() ?? "";
  const again = await options("again.json", Number(new URL(url).port));
  restart = () => service.start(again);
  await ask("POST", "", { id: "acme", name: "Acme" });
});
afterAll(async () => {
  await service.kill();
  await rm(folder, { recursive: true, force: true });
});

type Shown = { id: string; state: string; processed: number };
const newest = async () => (await ask<{ data: Shown[] }>("GET", "/acme/imports")).data[0];

const command = (args: string[]) => {
  const child = spawn(process.execPath, ["scripts/import.ts", ...args, "--url", url, "--team", "acme"], {
    env: { ...process.env, ADMIN_TOKEN: secrets.ADMIN_TOKEN },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk));
  const ended = new Promise<{ code: number | null; printed: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, printed })),
  );
  return { ended, kill: () => child.kill("SIGKILL") };
};

const contactsOnDisk = async (): Promise<string[]> => {
  const files = await readdir(join(folder, "state"), { recursive: true });
  for (const file of files.filter((name) => name.endsWith(".sqlite"))) {
    const database = new DatabaseSync(join(folder, "state", file));
    try {
      const hasContacts = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'contacts'").all().length > 0;
      if (!hasContacts) continue;
      const query = `SELECT concat_ws(' ', email, user_id, data ->> '$.firstName', data ->> '$.properties.seats') AS contact
        FROM contacts ORDER BY n`;
      return database
        .prepare(query)
        .all()
        .map(({ contact }) => String(contact));
    } finally {
      database.close();
    }
  }
  return [];
};

it(
  `an import of ${ROWS} rows survives kill -9 during the upload, ${CRASHES} times during the import, and of the command`,
  async () => {
    const file = join(folder, "people.csv");
    const outcome = join(folder, "people.outcome.csv");
    await writeFile(file, FILE);
    const first = command([file, "--start", "--create", "seats=number", "--map", "seats=seats"]);

    await until("the upload has begun", async () => (await newest())?.state === "uploading" || undefined, 30_000);
    await service.kill();
    await restart();
    const { id } = await until(
      "the import runs",
      async () => {
        const one = await newest();
        return one?.state === "running" ? one : undefined;
      },
      60_000,
    );

    for (let crash = 0; crash < CRASHES; crash++) {
      const share = (crash + Math.random()) / (CRASHES + 1);
      const { state } = await until(
        `${Math.round(share * 100)} % are imported`,
        async () => {
          const one = await ask<Shown>("GET", `/acme/imports/${id}`);
          return one.processed >= ROWS * share || one.state !== "running" ? one : undefined;
        },
        60_000,
      );
      expect(state).toBe("running");
      await service.kill();
      await restart();
    }
    first.kill();
    expect((await first.ended).code).toBe(null);
    const { code, printed } = await command(["--import", id, "--outcome", outcome]).ended;
    const again = rows.filter(isAgain).length;
    expect(printed).toContain(`${ROWS - again} created, ${again} updated, 0 unchanged, 0 refused.`);
    expect(code).toBe(0);

    const lines = (await readFile(outcome, "utf8")).trimEnd().split("\r\n").slice(1);
    const expected = rows.map((row) => `${row + 1},${2 * row + 2},${isAgain(row) ? "updated" : "created"},,`);
    expect(lines.findIndex((line, at) => line !== expected[at])).toBe(-1);
    expect(lines).toHaveLength(ROWS);
    expect((await ask<{ data: Shown[] }>("GET", "/acme/imports")).data.map(({ state }) => state)).toEqual([
      "done",
      "cancelled",
    ]);

    await service.kill();
    const latest = new Map(rows.map((row) => [personOf(row), row]));
    const people = rows
      .filter((row) => !isAgain(row))
      .map((row) => `p${row}@example.com u${row} Row ${latest.get(row)},\nagain ${latest.get(row)}`);
    const contacts = await contactsOnDisk();
    expect(contacts.findIndex((contact, at) => contact !== people[at])).toBe(-1);
    expect(contacts).toHaveLength(people.length);
    console.log(`${CRASHES + 1} crashes: ${lines.length} rows with an outcome, ${contacts.length} contacts`);
  },
  120_000 + CRASHES * 20_000,
);
