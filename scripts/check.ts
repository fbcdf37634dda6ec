import { join } from "node:path";
import type { Checked } from "./check/check.ts";
import type { Config } from "./check/config.ts";
import { loadSources } from "./check/load.ts";
import { list } from "./check/print.ts";
import type { Problem } from "./check/problem.ts";
import { report, summary } from "./check/report.ts";
import { notCheckable } from "./check/subjects.ts";
import { checkTypes } from "./check/types.ts";
import { CHECK } from "./check/usage.ts";
import { localSettings, readDevVars } from "./dev-vars.ts";
import { progress, UsageError } from "./lib/cli.ts";
import { type Line, runCommand } from "./lib/command.ts";

const root = join(import.meta.dirname, "..");

type Values = Line<typeof CHECK>["values"];

/** An unreachable email service is an error. */
const compareLive = async (checked: readonly Checked[], config: Config, creates: boolean): Promise<Problem[]> => {
  const [{ checkLive }, { templatesOf, whereOf }] = await Promise.all([
    import("./check/live/live.ts"),
    import("./check/live/service-address.ts"),
  ]);
  try {
    const where = whereOf(process.env, readDevVars(join(root, ".dev.vars")), config);
    const settings = { ...config, templates: templatesOf(process.env, config) };
    const { team, problems } = await checkLive(checked, settings, where, creates || where.local);
    progress("");
    console.log(`Compared with ${where.url} (${where.from}), team "${team}".\n`);
    return problems;
  } catch (error) {
    return [{ level: "error", message: error instanceof Error ? error.message : String(error) }];
  }
};

const main = async (values: Values): Promise<boolean> => {
  const started = performance.now();
  const { only, update, live, "create-properties": creates } = values;
  if (creates && !live) throw new UsageError("--create-properties is about the email service: add --live.");
  const { sources, problems } = await loadSources(() => import("../src/sources.ts"));
  const refused = only !== undefined && problems.length === 0 ? notCheckable(sources, only) : undefined;
  if (refused !== undefined) throw new UsageError(refused);
  const typed = checkTypes(root);
  // Slow imports load while the compiler works.
  const [{ check }, { readConfig }, { checkAgreement }, { checkRedact }, { checkRecipients }, { checkThinEvents }] =
    await Promise.all([
      import("./check/check.ts"),
      import("./check/config.ts"),
      import("./check/name-conflicts.ts"),
      import("./check/redact.ts"),
      import("./check/recipients.ts"),
      import("./check/thin-events.ts"),
    ]);
  const config = readConfig(root);
  const fixtures = join(root, "test", "fixtures");
  progress("Running the rules …");
  const checked = await check(sources, { fixtures, config, update, only }).catch(async (error) => {
    progress("");
    console.log(list(await typed));
    throw error;
  });
  progress(live ? "Asking the email service, checking types …" : "Checking types …");
  const types = await typed;
  const all = [
    ...types,
    ...problems,
    ...checked.flatMap(({ problems }) => problems),
    ...checkAgreement(checked),
    ...checkRecipients(config.recipients),
    ...checkThinEvents(sources, localSettings(join(root, ".dev.vars")), only),
    ...(await checkRedact(sources, fixtures, only)),
    ...(live ? await compareLive(checked, config, creates) : []),
  ];
  progress("");
  const shown = { sources: only === undefined ? sources : {}, recipients: config.recipients, quiet: values.quiet };
  const text = report(checked, all, shown);
  if (text) console.log(text);
  console.log(summary(checked, all, performance.now() - started));
  return all.every(({ level }) => level !== "error");
};

await runCommand(CHECK, ({ values }) => main(values));
