import { readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

// Runs one Worker from a file with its options, and prints its address. Ends with its parent process.

const { worker, state } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as {
  worker: { name: string };
  state: string;
};
const options = convertV4MiniflareOptions({ host: "127.0.0.1", port: 0, cf: false, workers: [worker as never] });
const miniflare = new Miniflare(
  Object.assign(options, {
    resourcePersistencePath: state,
    logRequests: false,
    handleStructuredLogs: () => {},
  }),
);
await miniflare.ready;
const { origin } = await miniflare.unsafeGetDirectURL(worker.name);
console.log(origin);
process.stdin.resume().once("end", () => void miniflare.dispose().then(() => process.exit(0)));
