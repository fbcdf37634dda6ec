import { type Env, inboxOn, publicUrlOf } from "../../env.ts";
import type { MailClass } from "../../types/mail.ts";
import type { SesSettings } from "./ses.ts";
import { type Account, readAccounts } from "./smtp/accounts.ts";

export type Choice =
  | { sender: "inbox" }
  | { sender: "smtp"; accounts: readonly Account[] }
  | { sender: "ses"; settings: SesSettings }
  | { sender: "cloudflare"; binding: SendEmail };

type Problem = { problem: string };

const VARIABLES = { transactional: "TRANSACTIONAL_SENDER", marketing: "MARKETING_SENDER" } as const;

/** Returns the sender of a class, or a problem without secrets. */
export const readChoice = (env: Env, mailClass: MailClass): Choice | Problem | undefined => {
  const name = VARIABLES[mailClass];
  const value = env[name]?.trim();
  if (!value) return inboxOn(env) ? { sender: "inbox" } : undefined;
  switch (value) {
    case "inbox":
      return inboxOn(env)
        ? { sender: "inbox" }
        : { problem: `${name} is inbox, and INBOX is not 1: set INBOX=1, or another sender` };
    case "smtp":
      return smtpChoice(env, mailClass);
    case "ses":
      return sesChoice(env, name);
    case "cloudflare":
      return cloudflareChoice(env, mailClass);
    default:
      return { problem: `${name} has an unknown value: use inbox, smtp, ses or cloudflare` };
  }
};

const DEFAULT_MAILERS = { transactional: 2, marketing: 4 } as const;
const MAX_MAILERS = 16;

/** A problem means that the default is used. */
export const readMailers = ({ MAILERS = "" }: Env): Record<MailClass, number> & Partial<Problem> => {
  if (MAILERS.trim() === "") return DEFAULT_MAILERS;
  const [, transactional = 0, marketing = 0] = (/^\s*(\d{1,2})\s*,\s*(\d{1,2})\s*$/.exec(MAILERS) ?? []).map(Number);
  const isUsable = [transactional, marketing].every((count) => count >= 1 && count <= MAX_MAILERS);
  if (isUsable) return { transactional, marketing };
  const problem = `MAILERS must be two numbers from 1 to ${MAX_MAILERS}, such as 2,4: 2,4 is used`;
  return { ...DEFAULT_MAILERS, problem };
};

export const chosenSender = (env: Env, mailClass: MailClass): Choice["sender"] | undefined => {
  const choice = readChoice(env, mailClass);
  return choice && "sender" in choice ? choice.sender : undefined;
};

const smtpChoice = ({ SMTP_URL }: Env, mailClass: MailClass): Choice | Problem => {
  const name = VARIABLES[mailClass];
  if (!SMTP_URL?.trim())
    return { problem: `${name} is smtp, and SMTP_URL is not set: set it to smtps://user:password@host:465` };
  const read = readAccounts(SMTP_URL);
  if ("problem" in read) return read;
  return read.accounts.some(({ classes }) => !classes || classes.includes(mailClass))
    ? { sender: "smtp", accounts: read.accounts }
    : { problem: `${name} is smtp, and no account of SMTP_URL has the class ${mailClass}` };
};

const sesChoice = (env: Env, name: string): Choice | Problem => {
  const missing = (["SES_REGION", "SES_ACCESS_KEY_ID", "SES_SECRET_ACCESS_KEY"] as const).filter(
    (one) => !env[one]?.trim(),
  );
  if (missing.length > 0) return { problem: `${name} is ses, and these are not set: ${missing.join(", ")}` };
  const { SES_REGION = "", SES_ACCESS_KEY_ID = "", SES_SECRET_ACCESS_KEY = "", SES_CONFIGURATION_SET } = env;
  const region = SES_REGION.trim();
  if (!/^[a-z]{2,4}(-[a-z]+)+-\d{1,2}$/.test(region))
    return { problem: "SES_REGION is not a region of AWS, such as eu-west-1" };
  const keys = { accessKeyId: SES_ACCESS_KEY_ID.trim(), secretAccessKey: SES_SECRET_ACCESS_KEY.trim() };
  const configurationSet = SES_CONFIGURATION_SET?.trim();
  return { sender: "ses", settings: { region, ...keys, ...(configurationSet ? { configurationSet } : {}) } };
};

const cloudflareChoice = ({ EMAIL }: Env, mailClass: MailClass): Choice | Problem => {
  if (mailClass === "marketing") {
    return { problem: "MARKETING_SENDER is cloudflare, which accepts transactional mail only: use smtp or ses" };
  }
  return EMAIL
    ? { sender: "cloudflare", binding: EMAIL }
    : {
        problem:
          'TRANSACTIONAL_SENDER is cloudflare, and there is no binding EMAIL: add [[send_email]] with name = "EMAIL" to wrangler.toml',
      };
};

/** Undefined if marketing mail is sent or captured. */
export const marketingObstacle = (env: Env): string | undefined => {
  const choice = readChoice(env, "marketing");
  if (!choice) return "no sender is configured";
  if ("problem" in choice) return choice.problem;
  return publicUrlOf(env) === undefined
    ? "PUBLIC_URL is not set, so that it would have no way to unsubscribe"
    : undefined;
};

const isLocal = (choice: Choice | Problem | undefined): boolean =>
  choice !== undefined && "sender" in choice && choice.sender === "inbox";

/** Reasons for GET /health why no mail leaves. */
export const whyNoMailLeaves = (env: Env): string[] => {
  const transactional = readChoice(env, "transactional");
  const marketing = readChoice(env, "marketing");
  const reasons: string[] = [];
  if (!transactional) reasons.push("no mail leaves: no sender is configured");
  else if ("problem" in transactional) reasons.push(`no mail leaves: ${transactional.problem}`);
  else if (isLocal(transactional)) {
    const isOnly = !marketing || isLocal(marketing);
    reasons.push(
      isOnly
        ? "no mail leaves: the local inbox (INBOX=1) is the only sender"
        : "no transactional mail leaves: its sender is the local inbox (INBOX=1)",
    );
  }
  const obstacle = marketing && !isLocal(marketing) ? marketingObstacle(env) : undefined;
  if (obstacle !== undefined) reasons.push(`no marketing mail leaves: ${obstacle}`);
  return [...new Set(reasons)];
};
