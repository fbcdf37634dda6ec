import { DAY_MS } from "../../../lib/util/dates.ts";
import { type Begun, type Problem, type Readiness, readinessOf } from "../../policy/campaigns/readiness.ts";
import { listRefusal } from "../contacts/lists.ts";
import { judgedMail } from "../content/inspect.ts";
import { findMessage, type MessageRow } from "../content/messages.ts";
import type { Context } from "../core/context.ts";
import { campaignObstacles } from "../core/size.ts";
import { marketingObstacles } from "../domains/obstacles.ts";
import { filterOf, findSegment } from "../segments/segment-rows.ts";
import { teamFactsOf } from "../segments/team-facts.ts";
import { readTeam } from "../team/team.ts";
import type { StoredCampaign } from "./campaign-rows.ts";

const SAME_MS = 30 * DAY_MS;

/** `recipients`: their expected number. */
export const readyOf = (context: Context, campaign: StoredCampaign, recipients: number): Readiness => {
  const { sql, now } = context;
  const message = findMessage(sql, campaign.messageId) as MessageRow;
  const list = listRefusal(sql, campaign.list);
  return readinessOf(
    campaign,
    {
      ...teamFactsOf(sql),
      mail: judgedMail(sql, message),
      segmentOf: (id) => {
        const segment = findSegment(sql, id);
        return segment && filterOf(segment);
      },
      listFault: list && { code: list.code, message: list.message },
      obstacles: [...marketingObstacles(context), ...campaignObstacles(context)],
      hasPostalAddress: readTeam(sql).postalAddress !== null,
      recipients,
      recent: begun(sql, "?2 = ?2", [now - DAY_MS, ""]),
      same: begun(sql, "r.source = ?2", [now - SAME_MS, message.source]),
    },
    now,
  );
};

export const ownProblems = (context: Context, campaign: StoredCampaign): Problem[] =>
  readyOf(context, { ...campaign, scheduledAt: null }, 0).problems.filter(({ path }) => path !== null);

const begun = (sql: SqlStorage, condition: string, values: [after: number, source: string]): Begun | undefined =>
  sql
    .exec<Begun>(
      `SELECT c.id, c.name, c.started_at AS startedAt FROM campaigns c JOIN email_messages m ON m.n = c.message
         JOIN message_revisions r ON r.n = m.revision
       WHERE c.started_at > ?1 AND c.state <> 'cancelled' AND ${condition} ORDER BY c.started_at DESC LIMIT 1`,
      ...values,
    )
    .toArray()[0];
