import { bridgeOf } from "../lib/bridge.ts";
import { wholeNumber } from "../lib/cli.ts";
import { ask } from "./ask.ts";
import type { Place, SourceFacts } from "./cures.ts";
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
 * The text that `npm run why` prints.
 *
 * @param person an email address, a user id, a provider's own id, or the id of a webhook or call
 * @param vars the environment and .dev.vars, for PORT and ADMIN_TOKEN
 * @throws with what to do if an option is wrong or the bridge gives no answer
 */
export const why = async (
  person: string | undefined,
  values: Values,
  vars: Readonly<Record<string, string | undefined>>,
): Promise<string> => {
  if (person === undefined)
    throw new Error(`Which person, webhook or call? Example: npm run why -- ada@example.com\n\n${HELP}`);
  const limit = wholeNumber("limit", values.limit, { min: 1, max: 9999 });
  const bridge = bridgeOf(values, vars);
  const found = await ask(bridge, person, { since: values.since, limit, full: values.full });
  const place: Place = {
    options: values.url === undefined ? "" : ` --url ${values.url}`,
    isDeployed: !/^https?:\/\/(127\.|localhost\b|\[::1\])/.test(bridge.url),
    sources: await readSources(),
  };
  return values.json ? JSON.stringify({ verdict: verdictOf(found, place), ...found }, null, 2) : print(found, place);
};

/** The sources of this folder. None while its rules cannot be loaded: a person may ask why because they are broken. */
const readSources = async (): Promise<Place["sources"]> => {
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
