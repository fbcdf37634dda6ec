import { join } from "node:path";
import { bundle } from "../scripts/bundle.ts";
import { wholeNumber } from "../scripts/lib/cli.ts";
import { define, runCommand } from "../scripts/lib/command.ts";
import { ADMIN_TOKEN, ask, createTeam } from "./ask.ts";
import { nameOf } from "./fill.ts";
import { median } from "./median.ts";
import { startOnDisk } from "./start.ts";

const SMALL = 1_000;
const LIMIT = 1.5;
const SLICE = 20_000;

const CONTACTS = define({
  name: "bench:contacts",
  about: `Measures contact operations in a small and in a large team, in one run, and fails above ${LIMIT}×.`,
  examples: [[""], ["--contacts 100000 --calls 200"]],
  options: {
    contacts: { value: "n", default: "1000000", about: "contacts of the large team" },
    calls: { value: "n", default: "600", about: "calls of each operation" },
  },
});

const start = async () =>
  startOnDisk({
    script: await bundle(join(import.meta.dirname, "worker.ts")),
    vars: { ADMIN_TOKEN, API_KEY_SECRET: "bench-key-secret" },
    objects: { WORKSPACE: "Workspace", INBOX_STORE: "Inbox", DIRECTORY: "Directory" },
  });

type Call = Awaited<ReturnType<typeof createTeam>>;

/** An empty list is an error: it would be fast but wrong. */
const foundBy =
  (call: Call): Call =>
  async (method, path, body) => {
    const answer = await call(method, path, body);
    const found = Array.isArray(answer) ? answer[0] : answer;
    if (!found) throw new Error(`${method} ${path} found nothing.`);
    return found;
  };

const fillTeam = async (url: string, team: string, contacts: number) => {
  const call = foundBy(await createTeam(url, team, { createProperties: true }));
  const first = { plan: "pro", seats: 1, country: "GB", company: "x", lifetimeValue: 1, trial: false };
  await call("POST", "/contacts/create", { email: "first@example.com", ...first });
  const began = performance.now();
  let bytes = 0;
  for (let from = 0; from < contacts; from += SLICE) {
    const to = Math.min(from + SLICE, contacts) - 1;
    bytes = (await ask("POST", `${url}/bench?team=${team}&from=${from}&to=${to}`, "")).bytes;
  }
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${team}: ${contacts} contacts in ${seconds.toFixed(1)} s, ${(bytes / 1e6).toFixed(1)} MB`);
  return { contacts, call };
};
type Team = Awaited<ReturnType<typeof fillTeam>>;

const someone = ({ contacts }: Team) => nameOf(Math.floor(Math.random() * contacts));
const emailOf = (team: Team) => `person${someone(team)}@example.com`;

let n = 0;
const operations: Record<string, (team: Team) => Promise<unknown>> = {
  "find by email": (team) => team.call("GET", `/contacts/find?email=${emailOf(team)}`),
  "find by userId": (team) => team.call("GET", `/contacts/find?userId=user_${someone(team)}`),
  "update by email": (team) => team.call("PUT", "/contacts/update", { email: emailOf(team), seats: n++ }),
  "update by userId": (team) =>
    team.call("PUT", "/contacts/update", { userId: `user_${someone(team)}`, plan: `${n++}` }),
  "event send": (team) =>
    team.call("POST", "/events/send", { email: emailOf(team), eventName: "opened", eventProperties: { page: n++ } }),
};

/** Turns equalize other load on the machine. */
const measure = async (
  teams: readonly Team[],
  run: (team: Team) => Promise<unknown>,
  calls: number,
): Promise<number[]> => {
  const times = teams.map((): number[] => []);
  for (let i = -50; i < calls; i++) {
    for (const [at, team] of teams.entries()) {
      const began = performance.now();
      await run(team);
      if (i >= 0) times[at]?.push(performance.now() - began);
    }
  }
  return times.map(median);
};

await runCommand(CONTACTS, async ({ values }) => {
  const contacts = wholeNumber("contacts", values.contacts, { min: SMALL, max: 1_000_000 });
  const calls = wholeNumber("calls", values.calls, { min: 10 });
  const worker = await start();
  try {
    const small = await fillTeam(worker.url, "small", SMALL);
    const large = await fillTeam(worker.url, "large", contacts);
    console.log(`\nMedian of ${calls} calls each over HTTP, in ms\n`);
    const line = (cells: readonly string[]) =>
      console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(18) : cell.padStart(12))).join(""));
    line(["", `at ${SMALL}`, `at ${contacts}`, "ratio"]);
    let within = true;
    for (const [name, run] of Object.entries(operations)) {
      const [before = 0, after = 0] = await measure([small, large], run, calls);
      const ratio = after / before;
      within &&= ratio <= LIMIT;
      line([name, before.toFixed(2), after.toFixed(2), `${ratio.toFixed(2)}×${ratio <= LIMIT ? "" : " !"}`]);
    }
    console.log(within ? `\nEach within ${LIMIT}×.` : `\nMore than ${LIMIT}×.`);
    return within;
  } finally {
    await worker.stop();
  }
});
