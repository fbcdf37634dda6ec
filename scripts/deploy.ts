import { PLAN_NAMES } from "../src/lib/plan.ts";
import { writeAssets } from "./assets.ts";
import { makePageFolder, preparePage } from "./dashboard/page.ts";
import { askAt, askEnvironment } from "./deploy/ask.ts";
import { readWorkers } from "./deploy/config.ts";
import { dryRun } from "./deploy/dry-run.ts";
import { deploy, serviceOf } from "./deploy/flow.ts";
import type { Io } from "./deploy/io.ts";
import { run } from "./deploy/run.ts";
import { DEPLOY } from "./deploy/usage.ts";
import { UsageError } from "./lib/cli.ts";
import { type Line, runCommand } from "./lib/command.ts";

/** A plain end by the signal would leave temporary files with secrets. */
const stopOnSignals = (): void => {
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
    process.on(signal, () => {
      console.error("\nStopped. Run npm run deploy again to continue: everything deployed so far is kept.");
      process.exit(code);
    });
  }
};

const main = ({ values }: Line<typeof DEPLOY>): Promise<boolean> => {
  const { "dry-run": dry, service, "no-bridge": noBridge, out, plan, wait, yes } = values;
  stopOnSignals();
  const print = (text: string) => console.log(text);
  const workers = readWorkers();
  if (noBridge && service !== undefined)
    throw new UsageError("--service is for the bridge, which --no-bridge leaves out.");
  if (plan !== undefined && !PLAN_NAMES.some((name) => name === plan))
    throw new UsageError(`--plan ${plan}: it must be free or paid.`);
  if (plan !== undefined && service !== undefined)
    throw new UsageError("--plan is for the email Worker, which --service leaves out.");
  const hasBridge = !noBridge;
  const other = hasBridge ? serviceOf(workers, service) : undefined;
  if (out !== undefined && (!dry || other !== undefined))
    throw new UsageError("--out is for --dry-run of all Workers, without another email service.");
  if ((!dry || out !== undefined) && !yes && !(process.stdin.isTTY && process.stdout.isTTY)) {
    throw new UsageError(
      "The questions need a terminal. Without one use --yes with environment variables: npm run deploy -- --help.",
    );
  }
  writeAssets();
  makePageFolder();
  const ask = yes ? askEnvironment(process.env) : askAt({ input: process.stdin, output: process.stdout });
  if (dry) {
    const folder =
      out === undefined ? undefined : { folder: out, unattended: yes, ...(plan === undefined ? {} : { plan }) };
    return dryRun({ run, print, ask }, workers, { service: other, hasBridge, out: folder });
  }
  const io: Io = {
    run,
    print,
    fetch: (request) => fetch(request),
    ask,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    buildPage: preparePage,
  };
  return deploy(io, workers, {
    unattended: yes,
    wait,
    hasBridge,
    ...(service === undefined ? {} : { service }),
    ...(plan === undefined ? {} : { plan }),
  });
};

await runCommand(DEPLOY, main);
