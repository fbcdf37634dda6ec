import { Hono } from "hono";
import type { Env } from "../../env.ts";
import { teamNamedIn } from "../../lib/contract/admin/forgotten.ts";
import { DAY_MS } from "../../lib/util/dates.ts";
import { VERSION } from "../../lib/version.ts";
import { alertHookOf, configOf, retentionOf, sizeOf, whyNotSet } from "../../outbox/model/config.ts";
import { query } from "./params.ts";

export const about = new Hono<{ Bindings: Env }>().get("/about", (c) => {
  const given = query(c.req.raw, {});
  if (given instanceof Response) return given;
  const { EMAIL_API_URL = "", EMAIL_API_KEY = "" } = c.env;
  const { templates, lists, allowed, contactProperties } = configOf(c.env);
  const hook = alertHookOf(c.env);
  const url = EMAIL_API_URL === "" ? null : withoutSecrets(EMAIL_API_URL);
  return c.json({
    version: VERSION,
    team: teamNamedIn(EMAIL_API_KEY) ?? null,
    host: {
      kind: EMAIL_API_URL === "" ? "embedded" : "other",
      url,
      // The text may quote the address.
      problem: whyNotSet(c.env)?.replaceAll(EMAIL_API_URL || /$^/g, url ?? "") ?? null,
    },
    contactProperties,
    retentionDays: retentionOf(c.env) / DAY_MS,
    maxJournalMb: sizeOf(c.env) / 1_000_000,
    allowedRecipients: allowed,
    templates,
    lists,
    alertUrl: hook !== undefined && "url" in hook,
  });
});

const withoutSecrets = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname === "/" ? "" : pathname}`;
};
