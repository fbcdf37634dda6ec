import { join } from "node:path";
import { DEV_VARS, ensureDevVars, readDevVars, setDevVar } from "./dev-vars.ts";
import { define, runCommand } from "./lib/command.ts";
import { commandFor, teamServiceOf } from "./lib/team-service.ts";
import { newLoginCode, showDashboard } from "./start/dashboard.ts";
import { EMAIL_ONLY, SHARED } from "./start/email-vars.ts";
import { deploymentIn } from "./start/from.ts";
import { lockState } from "./start/lock.ts";
import { answers } from "./start/ports.ts";
import { keepReserve } from "./start/reserve.ts";
import { sampleCampaign } from "./start/sample-campaign.ts";
import { FAST_DAY, sampleWorkflow } from "./start/sample-workflow.ts";
import { sendSamples } from "./start/samples.ts";
import { seedTeam } from "./start/seed.ts";
import { rebuildOnChange, versionOf } from "./start/watch.ts";
import { startWorkers, type Workers, type WorkerVars } from "./workers.ts";

const START = define({
  name: "start",
  about:
    "Runs the bridge, the email service and the dashboard on this machine, state in .wrangler/, and sends three sample webhooks.",
  examples: [["", "bridge on 127.0.0.1:8787, email service on 127.0.0.1:8788, dashboard on 127.0.0.1:8786"]],
  options: {
    "no-samples": { about: "sends no sample webhooks" },
    fast: { about: `the timers of the sample workflow are short: a day takes ${FAST_DAY} seconds` },
    from: {
      value: "folder",
      about: "what npm run deploy -- --dry-run --out <folder> wrote: no inbox, demo team or samples",
    },
  },
  notes: `PORT, EMAIL_PORT and DASHBOARD_PORT in the environment are other ports.

The first start writes secrets to .dev.vars. A saved change of that file, ports excepted, of wrangler.toml, or of a file in
src is live at once. Ctrl-C stops everything.`,
});

const EMAIL_VARS = [...SHARED, ...EMAIL_ONLY];

/** The bridge starts with a working key, so that no webhook is blocked. A new key goes to .dev.vars and `vars`. */
const varsOf = (vars: Record<string, string>, publicUrl: string, bridgeUrl: string): WorkerVars => {
  const filter = (keep: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(vars).filter(([name]) => keep(name)));
  const bridgeVars = { ...filter((name) => !EMAIL_ONLY.includes(name)), PUBLIC_URL: bridgeUrl };
  const withKey = async (emailUrl: string) => {
    const key = await seedTeam(emailUrl, vars.ADMIN_TOKEN ?? "", vars.EMAIL_API_KEY ?? "");
    if (key !== vars.EMAIL_API_KEY) {
      setDevVar("EMAIL_API_KEY", key);
      vars.EMAIL_API_KEY = key;
    }
    return { ...bridgeVars, EMAIL_API_KEY: key };
  };
  return {
    bridgeVars: vars.EMAIL_API_URL ? bridgeVars : withKey,
    emailVars: { PUBLIC_URL: publicUrl, WEBHOOKS_ALLOW_PRIVATE: "1", ...filter((name) => EMAIL_VARS.includes(name)) },
  };
};

const portOf = (name: string, value: string | undefined, otherwise: number): number => {
  const port = Number(value || otherwise);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${name}=${value} is not a port: expected a whole number from 1 to 65535.`);
};

const refuseTaken = async (name: string, port: number): Promise<void> => {
  if (await answers(port))
    throw new Error(`Port ${port} is in use. Stop the process that uses it, or choose another port with ${name}=….`);
};

const reserve = async (settings: Readonly<Record<string, string | undefined>>, folder: string) => {
  const port = portOf("PORT", settings.PORT, 8787);
  const emailPort = portOf("EMAIL_PORT", settings.EMAIL_PORT, 8788);
  const dashboardPort = portOf("DASHBOARD_PORT", settings.DASHBOARD_PORT, 8786);
  if (port === emailPort) throw new Error(`PORT and EMAIL_PORT are both ${port}: they must be two ports.`);
  if ([port, emailPort].includes(dashboardPort))
    throw new Error(`DASHBOARD_PORT is ${dashboardPort}, and so is PORT or EMAIL_PORT: they must be three ports.`);
  const unlock = await lockState(join(folder, "start.json"), { port, emailPort, dashboardPort });
  await refuseTaken("PORT", port);
  await refuseTaken("EMAIL_PORT", emailPort);
  await refuseTaken("DASHBOARD_PORT", dashboardPort);
  return { port, emailPort, dashboardPort, unlock };
};

const stopOnSignals = (workers: Workers, unlock: () => void): void => {
  const stop = async () => {
    await workers.stop();
    unlock();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
};

const mainFrom = async (folder: string): Promise<void> => {
  const settings = { ...readDevVars(), ...process.env };
  const { port, emailPort, dashboardPort, unlock } = await reserve(settings, folder);
  const log = (line: string) => console.log(line);
  const deployment = deploymentIn(folder, `http://127.0.0.1:${emailPort}`);
  const code = newLoginCode();
  const dashboard = { port: dashboardPort, vars: { ...deployment.dashboardVars, LOGIN_CODE: code } };
  const workers = await startWorkers({ port, emailPort, dashboard, log, ...deployment });
  keepReserve(deployment.state, workers, log);
  stopOnSignals(workers, unlock);
  console.log(`Bridge         ${workers.url}   POST /hooks/:source, /admin, /health`);
  console.log(`Email service  ${workers.emailUrl}   /v1, /docs, /admin, /health\n`);
  if (!("EMAIL_API_KEY" in deployment.bridgeVars)) {
    console.log(`The bridge has no API key yet: create a team and a key, write it to ${folder}/bridge.secrets.json as`);
    console.log("EMAIL_API_KEY, and start this again.\n");
  }
  await showDashboard(workers, code);
  console.log("Ctrl-C stops everything\n");
};

const addSamples = async (emailUrl: string, vars: Record<string, string>, isFast: boolean): Promise<void> => {
  if (!vars.EMAIL_API_KEY?.startsWith("ms_demo_")) return;
  const of = (part: string) => teamServiceOf(part, { url: emailUrl, team: "demo" }, vars);
  const sayFault = (error: Error) => `not there: ${error.message}`;
  const workflow = await sampleWorkflow(of("workflows"), isFast).catch(sayFault);
  const campaigns = of("campaigns");
  const services = { campaigns: campaigns.admin, imports: of("imports").admin, api: campaigns.api() };
  const commandOf = (line: string) => commandFor(emailUrl, vars, line);
  const campaign = await sampleCampaign(services, commandOf).catch(sayFault);
  const days = isFast ? `, a day takes ${FAST_DAY} seconds` : "";
  console.log(`Workflow  ${workflow}${days}   ${commandOf("workflow -- status trial")}`);
  console.log(`Campaign  ${campaign}\n`);
};

const main = async (withSamples: boolean, isFast: boolean) => {
  const added = ensureDevVars();
  const vars = readDevVars();
  const folder = join(import.meta.dirname, "..", ".wrangler");
  const { port, emailPort, dashboardPort, unlock } = await reserve({ ...vars, ...process.env }, folder);

  let quiet = true;
  const log = (line: string) => (quiet ? undefined : console.log(line));
  const { EMAIL_API_KEY: keyBefore } = vars;
  const src = versionOf();
  const varsHere = (all: Record<string, string>) =>
    varsOf(all, `http://127.0.0.1:${emailPort}`, `http://127.0.0.1:${port}`);
  const code = newLoginCode();
  const dashboard = { port: dashboardPort, vars: { ADMIN_TOKEN: vars.ADMIN_TOKEN, LOGIN_CODE: code } };
  const state = join(folder, "state");
  const workers = await startWorkers({ port, emailPort, dashboard, state, log, ...varsHere(vars) });
  keepReserve(state, workers, console.log);
  stopOnSignals(workers, unlock);

  console.log(`Bridge         ${workers.url}   POST /hooks/:source, /admin, /health`);
  console.log(`Email service  ${workers.emailUrl}   /v1, /docs, /inbox, /admin, /health\n`);
  if (added.length > 0) console.log(`Random values for ${added.join(", ")} are in ${DEV_VARS} now.\n`);
  if (vars.EMAIL_API_URL) {
    console.log(`EMAIL_API_URL is set: deliveries go to ${vars.EMAIL_API_URL}. No demo team and no samples.\n`);
  } else {
    if (vars.EMAIL_API_KEY !== keyBefore) console.log(`Seeded the team "demo"; its API key is in ${DEV_VARS}.\n`);
    if (withSamples) await sendSamples(workers, vars);
    await addSamples(workers.emailUrl, vars, isFast);
    console.log(`Inbox  ${workers.emailUrl}/inbox\n`);
  }
  await showDashboard(workers, code);
  console.log("Next   npm run demo            lists other samples, and how to send them");
  console.log(
    "       npm run demo -- stripe customer.subscription.created   starts a trial, which enters the workflow",
  );
  console.log(
    "       edit src/mappings/*.ts  your rules; a saved change is live at once, also one of wrangler.toml or .dev.vars",
  );
  console.log("       Ctrl-C                  stops everything\n");
  quiet = false;
  rebuildOnChange(workers, varsHere, { src, vars });
};

await runCommand(START, ({ values: { "no-samples": none, fast, from } }) =>
  from === undefined ? main(!none, fast) : mainFrom(from),
);
// The process must not stay alive through workerd after an error.
if (process.exitCode) process.exit();
