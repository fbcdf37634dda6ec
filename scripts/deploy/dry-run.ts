import { columns, count, table } from "../lib/cli.ts";
import { dashboardFor, hostedBridge, templatesElsewhere, varsOf, type Worker, type Workers } from "./config.ts";
import { stepsFor } from "./flow.ts";
import type { Io } from "./io.ts";
import { record } from "./record.ts";
import { withFolder } from "./temporary.ts";
import { type Bundle, bundleWorker } from "./wrangler.ts";
import { nextSteps, type Out, writeDeployment } from "./write-out.ts";

type DryIo = Pick<Io, "run" | "print"> & Partial<Pick<Io, "ask">>;
type DryOptions = { service?: string | undefined; hasBridge?: boolean; out?: Out | undefined };

/** Bytes. Cloudflare allows more, but a larger Worker indicates a mistake. */
const LIMIT = 1_000_000;

/** Returns true if all are under the limit. `out`: folder for the answers. */
export const dryRun = (
  io: DryIo,
  workers: Workers,
  { service, hasBridge = true, out }: DryOptions = {},
): Promise<boolean> =>
  withFolder(async (folder) => {
    const { run, print } = io;
    const { bridge, email } = workers;
    const vars = { EMAIL_API_URL: service ?? "", CONTACT_PROPERTIES: "flat", TEMPLATES: templatesElsewhere(bridge) };
    const written = out && (await writeDeployment(io, workers, { ...out, hasBridge }));
    const shown = () => dashboardFor(workers, { hasBridge, hasEmail: service === undefined }, folder);
    const own = () => [email, ...(hasBridge ? [bridge] : []), shown()];
    const chosen = written ?? (service === undefined ? own() : [hostedBridge(bridge, email, vars, folder), shown()]);
    const built = await Promise.all(
      chosen.map(async (worker) => ({ worker, bundle: await bundleWorker(run, worker) })),
    );
    print("Dry run: nothing is deployed, and no network is used.\n");
    print(table(["Worker", "bundle", "compressed", "limit", "", "bindings"], built.map(rowOf)));
    for (const { worker, bundle } of built) {
      if ("error" in bundle) print(`\n${worker.name} does not bundle:\n${bundle.error}`);
      else if (bundle.compressed >= LIMIT) {
        print(`\n${worker.name} is too large: ${size(bundle.compressed)} of ${size(LIMIT)} compressed.`);
      }
    }
    if (out) print(`\n${nextSteps(out.folder, hasBridge)}`);
    print("\nA deployment asks its questions in these steps:");
    print(columns(stepsFor({ service, hasBridge }).map(({ title, why }, index) => [`  ${index + 1}`, title, why])));
    return built.every(({ bundle }) => !("error" in bundle) && bundle.compressed < LIMIT);
  });

const rowOf = ({ worker, bundle }: { worker: Worker; bundle: Bundle }): string[] =>
  "error" in bundle
    ? [worker.name, "-", "-", size(LIMIT), "does not bundle", ""]
    : [
        worker.name,
        size(bundle.size),
        size(bundle.compressed),
        size(LIMIT),
        bundle.compressed < LIMIT ? "ok" : "too large",
        bindingsOf(worker),
      ];

/** `OUTBOX (Outbox), EMAIL (mailspan-email), 4 variables`. */
const bindingsOf = (worker: Worker): string => {
  const { durable_objects: objects, services, assets, r2_buckets: buckets } = worker.raw;
  const listed = (value: unknown) => (Array.isArray(value) ? value.map(record) : []);
  const variables = Object.keys(varsOf(worker)).length;
  return [
    ...listed(record(objects).bindings).map((object) => `${object.name} (${object.class_name})`),
    ...listed(services).map(({ binding, service }) => `${binding} (${service})`),
    ...listed(buckets).map(({ binding, bucket_name }) => `${binding} (${bucket_name})`),
    ...(record(assets).binding === undefined ? [] : [String(record(assets).binding)]),
    ...(variables > 0 ? [count(variables, "variable")] : []),
  ].join(", ");
};

/** `82 KB` or `1.2 MB`, rounded up. 1 KB is 1000 bytes. */
const size = (bytes: number): string => {
  const kilobytes = Math.ceil(bytes / 1000);
  return kilobytes < 1000 ? `${kilobytes} KB` : `${Math.ceil(bytes / 10_000) / 100} MB`;
};
