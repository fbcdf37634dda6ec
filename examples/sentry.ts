/**
 * Sentry: notifies the team of new issues. The webhook does not contain the affected user (the issue's events do), so
 * this example is for the team only.
 *
 * To use it, copy this file to `src/mappings/sentry.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import sentry from "./mappings/sentry.ts";
 *     sentry: { rules: sentry, secret: "SENTRY_WEBHOOK_SECRET" },
 */
import { sentry } from "../src/handlers/sentry.ts";
import { rules } from "../src/rules/types.ts";
import { clip, shortLink } from "../src/rules/values/clip.ts";

/** The team's address, which gets these notices. Replace it with your own. */
const team = { email: "team@example.com" };

export default rules(sentry, [
  {
    name: "issue created",
    on: "issue.created",
    when: (e) => e.data.issue?.level === "error" || e.data.issue?.level === "fatal",
    contact: team,
    event: {
      name: "errorReported",
      properties: {
        title: (e) => clip(e.data.issue?.title),
        project: (e) => clip(e.data.issue?.project?.name),
        level: (e) => e.data.issue?.level,
        issueUrl: (e) => shortLink(e.data.issue?.web_url),
      },
    },
  },
]);
