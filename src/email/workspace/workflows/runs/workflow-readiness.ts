import { type Readiness, readinessOf } from "../../../policy/workflows/readiness.ts";
import { readMailingList } from "../../contacts/lists.ts";
import { judgedMail } from "../../content/inspect.ts";
import { findMessage } from "../../content/messages.ts";
import type { Context } from "../../core/context.ts";
import { marketingObstacles } from "../../domains/obstacles.ts";
import { findPattern } from "../../events/patterns.ts";
import { filterOf, findSegment } from "../../segments/segment-rows.ts";
import { teamFactsOf } from "../../segments/team-facts.ts";
import { readTeam } from "../../team/team.ts";
import type { StoredWorkflow } from "../workflow-rows.ts";

export const readyOf = (context: Context, workflow: StoredWorkflow): Readiness => {
  const { sql } = context;
  return readinessOf(workflow, {
    ...teamFactsOf(sql),
    segmentOf: (id) => {
      const segment = findSegment(sql, id);
      return segment && filterOf(segment);
    },
    mailOf: (id) => {
      const message = findMessage(sql, id);
      return message && judgedMail(sql, message);
    },
    isArchived: (id) => readMailingList(sql, id)?.isArchived ?? true,
    wasReceived: (event) => findPattern(sql, "name", event)?.received === 1,
    obstacles: marketingObstacles(context),
    hasPostalAddress: readTeam(sql).postalAddress !== null,
  });
};
