import { tokenProblem } from "../../lib/admin-token/admin-token.ts";
import { readPlan } from "../../lib/plan.ts";
import { machineReasons } from "../../lib/util/full-disk.ts";
import { log } from "../../lib/util/log.ts";
import { stateProblemOf } from "../../lib/util/migrate.ts";
import { publicUrlOf } from "../../lib/util/public-url.ts";
import { chosenSender, readMailers, whyNoMailLeaves, whyNothingIsHeard } from "../delivery/senders/settings.ts";
import { dkimSecretsOf, type Env } from "../env.ts";
import { DIRECTORY_NAME } from "../types/directory-rpc.ts";

export type Health = { status: "ok" | "degraded"; message: string; reasons: string[] };

const WITHOUT_URL = "icons in mails are shown as words";
const FROM_RESERVE = {
  full: "only deletions, unsubscribes, bounces and transactional mail are stored, from a reserve",
  low: "only deletions, unsubscribes and bounces are stored, from the rest of a reserve",
};
const NO_MAIL = /^no (marketing )?mail leaves/;

const hasSender = (env: Env): boolean =>
  (["transactional", "marketing"] as const).some((mailClass) => {
    const sender = chosenSender(env, mailClass);
    return sender !== undefined && !sender.local;
  });

/** Returns configuration and what the Directory knows: failed providers and writes, and teams with a problem. */
export const healthNow = async (env: Env, now: number): Promise<Health> => {
  try {
    return healthOf(env, await env.DIRECTORY.getByName(DIRECTORY_NAME).health(now));
  } catch (error) {
    if (stateProblemOf(error)) throw error;
    log("directory_failed", { error: error instanceof Error ? error.message : String(error) });
    return healthOf(env, ["the list of teams (Directory) does not answer"]);
  }
};

/** Adds reasons that are not there yet. */
export const withReasons = ({ reasons }: Health, more: readonly string[]): Health =>
  answerOf([...reasons, ...more.filter((reason) => !reasons.includes(reason))]);

/** Builds the health answer. `known`: what the Directory knows. */
export const healthOf = (env: Env, known: readonly string[] = []): Health => {
  const noMail = whyNoMailLeaves(env);
  const { problem: mailers } = readMailers(env);
  const { problem: plan } = readPlan(env);
  const reasons = [
    ...noMail,
    ...machineReasons(FROM_RESERVE),
    ...known,
    ...(env.API_KEY_SECRET ? [] : ["API_KEY_SECRET is not set: every API key is refused"]),
    ...(hasSender(env) && dkimSecretsOf(env).length === 0
      ? ["DKIM_KEY_SECRET is not set: no sending domain can be added, and no mail can be signed"]
      : []),
    ...whyNothingIsHeard(env),
    ...(publicUrlOf(env) === undefined
      ? [`PUBLIC_URL is ${env.PUBLIC_URL ? "no address such as https://mail.example.com" : "not set"}: ${WITHOUT_URL}`]
      : []),
    ...(mailers ? [mailers] : []),
    ...(plan ? [plan] : []),
    ...(env.ADMIN_TOKEN ? [] : ["ADMIN_TOKEN is not set: /admin refuses everything"]),
    ...(env.ADMIN_TOKEN ? [tokenProblem(env.ADMIN_TOKEN) ?? []].flat() : []),
  ];
  return answerOf(reasons);
};

const answerOf = (reasons: string[]): Health => {
  if (reasons.length === 0) return { status: "ok", message: "ok", reasons };
  return { status: "degraded", message: `degraded: ${NO_MAIL.exec(reasons[0] ?? "")?.[0] ?? reasons[0]}`, reasons };
};
