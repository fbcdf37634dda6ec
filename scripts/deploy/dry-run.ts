import { type Bundle, bundle } from "./bundle.ts";
import { hostedBridge, templatesElsewhere, type Workers } from "./config.ts";
import type { Io } from "./io.ts";
import { table } from "./table.ts";
import { withFolder } from "./temporary.ts";

/** Largest compressed Worker, in bytes. Cloudflare takes more; a Worker that grows this large has lost its way. */
const LIMIT = 1_000_000;

/**
 * Bundles what would be deployed and prints how large it is. With `host`: the bridge alone, configured for that host.
 *
 * @returns whether everything bundles and is under the limit
 */
export const dryRun = ({ run, print }: Pick<Io, "run" | "print">, workers: Workers, host?: string): Promise<boolean> =>
  withFolder(async (folder) => {
    const { bridge, email } = workers;
    const vars = { EMAIL_API_URL: host ?? "", CONTACT_PROPERTIES: "flat", TEMPLATES: templatesElsewhere(bridge) };
    const chosen = host === undefined ? [email, bridge] : [hostedBridge(bridge, email, vars, folder)];
    const bundles = await Promise.all(chosen.map((worker) => bundle(run, worker)));
    print("Dry run: nothing is deployed, and nothing outside this machine is contacted.\n");
    print(table(["Worker", "bundle", "compressed", "limit", "", "bindings"], bundles.map(rowOf)));
    for (const failed of bundles) if ("error" in failed) print(`\n${failed.name} does not bundle:\n${failed.error}`);
    for (const large of bundles) {
      if (isTooLarge(large))
        print(`\n${large.name} is too large: ${size(large.compressed)} of ${size(LIMIT)} compressed.`);
    }
    return bundles.every((built) => !("error" in built) && !isTooLarge(built));
  });

const isTooLarge = (built: Bundle): built is Extract<Bundle, { compressed: number }> =>
  "compressed" in built && built.compressed >= LIMIT;

const rowOf = (built: Bundle): string[] =>
  "error" in built
    ? [built.name, "-", "-", size(LIMIT), "does not bundle", ""]
    : [
        built.name,
        size(built.size),
        size(built.compressed),
        size(LIMIT),
        isTooLarge(built) ? "too large" : "ok",
        built.bindings,
      ];

/** Bytes as `82 KB` or `1.2 MB`, in thousands. Rounded up, so that nothing looks smaller than it is. */
const size = (bytes: number): string => {
  const kilobytes = Math.ceil(bytes / 1000);
  return kilobytes < 1000 ? `${kilobytes} KB` : `${Math.ceil(bytes / 10_000) / 100} MB`;
};
