import { atMost, type Figure } from "../outbox/report.ts";
import { startWorkflows } from "./start.ts";
import { newTeam } from "./team.ts";

const CHUNK = 5_000;

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
};

export const entries = async (contacts: number): Promise<Figure[]> => {
  const worker = await startWorkflows(undefined);
  try {
    const team = await newTeam(worker, "entries");
    await team.addContacts(contacts);
    const workflow = await team.newWelcome("Welcome", { typeName: "SignupTrigger" });
    const [{ n = 0 } = {}] = await team.sql("SELECT n FROM workflows WHERE id = ?", workflow);
    const enter = async () => {
      for (let from = 2; from < contacts + 2; from += CHUNK)
        await team.bench("enter", from, Math.min(from + CHUNK, contacts + 2));
    };
    const rested = await seconds(enter);
    const [{ runs } = {}] = await team.sql("SELECT count(*) AS runs FROM runs WHERE workflow = ?", n);
    if (runs !== contacts) throw new Error(`${runs} contacts have entered, not ${contacts}.`);
    await team.sql("DELETE FROM runs WHERE workflow = ? AND contact < 1002", n);
    const rows = await team.rowsOf(() => team.bench("enter", 2, 1_002));
    return [
      atMost(`${contacts} contacts enter a workflow`, rested, 5, 1, " s"),
      { what: `  a transaction of ${CHUNK} entries`, value: `${((rested * 1_000 * CHUNK) / contacts).toFixed(0)} ms` },
      atMost("  rows written per entry", rows / 1_000, 2, 2),
    ];
  } finally {
    await worker.stop();
  }
};
