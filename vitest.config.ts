import { join } from "node:path";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { keepStateInMemory } from "./scripts/lib/memory.ts";

/** How many requests test/workerd/email/fuzz generates, and from what: `npm run fuzz` sets these. */
const fuzz = {
  runs: Number(process.env.FUZZ_RUNS || 60),
  seed: process.env.FUZZ_SEED ? Number(process.env.FUZZ_SEED) : null,
  path: process.env.FUZZ_PATH || null,
};
/** Which seeds test/workerd/simulation runs: `npm run simulate` sets these. */
const simulation = {
  seeds: Number(process.env.SIMULATION_SEEDS || 4),
  from: Number(process.env.SIMULATION_FROM || 1),
  seed: process.env.SIMULATION_SEED ? Number(process.env.SIMULATION_SEED) : null,
  deep: process.env.SIMULATION_SEEDS !== undefined,
};
/** How many orders of arrival the identity tests try for each provider, and of edits those of the library: `.ci/run` sets more. */
const orders = Number(process.env.ORDERS || 2);
/** How many random audience filters are compared with their SQL, in Node: SEGMENT_FILTERS sets more. */
const filters = Number(process.env.SEGMENT_FILTERS || 120);
declare module "vitest" {
  interface ProvidedContext {
    orders: number;
    filters: number;
    simulation: { seeds: number; from: number; seed: number | null; deep: boolean };
    fuzz: { runs: number; seed: number | null; path: string | null };
  }
}

// Tests make thousands of small databases.
keepStateInMemory();

/** Replaces functions of modules, so it needs a workerd in which no other test has loaded them. */
const MOCKED = "test/workerd/simulation/planted.test.ts";
const MOCKED_DEEP = "test/workerd/email/workspace/campaigns/random.deep.test.ts";

/** The same for Node: it makes slices of campaigns smaller. */
const MOCKED_IN_NODE = "test/unit/email/policy/campaigns/simulation/*.test.ts";

/** What takes long to try, such as properties and large teams: `npm run test:deep`. */
const DEEP = "*.deep.test.ts";

/** Logs of tests that pass are shown. */
const SHOWN = process.argv.includes("--silent=false");

/** Ms. A busy machine makes a test slow, not wrong, and so do more orders. */
const testTimeout = 120_000 * Math.max(1, orders / 3);
/** The same for properties that take minutes beside other runs. */
const DEEP_TIMEOUT = 600_000;

/**
 * System tests first: they partly wait, and the others use what they leave of the cores. A project of one file comes
 * before one of many: nothing would run beside it at the end.
 */
const ORDER = [
  "system",
  "workerd-mocked",
  "workerd-full",
  "workerd",
  "unit-mocked",
  "unit",
  "system-deep",
  "workerd-mocked-deep",
  "workerd-deep",
  "deep",
];

/**
 * Worker processes for two cores. Tests of Workers often wait for other processes. Tests in Node compute, and each
 * process compiles what it imports.
 */
const WAITING = { maxWorkers: 3, sequence: { groupOrder: 0 } };
const COMPUTING = { maxWorkers: 2, sequence: { groupOrder: 1 } };

/**
 * One project after the other: a worker process is kept only while the next file is of the same project, and to start one
 * with a workerd takes seconds. Simulations take longest, so they are not the last files of a project.
 */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification) =>
      2 * ORDER.indexOf(project.name) + (moduleId.endsWith("/simulation.test.ts") ? 0 : 1);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** Imports LMX files as text, as the bundlers of the Workers do. */
const lmx: Plugin = {
  name: "lmx",
  transform: (code, id) => (id.endsWith(".lmx") ? `export default ${JSON.stringify(code)};` : undefined),
};

const inside = (file: string) => join(import.meta.dirname, "test/platform/inside", file);
/** `PLATFORM=1` runs the tests of objects under the rules of the simulated platform (test/platform). */
const platform: Plugin = {
  name: "platform",
  enforce: "pre",
  resolveId: (source, importer) =>
    process.env.PLATFORM && importer?.includes("/src/")
      ? { "cloudflare:workers": inside("workers.ts"), "cloudflare:sockets": inside("sockets.ts") }[source]
      : undefined,
};
/** Objects of tests get their tables from `test/workerd/migrate-once.ts`. */
const tables: Plugin = {
  name: "tables",
  enforce: "pre",
  resolveId: (source, importer) =>
    source.endsWith("/util/migrate.ts") && importer?.includes("/src/")
      ? join(import.meta.dirname, "test/workerd/migrate-once.ts")
      : undefined,
};
const workerd = (configPath = "./test/workerd/wrangler.toml") => [
  platform,
  tables,
  lmx,
  cloudflareTest({ wrangler: { configPath } }),
];

/**
 * How tests of objects are run. Files share a workerd: each test has objects of its own names, or empties all objects
 * after itself. With a cache of modules in files, the plugin sends all modules to a workerd again for each test file.
 */
const objects = (name: string) => ({
  ...WAITING,
  name,
  isolate: false,
  fsModuleCache: false,
  setupFiles: ["test/patience.ts", "test/workerd/main-module.ts", ...(SHOWN ? [] : ["test/workerd/quiet.ts"])],
  // Some files arrange the data of all their tests in a hook.
  hookTimeout: 60_000,
});

/** Databases without room, in a Worker of their own: workerd sets a limit only with the flag `experimental`. */
const FULL = "test/workerd/full/*.test.ts";

/** How tests of both Workers together over HTTP are run. */
const system = (name: string) => ({
  ...WAITING,
  name,
  // Files of a process share Workers and bundles.
  isolate: false,
  // The certificate of test relays. Miniflare reads the variable when it is loaded.
  env: { NODE_EXTRA_CA_CERTS: join(import.meta.dirname, "test/fixtures/tls/certificate.pem") },
  setupFiles: ["test/patience.ts"],
  testTimeout: DEEP_TIMEOUT,
  hookTimeout: 60_000,
});

const mocked = (name: string) => ({ ...WAITING, name, setupFiles: ["test/workerd/mocking.ts"] });

/** Three kinds of test: plain functions in Node, objects inside workerd, and both Workers together over HTTP. */
export default defineConfig({
  test: {
    silent: "passed-only",
    // A golden file that is missing is a failure too. `vitest run --update` writes it.
    update: "none",
    sequence: { sequencer: ByProject },
    projects: [
      // Plain functions share one process: they keep nothing between files, and starting a process for each takes longer.
      {
        plugins: [lmx],
        test: {
          ...COMPUTING,
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          exclude: [MOCKED_IN_NODE, `test/unit/**/${DEEP}`],
          isolate: false,
          testTimeout,
          provide: { filters },
        },
      },
      {
        plugins: [lmx],
        test: {
          ...COMPUTING,
          name: "unit-mocked",
          include: [MOCKED_IN_NODE],
          exclude: [`test/unit/**/${DEEP}`],
          testTimeout,
        },
      },
      {
        plugins: [lmx],
        test: { ...COMPUTING, name: "deep", include: [`test/unit/**/${DEEP}`], testTimeout: DEEP_TIMEOUT },
      },
      {
        plugins: workerd(),
        test: {
          ...objects("workerd"),
          include: ["test/workerd/**/*.test.ts"],
          exclude: [MOCKED, FULL, `test/workerd/**/${DEEP}`],
          provide: { fuzz, simulation, orders },
          testTimeout,
        },
      },
      {
        plugins: workerd(),
        test: {
          ...objects("workerd-deep"),
          include: [`test/workerd/**/${DEEP}`],
          exclude: [MOCKED_DEEP],
          testTimeout: DEEP_TIMEOUT,
        },
      },
      {
        plugins: workerd("./test/workerd/full/wrangler.toml"),
        test: { ...objects("workerd-full"), include: [FULL], testTimeout },
      },
      {
        plugins: workerd(),
        test: { ...mocked("workerd-mocked"), include: [MOCKED], testTimeout },
      },
      {
        plugins: workerd(),
        test: { ...mocked("workerd-mocked-deep"), include: [MOCKED_DEEP], testTimeout: DEEP_TIMEOUT },
      },
      {
        plugins: [lmx],
        test: { ...system("system"), include: ["test/system/**/*.test.ts"], exclude: [`test/system/**/${DEEP}`] },
      },
      { plugins: [lmx], test: { ...system("system-deep"), include: [`test/system/**/${DEEP}`] } },
    ],
  },
});
