import { wholeNumber } from "../lib/cli.ts";
import { ask } from "./ask.ts";
import { HELP } from "./help.ts";
import { print } from "./print.ts";
import { verdictOf } from "./verdict.ts";

/** The options of `npm run why`. */
export const OPTIONS = {
  since: { type: "string", default: "7d" },
  limit: { type: "string", default: "50" },
  full: { type: "boolean", default: false },
  url: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

type Values = { since: string; limit: string; full: boolean; url?: string; json: boolean };

/**
 * The text that `npm run why` prints about a person.
 *
 * @param person an email address, a user id, or a provider's own id
 * @param vars the environment and .dev.vars, for PORT and ADMIN_TOKEN
 * @throws with what to do if an option is wrong or the bridge gives no answer
 */
export const why = async (
  person: string | undefined,
  values: Values,
  vars: Readonly<Record<string, string | undefined>>,
): Promise<string> => {
  if (person === undefined) throw new Error(`Which person? Example: npm run why -- ada@example.com\n\n${HELP}`);
  const limit = wholeNumber("limit", values.limit, { min: 1, max: 9999 });
  const url = values.url ?? `http://127.0.0.1:${vars.PORT || 8787}`;
  const token = vars.ADMIN_TOKEN;
  if (!token) throw new Error("No token: set ADMIN_TOKEN in .dev.vars or the environment.");
  const found = await ask({ url, token }, person, { since: values.since, limit, full: values.full });
  return values.json ? JSON.stringify({ verdict: verdictOf(found), ...found }, null, 2) : print(found);
};
