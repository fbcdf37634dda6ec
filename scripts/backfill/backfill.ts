import { countsLine } from "./counts.ts";
import { run } from "./run.ts";
import { type Settings, settingsOf, type Values } from "./settings.ts";
import { type Progress, readProgress, removeProgress, writeProgress } from "./state.ts";

const TIMEOUT = 30_000;

type Print = (text: string, replaceable?: boolean) => void;

/** Runs `npm run backfill`. Returns false if a rule failed, throws with a remedy. */
export const backfill = async (
  source: string | undefined,
  values: Values,
  vars: Readonly<Record<string, string | undefined>>,
  print: Print,
): Promise<boolean> => {
  const settings = settingsOf(source, values, vars);
  const { progress, file, bridge } = settings;
  const { dryRun } = bridge;
  if (!values.resume && !dryRun && readProgress(file)) {
    print(
      "An earlier run was interrupted, and --resume would continue it. This run starts anew; nothing is done twice.",
    );
  }
  const since = progress.since === null ? "ever" : `since ${new Date(progress.since).toISOString()}`;
  print(`${settings.backfill.kinds.join(", ")} of ${bridge.source}, ${since}${dryRun ? "; nothing is changed" : ""}`);
  if (!dryRun) writeProgress(file, progress);
  const counts = await runWith(settings, print, (next) => {
    if (!dryRun) writeProgress(file, next);
  });
  if (!dryRun) removeProgress(file);
  print(`${dryRun ? "A real run would do" : "Done"}: ${countsLine(counts)}.`);
  if (!dryRun && counts.contact + counts.event > 0) {
    print("The deliveries wait in the lowest lane, behind all others. GET /admin/status of the bridge shows how many.");
  }
  return counts.failed === 0;
};

const runWith = (settings: Settings, print: Print, save: (progress: Progress) => void) => {
  const { backfill, api, keyVariable, bridge, progress } = settings;
  return run(
    backfill,
    {
      ...api,
      now: Date.now,
      fetch: (address, init) => fetch(address, { ...init, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT) }),
    },
    keyVariable,
    bridge,
    progress,
    {
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      now: () => Date.now(),
      print,
      show: (text) => print(text, true),
      save,
    },
  );
};
