import { parseArgs } from "node:util";
import { writeAssets } from "./assets.ts";
import { askAt, askEnvironment } from "./deploy/ask.ts";
import { readWorkers } from "./deploy/config.ts";
import { dryRun } from "./deploy/dry-run.ts";
import { deploy, hostOf } from "./deploy/flow.ts";
import { HELP } from "./deploy/help.ts";
import type { Io } from "./deploy/io.ts";
import { run } from "./deploy/run.ts";

// Through process.exit, so that temporary files with secrets are removed. Set early: a key may come at any time.
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.on(signal, () => {
    console.error("\nStopped. Run npm run deploy again to go on: what exists is kept.");
    process.exit(code);
  });
}

const main = async (): Promise<boolean> => {
  const { values } = parseArgs({
    options: {
      "dry-run": { type: "boolean", default: false },
      host: { type: "string" },
      yes: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const print = (text: string) => console.log(text);
  if (values.help) {
    print(HELP);
    return true;
  }
  const workers = readWorkers();
  writeAssets();
  const host = hostOf(workers, values.host);
  if (values["dry-run"]) return dryRun({ run, print }, workers, host);
  if (!values.yes && !(process.stdin.isTTY && process.stdout.isTTY)) {
    throw new Error("There is no terminal to ask at. Use --yes with environment variables; --help lists them.");
  }
  const io: Io = {
    run,
    print,
    fetch: (request) => fetch(request),
    ask: values.yes ? askEnvironment(process.env) : askAt({ input: process.stdin, output: process.stdout }),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
  return deploy(io, workers, { unattended: values.yes, ...(values.host === undefined ? {} : { host: values.host }) });
};

main()
  .then((ok) => {
    if (!ok) process.exitCode = 1;
  })
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
