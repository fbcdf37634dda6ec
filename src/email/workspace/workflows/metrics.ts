import { node } from "../../workflows/graph/edges.ts";
import type { Handlers } from "../base/handler.ts";
import { findNode } from "./change.ts";

type Counts = {
  sends: number;
  opens: number;
  clicks: number;
  unsubscribes: number;
  spamReports: number;
  hardBounces: number;
  softBounces: number;
};

/** Counts of the mails of a node, previews left out. Triggers count each mail when its state changes; opens are those of people. */
export const nodeMetrics: Handlers<"workflows">["nodeMetrics"] = (context, asked) => {
  const found = findNode(context, asked);
  if ("refusal" in found) return found;
  const one = node(found.workflow.graph, asked.nodeId);
  if (one.typeName !== "SendEmailAction") {
    const message = `A node of type ${one.typeName} sends no mail. Ask for the metrics of a SendEmailAction.`;
    return { refusal: { code: "invalid_target", path: "nodeId", message } };
  }
  const body = context.sql
    .exec<Counts>(
      `SELECT coalesce(sends, 0) AS sends, coalesce(opened, 0) AS opens, coalesce(clicked, 0) AS clicks,
         coalesce(unsubscribes, 0) AS unsubscribes, coalesce(spam_reports, 0) AS spamReports,
         coalesce(hard_bounces, 0) AS hardBounces, coalesce(soft_bounces, 0) AS softBounces
       FROM email_messages m LEFT JOIN message_counts c ON c.message = m.n LEFT JOIN message_engagement e ON e.message = m.n
       WHERE m.id = ?`,
      one.emailMessageId,
    )
    .one();
  return { body };
};
