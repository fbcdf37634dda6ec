import { bridgeOf } from "../lib/bridge.ts";
import { wholeNumber } from "../lib/cli.ts";
import type { Line } from "../lib/command.ts";
import { type EmailService, emailServiceOf } from "../lib/email-service.ts";
import { ask } from "./ask.ts";
import type { Setup, SourceFacts } from "./cures.ts";
import { askMail, isSend } from "./mails.ts";
import { print } from "./print.ts";
import { printMail } from "./print-mails.ts";
import type { WHY } from "./usage.ts";
import { verdictOf } from "./verdict.ts";

type Values = Line<typeof WHY>["values"];

/**
 * Answers `npm run why`. Throws with a remedy.
 * @param person an email address or any id of a user, provider, webhook, delivery or mail
 */
export const why = async (
  person: string,
  values: Values,
  vars: Readonly<Record<string, string | undefined>>,
): Promise<string> => {
  const email = emailServiceOf(values, vars);
  if (isSend(person)) return whyMail(person, email, values);
  const limit = wholeNumber("limit", values.limit, { min: 1, max: 9999 });
  const bridge = bridgeOf(values, vars);
  const found = await ask({ bridge, email }, person, { since: values.since, limit, full: values.full });
  const setup = await setupOf(values, bridge.url);
  return values.json ? JSON.stringify({ verdict: verdictOf(found, setup), ...found }, null, 2) : print(found, setup);
};

const whyMail = async (id: string, email: EmailService | undefined, values: Values): Promise<string> => {
  if (!email)
    throw new Error("Where is the email service? Name it with --email-url, or set EMAIL_URL, with EMAIL_ADMIN_TOKEN.");
  const mail = await askMail(email, id);
  return values.json ? JSON.stringify(mail, null, 2) : printMail(mail, await setupOf(values, email.url), true);
};

const setupOf = async (values: Values, url: string): Promise<Setup> => ({
  options: (["url", "email-url", "team"] as const)
    .filter((name) => values[name] !== undefined)
    .map((name) => ` --${name} ${values[name]}`)
    .join(""),
  isDeployed: !/^https?:\/\/(127\.|localhost\b|\[::1\])/.test(url),
  sources: await readSources(),
});

/** Broken rules give no sources, because they may cause the question. */
const readSources = async (): Promise<Setup["sources"]> => {
  try {
    const { sources, handlerOf } = await import("../../src/sources.ts");
    const entries = Object.entries(sources).map(([name, source]): [string, SourceFacts] => [
      name,
      {
        secret: source.secret,
        backfill: handlerOf(source).api?.backfill !== undefined,
        ...(source.fetchBack ? { fetchBackKey: source.fetchBack.key } : {}),
      },
    ]);
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
};
