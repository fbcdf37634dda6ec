import { readChoice } from "../../../src/email/delivery/senders/settings.ts";
import { newSecret } from "../secrets.ts";
import type { State, Step } from "../state.ts";
import { deployedVars } from "../wrangler.ts";

const SENDERS = ["smtp", "ses", "cloudflare"];
const EXAMPLE = "smtps://user:password@smtp.example.com:465";

/** The local inbox is not offered: strangers would reach its page. */
export const sender: Step = {
  title: "Sender",
  why: "The email Worker hands mail to a relay (smtp), to Amazon SES (ses) or to Cloudflare Email Service (cloudflare).",
  async run(state) {
    const { io, workers, env, emailHas, emailVars } = state;
    const vars = emailHas.size > 0 ? ((await deployedVars(io.run, workers.email, env)) ?? {}) : {};
    const before = typeof vars.TRANSACTIONAL_SENDER === "string" ? vars.TRANSACTIONAL_SENDER : "";
    dkimSecret(state);
    const chosen = await io.ask({
      variable: "TRANSACTIONAL_SENDER",
      text: `Sender of mail: smtp, ses or cloudflare (Enter ${before ? `keeps ${before}` : "sets none, and no mail leaves"})`,
      initial: "",
      check: (answer) => (SENDERS.includes(answer) ? undefined : "It must be smtp, ses or cloudflare."),
    });
    state.sender = chosen || before;
    if (!chosen)
      return io.print(
        before
          ? `Sender: ${before}, as before.`
          : "No sender: no mail leaves until a sender is set and a sending domain is verified.",
      );
    emailVars.TRANSACTIONAL_SENDER = chosen;
    // Cloudflare Email Service takes no marketing mail.
    if (chosen !== "cloudflare") emailVars.MARKETING_SENDER = chosen;
    if (chosen === "smtp") await askSmtp(state);
    if (chosen === "ses") await askSes(state, vars);
    io.print(`Sender: ${chosen}${chosen === "cloudflare" ? ", for transactional mail only" : ""}.`);
  },
};

/** A new value would make the DKIM private keys unreadable. */
const dkimSecret = ({ io, hidden, emailHas, emailSecrets }: State): void => {
  if (emailHas.has("DKIM_KEY_SECRET")) {
    io.print("DKIM_KEY_SECRET: kept. It encrypts the keys that sign mail.");
    return;
  }
  const secret = newSecret();
  hidden.add(secret);
  emailSecrets.DKIM_KEY_SECRET = secret;
  io.print("DKIM_KEY_SECRET: generated. It encrypts the keys that sign mail, and is not shown: no person needs it.");
};

const askSmtp = async ({ io, emailHas, emailSecrets }: State): Promise<void> => {
  const isThere = emailHas.has("SMTP_URL");
  const answer = await io.ask({
    variable: "SMTP_URL",
    text: `Address of the relay with user and password, such as ${EXAMPLE}${isThere ? " (Enter keeps it)" : ""}`,
    ...(isThere ? { initial: "" } : {}),
    secret: true,
    check: (given) => problemOf({ TRANSACTIONAL_SENDER: "smtp", SMTP_URL: given }),
  });
  if (answer) emailSecrets.SMTP_URL = answer;
};

const askSes = async (
  { io, emailHas, emailSecrets, emailVars }: State,
  vars: Record<string, unknown>,
): Promise<void> => {
  const before = typeof vars.SES_REGION === "string" ? vars.SES_REGION : undefined;
  const keys = { SES_ACCESS_KEY_ID: "x", SES_SECRET_ACCESS_KEY: "x" };
  emailVars.SES_REGION = await io.ask({
    variable: "SES_REGION",
    text: "Region of Amazon SES, such as eu-west-1",
    ...(before === undefined ? {} : { initial: before }),
    check: (given) => problemOf({ TRANSACTIONAL_SENDER: "ses", SES_REGION: given, ...keys }),
  });
  for (const [variable, what] of [
    ["SES_ACCESS_KEY_ID", "Access key of an IAM user that may do ses:SendEmail"],
    ["SES_SECRET_ACCESS_KEY", "Its secret access key"],
  ] as const) {
    const isThere = emailHas.has(variable);
    const text = `${what}${isThere ? " (Enter keeps it)" : ""}`;
    const answer = await io.ask({ variable, text, ...(isThere ? { initial: "" } : {}), secret: true });
    if (answer) emailSecrets[variable] = answer;
  }
};

const problemOf = (settings: Record<string, string>): string | undefined => {
  const choice = readChoice(settings as never, "transactional");
  return choice && "problem" in choice ? choice.problem : undefined;
};
