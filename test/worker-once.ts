// Setup of tests inside workerd. Their runner asks Vite for the Worker's module at each call of a Durable Object, which takes longer than
// most calls. For files that test one request after the other it is asked once: they replace no modules and are not watched. Other files
// have work in the background, which goes on during those slow calls.
type Import = (url: string) => Promise<unknown>;
type Runner = { import: Import; original?: Import };
const { __vitest_mocker__: mocker, __vitest_worker__: running } = globalThis as unknown as {
  __vitest_mocker__: { moduleRunner: Runner };
  __vitest_worker__: { filepath?: string };
};

const ONE_BY_ONE = /\/test\/workerd\/(dashboard|email\/http)\//;

const runner = mocker.moduleRunner;
runner.original ??= runner.import.bind(runner);
const load = runner.original;
let worker: unknown;
const loadOnce: Import = async (url) => {
  if (!url.endsWith("/test/workerd/worker.ts")) return load(url);
  worker ??= await load(url);
  return worker;
};
runner.import = ONE_BY_ONE.test(running.filepath ?? "") ? loadOnce : load;
