import { log } from "../../lib/util/log.ts";
import { chosenSender, readMailers, whyNoMailLeaves } from "../delivery/senders/settings.ts";
import { dkimSecretsOf, type Env, publicUrlOf } from "../env.ts";
import { DIRECTORY_NAME } from "../types/directory.ts";

type Health = { status: "ok" | "degraded"; message: string; reasons: string[] };

const WITHOUT_URL = "icons in mails are shown as words";
/** The short form of the reasons that say so. */
const NO_MAIL = /^no (marketing )?mail leaves/;

const hasRelay = (env: Env): boolean =>
  (["transactional", "marketing"] as const).some(
    (mailClass) => !["inbox", undefined].includes(chosenSender(env, mailClass)),
  );

/** State of the Worker: its configuration, and relays that do not answer. No team's object is called. */
export const healthNow = async (env: Env, now: number): Promise<Health> => {
  try {
    return healthOf(env, await env.DIRECTORY.getByName(DIRECTORY_NAME).relayProblems(now));
  } catch (error) {
    log("directory_failed", { error: error instanceof Error ? error.message : String(error) });
    return healthOf(env);
  }
};

/** State of the Worker. The answer is always 200. `relays`: a sentence for each relay that does not answer. */
export const healthOf = (env: Env, relays: readonly string[] = []): Health => {
  const noMail = whyNoMailLeaves(env);
  const { problem: mailers } = readMailers(env);
  const reasons = [
    ...noMail,
    ...relays,
    ...(env.API_KEY_SECRET ? [] : ["API_KEY_SECRET is not set: every API key is refused"]),
    ...(hasRelay(env) && dkimSecretsOf(env).length === 0
      ? ["DKIM_KEY_SECRET is not set: no sending domain can be added, and no mail can be signed"]
      : []),
    ...(publicUrlOf(env) === undefined
      ? [`PUBLIC_URL is ${env.PUBLIC_URL ? "no address such as https://mail.example.com" : "not set"}: ${WITHOUT_URL}`]
      : []),
    ...(mailers ? [mailers] : []),
    ...(env.ADMIN_TOKEN ? [] : ["ADMIN_TOKEN is not set: /admin refuses everything"]),
  ];
  if (reasons.length === 0) return { status: "ok", message: "ok", reasons };
  return { status: "degraded", message: `degraded: ${NO_MAIL.exec(reasons[0] ?? "")?.[0] ?? reasons[0]}`, reasons };
};
