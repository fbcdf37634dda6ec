import { type JudgedMail, type Readiness, type ReadinessTeam, readinessOf } from "../../workflows/readiness.ts";
import { filterOf, findSegment } from "../audience/segment-rows.ts";
import { teamFactsOf } from "../audience/team-facts.ts";
import type { Context } from "../base/context.ts";
import { readMailingList } from "../contacts/lists.ts";
import { inspectStored } from "../content/inspect.ts";
import { findMessage, sourceOf } from "../content/messages.ts";
import { sendingDomainOf } from "../domains/sending-domain.ts";
import { findPattern } from "../events/patterns.ts";
import { readTeam } from "../team/team.ts";
import type { StoredWorkflow } from "../workflows/rows.ts";

/** Whether a workflow can start now, and what it lacks. */
export const readyOf = (context: Context, workflow: StoredWorkflow): Readiness => {
  const { sql } = context;
  return readinessOf(workflow, {
    ...teamFactsOf(sql),
    segmentOf: (id) => {
      const segment = findSegment(sql, id);
      return segment && filterOf(segment);
    },
    mailOf: (id) => judged(sql, id),
    isArchived: (id) => readMailingList(sql, id)?.isArchived ?? true,
    wasReceived: (event) => findPattern(sql, "name", event)?.received === 1,
    obstacles: obstaclesOf(context),
    hasPostalAddress: readTeam(sql).postalAddress !== null,
  });
};

const obstaclesOf = (context: Context): ReadinessTeam["obstacles"] => {
  const domain = sendingDomainOf(context, "marketing");
  const { marketingObstacle: reason } = context.mail;
  return [
    ...("refusal" in domain ? [domain.refusal].map(({ code, message }) => ({ code, message })) : []),
    ...(reason === undefined
      ? []
      : [{ code: "mail_cannot_leave", message: `No marketing mail leaves this service: ${reason}.` }]),
  ];
};

/** Warnings about variables that a mail is not sent without. */
const UNFILLED = {
  missingFallbackContactProperties: "contact",
  missingFallbackEventProperties: "event",
} as const satisfies Record<string, string>;

/** A mail as the guardian judges it: by the same rules as a transactional email that is published. */
const judged = (sql: SqlStorage, id: string): JudgedMail | undefined => {
  const row = findMessage(sql, id);
  if (!row) return undefined;
  const { errors, warnings } = inspectStored(sql, row).verdict;
  const itemsOf = (rule: string) => warnings.find((one) => one.rule === rule)?.items ?? [];
  return {
    subject: sourceOf(row).subject,
    errors: errors.flatMap(({ items }) => items.map(({ path, fix }) => ({ field: path, fix }))),
    unfilled: Object.entries(UNFILLED).flatMap(([rule, namespace]) =>
      itemsOf(rule).map(({ codeName }) => `${namespace}.${codeName}`),
    ),
  };
};
