import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Source } from "../src/sources.ts";
import { checkAgreement } from "./check/agree.ts";
import { type Checked, check } from "./check/check.ts";
import type { Config } from "./check/config.ts";
import { HELP } from "./check/help.ts";
import { LEGEND, list, table } from "./check/print.ts";
import type { Problem } from "./check/problem.ts";
import { checkRedact } from "./check/redact.ts";
import { notCheckable, withoutRules } from "./check/subjects.ts";
import { checkTypes } from "./check/types.ts";
import { readDevVars } from "./dev-vars.ts";

const root = join(import.meta.dirname, "..");

/** The sources as they are now, or why they cannot be loaded: a mapping that throws, or is no TypeScript at all. */
const loadSources = async (): Promise<{ sources: Readonly<Record<string, Source>>; problems: Problem[] }> => {
  try {
    return { ...((await import("../src/sources.ts")) as typeof import("../src/sources.ts")), problems: [] };
  } catch (error) {
    const said = error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error);
    const place = /src\/[\w/.-]+\.ts(?::\d+)?/.exec(said)?.[0] ?? "src/sources.ts";
    const message = `the rules cannot be loaded: ${error instanceof Error ? error.message : said}`;
    return { sources: {}, problems: [{ level: "error", source: place, message }] };
  }
};

/** A line that goes away again, on a terminal. */
const progress = (text: string) => {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${text}`);
};

/** Compares the rules with the configured host, and says which one that is. A host that cannot be asked is an error. */
const live = async (checked: readonly Checked[], config: Config, createProperties: boolean): Promise<Problem[]> => {
  const [{ checkLive }, { templatesOf, whereOf }] = await Promise.all([
    import("./check/live/live.ts"),
    import("./check/live/where.ts"),
  ]);
  try {
    const where = whereOf(process.env, readDevVars(join(root, ".dev.vars")), config);
    const settings = { ...config, templates: templatesOf(process.env, config) };
    const { team, problems } = await checkLive(checked, settings, where, createProperties || where.local);
    progress("");
    console.log(`Compared with ${where.url} (${where.from}), team "${team}".\n`);
    return problems;
  } catch (error) {
    return [{ level: "error", message: error instanceof Error ? error.message : String(error) }];
  }
};

const count = (many: number, what: string) => `${many} ${what}${many === 1 ? "" : "s"}`;

const main = async (): Promise<boolean> => {
  const started = performance.now();
  const { values } = parseArgs({
    options: {
      update: { type: "boolean", default: false },
      only: { type: "string" },
      quiet: { type: "boolean", short: "q", default: false },
      live: { type: "boolean", default: false },
      "create-properties": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return true;
  }
  const { sources, problems } = await loadSources();
  const { only } = values;
  const refused = only !== undefined && problems.length === 0 ? notCheckable(sources, only) : undefined;
  if (refused !== undefined) throw new Error(refused);
  const typed = checkTypes(root);
  // The slower of the imports, while the compiler works.
  const { readConfig } = await import("./check/config.ts");
  const config = readConfig(root);
  const options = { fixtures: join(root, "test", "fixtures"), config, update: values.update, only };
  progress("Running the rules …");
  const checked = await check(sources, options);
  progress("");

  if (!values.quiet) {
    console.log(`${LEGEND}\n`);
    for (const { sources: names, ruleSet, runs, testData } of checked) {
      const title = `${names.join(", ")}: ${count(ruleSet.rules.length, "rule")}, ${count(runs.length, "fixture")}`;
      console.log(`${title}\n${table(runs, testData)}\n`);
    }
    const silent = only === undefined ? withoutRules(sources) : [];
    if (silent.length > 0) console.log(`No rules, journalled only: ${silent.join(", ")}\n`);
  }
  progress(values.live ? "Asking the email service, checking types …" : "Checking types …");
  const all = [
    ...problems,
    ...checked.flatMap(({ problems }) => problems),
    ...checkAgreement(checked),
    ...(await checkRedact(sources, options.fixtures, only)),
    ...(values.live ? await live(checked, config, values["create-properties"]) : []),
    ...(await typed),
  ];
  progress("");
  if (all.length > 0) console.log(`${list(all)}\n`);

  const errors = all.filter(({ level }) => level === "error").length;
  const rules = checked.reduce((sum, { ruleSet }) => sum + ruleSet.rules.length, 0);
  const runs = checked.flatMap(({ runs }) => runs);
  const calls = runs.flatMap(({ webhooks }) => webhooks.flatMap(({ calls }) => calls)).length;
  const written = checked.reduce((sum, { written }) => sum + written, 0);
  const told = [
    count(checked.length, "source"),
    count(rules, "rule"),
    count(runs.length, "fixture"),
    count(calls, "call"),
    errors === 0 ? "no errors" : count(errors, "error"),
    ...(written > 0 ? [`${count(written, "golden file")} written`] : []),
    `${((performance.now() - started) / 1000).toFixed(1)} s`,
  ];
  console.log(`${errors === 0 ? "✓" : "✗"} ${told.join(", ")}`);
  return errors === 0;
};

main()
  .then((good) => {
    if (!good) process.exitCode = 1;
  })
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
