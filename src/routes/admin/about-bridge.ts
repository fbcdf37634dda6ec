import type { Env } from "../../env.ts";
import { alertHookOf } from "../../lib/alerts/hook.ts";
import { teamNamedIn } from "../../lib/contract/admin/erased.ts";
import { DAY_MS } from "../../lib/util/dates.ts";
import { VERSION } from "../../lib/version.ts";
import { configOf, retentionOf, sizeOf, whyNotSet } from "../../outbox/model/config.ts";
import type { BridgeHandlers } from "./handler.ts";

export const about: BridgeHandlers<"about"> = { get: ({ env }) => ({ body: aboutNow(env) }) };

const aboutNow = (env: Env) => {
  const { EMAIL_API_URL = "", EMAIL_API_KEY = "" } = env;
  const { templates, lists, allowed, ignored, contactProperties } = configOf(env);
  const hook = alertHookOf(env);
  const url = EMAIL_API_URL === "" ? null : withoutSecrets(EMAIL_API_URL);
  return {
    version: VERSION,
    team: teamNamedIn(EMAIL_API_KEY) ?? null,
    service: {
      kind: EMAIL_API_URL === "" ? "embedded" : "other",
      url,
      // The text may quote the address.
      problem: whyNotSet(env)?.replaceAll(EMAIL_API_URL || /$^/g, url ?? "") ?? null,
    },
    contactProperties,
    retentionDays: retentionOf(env) / DAY_MS,
    maxJournalMb: sizeOf(env) / 1_000_000,
    allowedRecipients: allowed,
    ignoredRecipients: ignored,
    templates,
    lists,
    alertUrl: hook !== undefined && "url" in hook,
  };
};

const withoutSecrets = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname === "/" ? "" : pathname}`;
};
