import { findTemplate, templateNotFound } from "../content/templates.ts";
import type { Handlers } from "../core/handler.ts";

type Counts = { sends: number; hard_bounces: number; soft_bounces: number; spam_reports: number };
const NONE: Counts = { sends: 0, hard_bounces: 0, soft_bounces: 0, spam_reports: 0 };

/** Returns trigger-kept counts of a transactional email, without previews. */
export const metrics: Handlers<"transactionalEmails">["metrics"] = ({ sql }, { transactionalId }) => {
  const template = findTemplate(sql, transactionalId);
  if (!template) return templateNotFound(transactionalId);
  const counts = sql
    .exec<Counts>(
      "SELECT sends, hard_bounces, soft_bounces, spam_reports FROM template_counts WHERE template = ?",
      template.n,
    )
    .toArray()[0];
  const { sends, hard_bounces: hardBounces, soft_bounces: softBounces, spam_reports: spamReports } = counts ?? NONE;
  return {
    body: { sends, deliveries: Math.max(0, sends - hardBounces - softBounces), spamReports, hardBounces, softBounces },
  };
};
