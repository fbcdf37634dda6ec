import { existsSync, mkdirSync } from "node:fs";
import { senderNamed } from "../../src/email/delivery/senders/sender-list.ts";
import { UsageError } from "../lib/cli.ts";
import { changed, dashboardFor, emailServiceOf, varsOf, type Worker, type Workers } from "./config.ts";
import { stateOf } from "./flow.ts";
import { DeployError, type Io, type Run } from "./io.ts";
import { plan } from "./steps/plan.ts";
import { secrets } from "./steps/secrets.ts";
import { sender } from "./steps/sender.ts";
import { webhookSecrets } from "./steps/sources.ts";
import { writePrivate } from "./temporary.ts";

export type Out = { folder: string; unattended: boolean; plan?: string };

const emptyAccount: Run = async (_command, args) =>
  args[0] === "secret"
    ? { code: 1, stdout: "", stderr: 'Worker "new" not found.' }
    : { code: 1, stdout: "", stderr: `wrangler ${args.join(" ")} is not run here.` };

/** Asks the offline deployment questions and writes private files that `wrangler deploy` reads. */
export const writeDeployment = async (
  { print, ask }: Pick<Io, "print"> & Partial<Pick<Io, "ask">>,
  workers: Workers,
  { folder, hasBridge, ...options }: Out & { hasBridge: boolean },
): Promise<Worker[]> => {
  if (existsSync(folder)) throw new UsageError(`${folder} exists. Name a folder that does not exist.`);
  const none = () =>
    Promise.reject(
      new DeployError(
        "This command was started without a way to ask questions.",
        "Run it in a terminal, or with --yes.",
      ),
    );
  const io: Io = { run: emptyAccount, print, ask: ask ?? none, fetch: none, sleep: none, buildPage: none };
  const state = stateOf(io, workers, { ...options, hasBridge });
  for (const step of [secrets, plan, sender, ...(hasBridge ? [webhookSecrets] : [])]) {
    state.io.print(`\n${step.title}\n${step.why}`);
    await step.run(state);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { emailSecrets, emailVars, bridgeSecrets, adminToken } = state;
  writeSecrets(folder, "email", emailSecrets);
  if (hasBridge) writeSecrets(folder, "bridge", { ...bridgeSecrets, ADMIN_TOKEN: adminToken });
  writeSecrets(folder, "dashboard", { ADMIN_TOKEN: adminToken });
  const email = { vars: { ...varsOf(workers.email), ...emailVars }, ...serviceOf(workers.email, state.sender) };
  return [
    changed(workers.email, email, folder, "email.json"),
    ...(hasBridge ? [changed(workers.bridge, {}, folder, "bridge.json")] : []),
    hasBridge
      ? changed(workers.dashboard, {}, folder, "dashboard.json")
      : dashboardFor(workers, { hasBridge, hasEmail: true }, folder),
  ];
};

const writeSecrets = (folder: string, worker: keyof Workers, values: Record<string, string>): void => {
  writePrivate(folder, `${worker}.secrets.json`, `${JSON.stringify(values, null, 2)}\n`);
};

const serviceOf = (email: Worker, sender: string) => (senderNamed(sender)?.binding ? emailServiceOf(email) : {});

export const nextSteps = (
  folder: string,
  hasBridge: boolean,
): string => `${folder} has the configuration and the secrets of each Worker.
${hasBridge ? localRun(folder) : ""}  npx wrangler deploy --config ${folder}/email.json --secrets-file ${folder}/email.secrets.json
                   deploys one of them`;

const localRun = (folder: string): string => `  npm start -- --from ${folder}
                   runs them on this machine, without the inbox, demo team and samples
`;
