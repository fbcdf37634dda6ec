import { join } from "node:path";
import { bundle } from "../scripts/bundle.ts";
import { wholeNumber } from "../scripts/lib/cli.ts";
import { define, runCommand } from "../scripts/lib/command.ts";
import { median } from "./median.ts";
import { startOnDisk } from "./start.ts";

const MIME = define({
  name: "bench:mime",
  about:
    "Measures the CPU time in workerd of composing and signing a mail of 10 kB, beside nodemailer's. Fails out of bounds.",
  examples: [[""], ["--rounds 9"]],
  options: { rounds: { value: "n", default: "5", about: "rounds, of which the median counts" } },
});

/** CPU time. */
const COMPOSE_MS = 0.2;
const RATIO = 3;

/** The clock of /proc has steps of 10 ms. */
const MAILS = { compose: 5_000, nodemailer: 500, sign: 500, nodemailerSigned: 300, rsa: 500 };
type Run = keyof typeof MAILS;

const SENTENCE = "Your subscription was renewed for one month – thank you, it means a lot to us at Acme. ";
const CELL = `<tr><td style="padding:0 24px;font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:24px">${SENTENCE}</td></tr>\n`;
const content = { html: `<table role="presentation">\n${CELL.repeat(32)}</table>`, text: `${SENTENCE}\n`.repeat(22) };

/** Ms of CPU time for one mail. */
const measure = async (worker: Awaited<ReturnType<typeof startOnDisk>>, run: Run): Promise<number> => {
  const before = worker.cpu();
  await compose(worker.url, run, MAILS[run]);
  return ((worker.cpu() - before) * 1_000) / MAILS[run];
};

const compose = async (url: string, run: Run, times: number): Promise<number> => {
  const answer = await fetch(`${url}/?run=${run}&times=${times}`, { method: "POST", body: JSON.stringify(content) });
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { bytes: number }).bytes;
};

await runCommand(MIME, async ({ values }) => {
  const times = wholeNumber("rounds", values.rounds, { min: 1 });
  const script = await bundle(join(import.meta.dirname, "mime", "worker.ts"));
  const worker = await startOnDisk({ script, flags: ["nodejs_compat"] });
  const runs = Object.keys(MAILS) as Run[];
  for (const run of runs) await compose(worker.url, run, MAILS[run] / 5);
  const ms = {} as Record<Run, number>;
  const rounds: Record<Run, number>[] = [];
  for (let n = 0; n < times; n++) {
    for (const run of runs) ms[run] = await measure(worker, run);
    rounds.push({ ...ms });
  }
  for (const run of runs) ms[run] = median(rounds.map((round) => round[run]));
  const kilobytes = (await compose(worker.url, "compose", 1)) / 1_000;
  await worker.stop();
  const ratio = median(rounds.map(({ compose, nodemailer }) => nodemailer / compose));
  const signedRatio = median(rounds.map(({ sign, nodemailerSigned }) => nodemailerSigned / sign));
  console.log(`A mail of ${kilobytes.toFixed(1)} kB, CPU time in workerd:`);
  console.log(
    `  composed            ${ms.compose.toFixed(3)} ms  nodemailer ${ms.nodemailer.toFixed(3)} ms, ${ratio.toFixed(1)}×`,
  );
  console.log(
    `  composed and signed ${ms.sign.toFixed(3)} ms  nodemailer ${ms.nodemailerSigned.toFixed(3)} ms, ${signedRatio.toFixed(1)}×`,
  );
  console.log(`  the RSA signature   ${ms.rsa.toFixed(3)} ms of that`);
  const isWithin = ms.compose <= COMPOSE_MS && ratio >= RATIO;
  console.log(`${isWithin ? "✓" : "✗"} Bounds: at most ${COMPOSE_MS} ms to compose, nodemailer at least ${RATIO}×.`);
  return isWithin;
});
